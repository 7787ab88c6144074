import { errors } from "undici"

/** Why there was no answer. Attempts record it. */
export type ErrorCode =
  | "timeout"
  | "address_forbidden"
  | "dns"
  | "connection_refused"
  | "connection_reset"
  | "unreachable"
  | "tls"
  | "too_large"
  | "invalid_response"
  | "network_error"

const CODES: { readonly [C in Exclude<ErrorCode, "network_error">]: RegExp } = {
  timeout: /^(ETIMEDOUT|UND_ERR_(CONNECT|HEADERS|BODY)_TIMEOUT)$/,
  address_forbidden: /^ADDRESS_FORBIDDEN$/,
  dns: /^NAME_UNRESOLVED$/,
  connection_refused: /^ECONNREFUSED$/,
  connection_reset: /^(ECONNRESET|ECONNABORTED|EPIPE|UND_ERR_SOCKET)$/,
  unreachable: /^(EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|EHOSTDOWN|ENETDOWN)$/,
  too_large: /^(UND_ERR_HEADERS_OVERFLOW|HPE_HEADER_OVERFLOW)$/,
  tls: /^(EPROTO$|(ERR_TLS|ERR_SSL|CERT|CRL|UNABLE_TO|DEPTH_ZERO|SELF_SIGNED|INVALID|HOSTNAME)_)/,
  invalid_response: /^(HPE_|UND_ERR_)/,
}

const KINDS = Object.keys(CODES) as ReadonlyArray<keyof typeof CODES>

const codeOf = (error: unknown): string | undefined => {
  if (!(error instanceof Error)) return undefined
  if ("code" in error && typeof error.code === "string") return error.code
  return error instanceof AggregateError ? codeOf(error.errors[0]) : codeOf(error.cause)
}

/** Returns the code of a request's error, independent of the library that threw it. */
export const errorCode = (error: unknown): ErrorCode => {
  const code = codeOf(error) ?? ""
  const known = KINDS.find((kind) => CODES[kind].test(code))
  return known ?? (error instanceof errors.HTTPParserError ? "invalid_response" : "network_error")
}
