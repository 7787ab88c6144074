/**
 * Lets pages of other origins read an answer (CORS). Use it only for answers that do not depend on
 * a cookie or a key that a browser adds by itself. Then a page can read only what any program can.
 */
export const OPEN_TO_PAGES = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": "Retry-After, X-Request-Id",
} as const

/** Returns the answer to a browser that asks whether a page may send such a request. */
export const preflightHeaders = (methods: ReadonlyArray<string>) => ({
  ...OPEN_TO_PAGES,
  "Access-Control-Allow-Methods": methods.join(", "),
  // Clients of MCP name their revision, and requests for tokens have a form's or JSON's type.
  "Access-Control-Allow-Headers": "Content-Type, Accept, MCP-Protocol-Version",
  "Access-Control-Max-Age": "86400",
})
