/**
 * Lets pages of other origins read an answer (CORS). It is for what nobody is recognized by: no
 * cookie and no key that a browser adds by itself has a part in these answers, so a page can ask
 * here what any program can.
 */
export const OPEN_TO_PAGES = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": "Retry-After, X-Request-Id",
} as const

/** What a browser is told that asks whether a page may send such a request. */
export const preflightHeaders = (methods: ReadonlyArray<string>) => ({
  ...OPEN_TO_PAGES,
  "Access-Control-Allow-Methods": methods.join(", "),
  // Clients of MCP name their revision, and tokens are asked for with a form's or JSON's type.
  "Access-Control-Allow-Headers": "Content-Type, Accept, MCP-Protocol-Version",
  "Access-Control-Max-Age": "86400",
})
