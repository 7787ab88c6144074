import type { Failure } from "../../core/shared/Failure.ts"
import { answerOf, errorBody } from "../http/contract/Errors.ts"

/** JSON-RPC codes for requests that do not reach a method. */
export const PARSE_ERROR = -32_700
export const INVALID_REQUEST = -32_600
/** The code that the protocol's own transports use for refusals by HTTP. */
const REFUSED = -32_000

/** Returns the id of a request, which its refusal repeats; null without one. */
export const idOf = (message: { readonly [name: string]: unknown } | undefined) => {
  const id = message?.["id"]
  return typeof id === "string" || typeof id === "number" ? id : null
}

/** Returns a refusal as JSON-RPC, with the interface's error body as its data. */
export const refusal = (
  failure: Failure,
  options: {
    readonly rpc?: number
    readonly id?: string | number | null
    readonly status?: number
  },
): Response => {
  const { code, message } = failure
  const error = { code: options.rpc ?? REFUSED, message, data: errorBody(failure, "flat") }
  const headers: Record<string, string> = {}
  const { status } = answerOf(code, failure.subject)
  if (failure.retry_after !== undefined || status === 503) {
    headers["Retry-After"] = String(Math.ceil(failure.retry_after ?? 1))
  }
  return Response.json(
    { jsonrpc: "2.0", error, id: options.id ?? null },
    { status: options.status ?? status, headers },
  )
}
