/**
 * What every page is answered with. Nothing is loaded from elsewhere, no page elsewhere shows it in
 * a frame, and no address of it is told to other sites. `Referrer-Policy` is not `no-referrer`:
 * under that, browsers name no origin with a form of the page itself.
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

/** What is said of an answer unless it says otherwise itself. */
export const USUAL_HEADERS: { readonly [name: string]: string } = {
  "Cache-Control": "no-store",
  "Content-Type": "text/html; charset=utf-8",
}
