/** A request to a paid endpoint, from any framework. */
export interface PaidRequest {
  readonly method: string
  /** The path, or the whole address. */
  readonly url: string
  /** Node's object, or `Headers`. */
  readonly headers:
    | Headers
    | { readonly [name: string]: string | ReadonlyArray<string> | undefined }
  /** The body as sent. If it is given, a payment is for this body only. */
  readonly body?: string | Uint8Array
  /**
   * Identifies the client for the limit of unpaid challenges, such as by its remote address.
   * Without it, only the limit for all clients together applies.
   */
  readonly client?: string
}

/** Returns a header; undefined if it is missing or was sent more than once. */
export const headerOf = ({ headers }: PaidRequest, name: string): string | undefined => {
  const value = headers instanceof Headers ? headers.get(name) : headers[name.toLowerCase()]
  return typeof value === "string" ? value : undefined
}

/** Returns the path of a request's address, without its query. */
export const pathOf = ({ url }: PaidRequest): string => {
  const [target = "/"] = url.replace(/^https?:\/\/[^/?#]*/i, "").split(/[?#]/)
  return target === "" ? "/" : target
}

/** Returns the host of a request's address, or of its `Host`. */
export const hostOf = (request: PaidRequest): string =>
  /^https?:\/\/([^/?#]+)/i.exec(request.url)?.[1]?.toLowerCase() ?? headerOf(request, "Host") ?? ""
