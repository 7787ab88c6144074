const NAMES: { readonly [code: string]: string } = {
  ECONNREFUSED: "connection refused",
  ECONNRESET: "connection reset",
  UND_ERR_SOCKET: "connection closed",
  UND_ERR_CONNECT_TIMEOUT: "no connection in time",
  UND_ERR_HEADERS_TIMEOUT: "no answer in time",
  ENOTFOUND: "no such host",
  EAI_AGAIN: "no such host",
}

const codeOf = (error: unknown): unknown =>
  error instanceof Error ? Reflect.get(error, "code") : undefined

/** The name of a connection's error, for a sentence. */
export const nameOf = (error: unknown): string => {
  if (!(error instanceof Error)) return "no connection"
  if (error.name === "TimeoutError") return "no answer in time"
  const code = codeOf(error)
  return typeof code === "string" ? (NAMES[code] ?? code) : error.message
}

/** Whether a request that failed with this error has certainly not arrived. */
export const reachedNobody = (error: unknown): boolean => codeOf(error) === "ECONNREFUSED"
