import { type Check, JSON_TYPE, paidOf } from "../Verdict.ts"

/** The part of node's request that the middleware uses, with what Express adds to it. */
export interface NodeRequest {
  readonly method?: string | undefined
  readonly url?: string | undefined
  readonly headers: { readonly [name: string]: string | ReadonlyArray<string> | undefined }
  readonly socket: { readonly remoteAddress?: string | undefined }
  readonly originalUrl?: string
  readonly protocol?: string
  readonly ip?: string | undefined
  /** With the body, where a parser before this one has kept it. */
  readonly rawBody?: string | Uint8Array
}

/** The part of node's response that the middleware uses. */
export interface NodeResponse {
  statusCode: number
  readonly setHeader: (name: string, value: string) => unknown
  readonly hasHeader: (name: string) => boolean
  readonly end: (body: string) => unknown
  /** What Express keeps for the handlers of a request. */
  readonly locals?: { [name: string]: unknown }
}

/** The address that was asked for, as far as node and Express know it. */
const addressOf = ({ headers, originalUrl, protocol, socket, url = "/" }: NodeRequest): string => {
  const path = originalUrl ?? url
  const host = headers["host"]
  if (!path.startsWith("/") || typeof host !== "string") return path
  return `${protocol ?? ("encrypted" in socket ? "https" : "http")}://${host}${path}`
}

/** Middleware of Express and the like; Express keeps the payment in `response.locals.payment`. */
export const onNode =
  (check: Check) =>
  async (
    request: NodeRequest,
    response: NodeResponse,
    next: (error?: unknown) => void,
  ): Promise<void> => {
    const { headers, ip, method = "GET", rawBody: body, socket } = request
    const client = ip ?? socket.remoteAddress
    const verdict = await check({
      method,
      url: addressOf(request),
      headers,
      ...(client !== undefined && { client }),
      ...(body !== undefined && { body }),
    }).catch((error: unknown) => next(error))
    if (verdict === undefined) return
    for (const [name, value] of Object.entries(verdict.headers)) response.setHeader(name, value)
    if (verdict.paid) {
      if (response.locals !== undefined) response.locals["payment"] = paidOf(verdict)
      next()
    } else {
      if (!response.hasHeader("Content-Type")) response.setHeader("Content-Type", JSON_TYPE)
      response.statusCode = verdict.status
      response.end(JSON.stringify(verdict.body))
    }
  }
