import { jsonOf } from "../seller/Terms.ts"

/** A request of the agent. */
export interface Asked {
  readonly method: string
  /** The path with the query. */
  readonly path: string
  readonly headers: { readonly [name: string]: string }
  readonly body: string
}

/** A response. */
export interface Reply {
  readonly status: number
  readonly headers: { readonly [name: string]: string }
  readonly body: string
}

/** A request and its response as the agent got it; no response if it was lost. */
export interface Exchange extends Asked {
  readonly reply: Reply | "lost"
  /** The time of the request, in milliseconds of a clock that never goes back. */
  readonly at: number
}

/** The deviations of a sandbox. */
export interface Hostility {
  /** Answers instead of the service, before anything is done. */
  readonly before?: (asked: Asked) => Promise<Reply | undefined>
  /** Changes the service's response. */
  readonly after?: (asked: Asked, reply: Reply) => Promise<Reply | "lost">
}

/** A tool call over MCP. */
interface ToolUse {
  readonly name: string
  readonly args: { readonly [name: string]: unknown }
}

/** Returns the tool that a request calls, if it calls one. */
export const toolOf = ({ body, path }: Asked): ToolUse | undefined => {
  if (!path.startsWith("/mcp")) return undefined
  const message = jsonOf(body) as {
    readonly method?: string
    readonly params?: { readonly name?: string; readonly arguments?: ToolUse["args"] }
  } | null
  const name = message?.method === "tools/call" ? message.params?.name : undefined
  return name === undefined ? undefined : { name, args: message?.params?.arguments ?? {} }
}

const CREATIONS = ["/v1/payment-intents", "/v1/payments/one-time", "/v1/fx/routes", "/v1/payments"]

const pathOf = ({ path }: Asked): string => path.split("?")[0] ?? path

/** Whether a request makes a payment of a service. */
export const creates = (asked: Asked): boolean => {
  const name = toolOf(asked)?.name
  if (name !== undefined) return name === "pay" || name === "pay_one_time"
  return asked.method === "POST" && CREATIONS.includes(pathOf(asked))
}

/** Whether a request reads the list of payments, or one of them. */
export const looksAtPayments = (asked: Asked): boolean => {
  const name = toolOf(asked)?.name
  if (name !== undefined) return name === "get_payment" || name === "list_payments"
  return asked.method === "GET" && pathOf(asked).startsWith("/v1/payment-intents")
}

/** Returns the payment that a request reads. */
export const lookedAt = (asked: Asked): string | undefined => {
  const tool = toolOf(asked)
  if (tool?.name === "get_payment") return String(tool.args["payment_id"])
  const match = /^\/v1\/payment-intents\/(pi_[\w-]+)/.exec(asked.path)
  return asked.method === "GET" ? match?.[1] : undefined
}

/** Returns the idempotency key of a creation; undefined if it has none. */
export const keyOf = (asked: Asked): string | undefined => {
  const named = toolOf(asked)?.args["idempotency_key"]
  return typeof named === "string" ? named : asked.headers["idempotency-key"]
}

/** Returns the service's response that asks for a retry after so many seconds. */
export const later = (status: 409 | 503, code: string, seconds: number): Reply => {
  const error = status === 409 ? "conflict" : "service_unavailable"
  const message = `Repeat the request in ${seconds} s.`
  return {
    status,
    headers: { "content-type": "application/json", "retry-after": String(seconds) },
    body: JSON.stringify({ error, code, message, details: [], retry_after: seconds }),
  }
}
