import type { ErrorCode } from "./Resources.ts"

/** What a response says of a refusal. */
export interface ErrorFacts {
  readonly status: number
  readonly code: ErrorCode | "UNEXPECTED_ANSWER"
  readonly category: string
  readonly message: string
  readonly field?: string
  readonly details?: unknown
  readonly request_id?: string
  readonly retry_after?: number
}

/** A refusal by the service. */
export class PayportError extends Error {
  override readonly name = "PayportError"
  readonly status: number
  /** The error code (Errors); `UNEXPECTED_ANSWER` when the body is not an error's. */
  readonly code: ErrorCode | "UNEXPECTED_ANSWER"
  readonly category: string
  /** The field of the request that it is about, with dots. */
  readonly field: string | undefined
  /** Facts that a program can act on. */
  readonly details: unknown
  /** Names the request to the operator. */
  readonly request_id: string | undefined
  /** Seconds to wait before the next attempt. */
  readonly retry_after: number | undefined

  constructor(facts: ErrorFacts) {
    super(facts.message)
    this.status = facts.status
    this.code = facts.code
    this.category = facts.category
    this.field = facts.field
    this.details = facts.details
    this.request_id = facts.request_id
    this.retry_after = facts.retry_after
  }
}

/**
 * No answer came, or none in time: `cause` says why. Whether the service has acted is unknown; the
 * same request under the same idempotency key finds out.
 */
export class ConnectionFailed extends Error {
  override readonly name = "ConnectionFailed"
  readonly code: "CONNECTION_FAILED" | "TIMED_OUT"

  constructor(code: "CONNECTION_FAILED" | "TIMED_OUT", message: string, cause: unknown) {
    super(message, { cause })
    this.code = code
  }
}

/** A session has created as many payments as it may (Limits, client retries). */
export class CreationLimitReached extends Error {
  override readonly name = "CreationLimitReached"
  readonly limit: number

  constructor(limit: number) {
    super(`This session has created ${limit} payments. Begin a new session for more.`)
    this.limit = limit
  }
}

type Fields = { readonly [field: string]: unknown }

const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined)

const fieldsOf = (value: unknown): Fields | undefined =>
  typeof value === "object" && value !== null ? (value as Fields) : undefined

const parsed = (body: string): Fields => {
  try {
    return fieldsOf(JSON.parse(body)) ?? {}
  } catch {
    return {}
  }
}

/** The seconds of a `Retry-After` header; undefined when it has none. */
const retryAfterOf = (headers: Headers): number | undefined => {
  const said = headers.get("Retry-After")
  const seconds = said === null ? Number.NaN : Number(said)
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined
}

/** The error in a response of 400 or more, in either shape (Errors 1 and 2). */
export const errorOf = (status: number, headers: Headers, body: string): PayportError => {
  const flat = parsed(body)
  const facts = fieldsOf(flat["error"]) ?? flat
  const field = text(facts["field"])
  const requestId = text(facts["request_id"]) ?? headers.get("X-Request-Id") ?? undefined
  const retryAfter = retryAfterOf(headers)
  return new PayportError({
    status,
    // Later versions of the service may have codes that this one does not list.
    code: (text(facts["code"]) ?? "UNEXPECTED_ANSWER") as ErrorCode | "UNEXPECTED_ANSWER",
    category: text(flat["error"]) ?? "unknown",
    message: text(facts["message"]) ?? `The service answered ${status}.`,
    ...(field !== undefined && { field }),
    ...(facts["details"] !== undefined && { details: facts["details"] }),
    ...(requestId !== undefined && { request_id: requestId }),
    ...(retryAfter !== undefined && { retry_after: retryAfter }),
  })
}
