import { jsonOf } from "../seller/Terms.ts"

/** A request of the agent, as it came. */
export interface Asked {
  readonly method: string
  /** With its query. */
  readonly path: string
  readonly headers: { readonly [name: string]: string }
  readonly body: string
}

/** What is answered. */
export interface Reply {
  readonly status: number
  readonly headers: { readonly [name: string]: string }
  readonly body: string
}

/** A request with what the agent was told, which is nothing where the answer was lost. */
export interface Exchange extends Asked {
  readonly reply: Reply | "lost"
  /** When it came, in milliseconds of a clock that never goes back. */
  readonly at: number
}

/** What a sandbox does wrong. */
export interface Hostility {
  /** Answers in the place of the service, before anything is done. */
  readonly before?: (asked: Asked) => Promise<Reply | undefined>
  /** What becomes of the service's answer. */
  readonly after?: (asked: Asked, reply: Reply) => Promise<Reply | "lost">
}

/** A call of a tool over MCP. */
interface ToolUse {
  readonly name: string
  readonly args: { readonly [name: string]: unknown }
}

/** The tool that a request calls, where it does. */
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

/** Whether a request reads which payments there are, or one of them. */
export const looksAtPayments = (asked: Asked): boolean => {
  const name = toolOf(asked)?.name
  if (name !== undefined) return name === "get_payment" || name === "list_payments"
  return asked.method === "GET" && pathOf(asked).startsWith("/v1/payment-intents")
}

/** The payment that a request looks at. */
export const lookedAt = (asked: Asked): string | undefined => {
  const tool = toolOf(asked)
  if (tool?.name === "get_payment") return String(tool.args["payment_id"])
  const match = /^\/v1\/payment-intents\/(pi_[\w-]+)/.exec(asked.path)
  return asked.method === "GET" ? match?.[1] : undefined
}

/** The name that a creation is repeated under; undefined without one. */
export const keyOf = (asked: Asked): string | undefined => {
  const named = toolOf(asked)?.args["idempotency_key"]
  return typeof named === "string" ? named : asked.headers["idempotency-key"]
}

/** The service's answer to somebody who is to come again in so many seconds. */
export const later = (status: 409 | 503, code: string, seconds: number): Reply => {
  const error = status === 409 ? "conflict" : "service_unavailable"
  const message = `Repeat the request in ${seconds} s.`
  return {
    status,
    headers: { "content-type": "application/json", "retry-after": String(seconds) },
    body: JSON.stringify({ error, code, message, details: [], retry_after: seconds }),
  }
}
