/** Why there is nothing to listen to, in a sentence; waiting does not help. */
export class CannotListen extends Error {
  override readonly name = "CannotListen"
}

/** The service does not answer as it should, for now; no full stop at the end. */
export class Unavailable extends Error {
  override readonly name = "Unavailable"
}

const NAMES: { readonly [code: string]: string } = {
  ECONNREFUSED: "connection refused",
  ECONNRESET: "connection reset",
  UND_ERR_SOCKET: "connection closed",
  ENOTFOUND: "no such host",
  EAI_AGAIN: "no such host",
}

/** What the error of a request is called. */
export const nameOf = (error: unknown): string => {
  if (!(error instanceof Error)) return "no connection"
  if (error.name === "TimeoutError") return "no answer in time"
  const code: unknown = Reflect.get(error, "code")
  return typeof code === "string" ? (NAMES[code] ?? code) : error.message
}
