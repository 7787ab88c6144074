/**
 * The headers of every page. It loads nothing from elsewhere, no other site can frame it, and no
 * other site learns its address. `Referrer-Policy` is not `no-referrer`, because then browsers
 * would send no origin with the page's own forms.
 */
export const SECURITY_HEADERS: ReadonlyArray<string> = [
  "Content-Security-Policy",
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    "font-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join("; "),
  "X-Content-Type-Options",
  "nosniff",
  "X-Frame-Options",
  "DENY",
  "Referrer-Policy",
  "same-origin",
  "Cross-Origin-Opener-Policy",
  "same-origin",
  "Cross-Origin-Resource-Policy",
  "same-origin",
]

/** The default headers of an answer. */
export const USUAL_HEADERS: { readonly [name: string]: string } = {
  "Cache-Control": "no-store",
  "Content-Type": "text/html; charset=utf-8",
}
