/** Why a run cannot be made or go on, in a sentence that says what to do. */
export class CannotPlay extends Error {
  override readonly name = "CannotPlay"
}

const NAMES: { readonly [code: string]: string } = {
  ECONNREFUSED: "nothing listens there",
  ECONNRESET: "the connection was reset",
  UND_ERR_SOCKET: "the connection was closed",
  UND_ERR_CONNECT_TIMEOUT: "no connection in time",
  UND_ERR_HEADERS_TIMEOUT: "no answer in time",
  ENOTFOUND: "there is no such host",
  EAI_AGAIN: "there is no such host",
}

/** What the error of a connection is called. */
export const nameOf = (error: unknown): string => {
  if (!(error instanceof Error)) return "no connection"
  const code: unknown = Reflect.get(error, "code")
  return typeof code === "string" ? (NAMES[code] ?? code) : error.message
}
