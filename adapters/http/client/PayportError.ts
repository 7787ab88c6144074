import type { ErrorCode } from "./Resources.ts"

/** The content of a refusal. */
export interface ErrorFacts {
  readonly status: number
  readonly code: ErrorCode | "UNEXPECTED_ANSWER"
  readonly category: string
  readonly message: string
  readonly field?: string
  readonly details?: unknown
  readonly request_id?: string
  readonly retry_after?: number
  /** Whether an earlier attempt of the request had no answer, or none that says what it did. */
  readonly isLost?: boolean
}

/** Refusals of a request that may be under way, or that was made before. */
const UNDER_WAY: ReadonlySet<ErrorFacts["code"]> = new Set([
  "IDEMPOTENCY_KEY_IN_PROGRESS",
  "IDEMPOTENCY_KEY_USED",
  "PAYMENT_UNRESOLVED",
  "UNEXPECTED_ANSWER",
])

/** Refusals of the key, before the service looks at the request. */
const OF_KEY: ReadonlySet<ErrorFacts["code"]> = new Set([
  "UNAUTHORIZED",
  "INVALID_API_KEY",
  "ACCOUNT_SUSPENDED",
  "FORBIDDEN",
])

/**
 * Whether the HTTP of a request was refused, before it was read: it was not valid (400), too large
 * (431) or too slow (408). The same code of a field has another status.
 */
const isOfHttp = ({ code, status }: PayportError): boolean =>
  code === "INVALID_REQUEST" && status !== 422

/**
 * Whether the service has judged the request itself and refused it for good, so that a repetition
 * under the same idempotency key finds out nothing more. One that did not arrive in time (408), or
 * whose HTTP was refused, was not judged.
 */
export const isJudged = (error: PayportError): boolean => isJudgement(error) && !isOfHttp(error)

const isJudgement = ({ code, retry_after, status }: PayportError): boolean =>
  status >= 400 &&
  status < 500 &&
  status !== 408 &&
  retry_after === undefined &&
  !UNDER_WAY.has(code) &&
  !OF_KEY.has(code)

/** A refusal by the service. */
export class PayportError extends Error {
  override readonly name = "PayportError"
  readonly status: number
  /** The error code (Errors); `UNEXPECTED_ANSWER` if the body is not an error. */
  readonly code: ErrorCode | "UNEXPECTED_ANSWER"
  readonly category: string
  /** The field of the request that was refused, as a path with dots. */
  readonly field: string | undefined
  /** Facts for programs. */
  readonly details: unknown
  /** The request's id, for questions to the operator. */
  readonly request_id: string | undefined
  /** Seconds to wait before the next attempt. */
  readonly retry_after: number | undefined
  /**
   * Whether the service may have acted nevertheless: this answer does not tell, or an earlier
   * attempt had no answer. Repeating the request under the same idempotency key answers that.
   */
  readonly may_have_acted: boolean

  constructor(facts: ErrorFacts) {
    super(facts.message)
    this.status = facts.status
    this.code = facts.code
    this.category = facts.category
    this.field = facts.field
    this.details = facts.details
    this.request_id = facts.request_id
    this.retry_after = facts.retry_after
    const isRefused = facts.status >= 400 && facts.status < 500 && !UNDER_WAY.has(facts.code)
    this.may_have_acted = !isRefused || facts.isLost === true
  }
}

/**
 * No answer came, or none in time; `cause` says why. Whether the service has acted is unknown.
 * Repeating the request under the same idempotency key answers that.
 */
export class ConnectionFailed extends Error {
  override readonly name = "ConnectionFailed"
  readonly code: "CONNECTION_FAILED" | "TIMED_OUT"

  constructor(code: "CONNECTION_FAILED" | "TIMED_OUT", message: string, cause: unknown) {
    super(message, { cause })
    this.code = code
  }
}

/** A session has created its most payments (Limits, client retries). */
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

/** Returns the seconds of a `Retry-After` header, which a proxy may send as a date. */
const retryAfterOf = (headers: Headers): number | undefined => {
  const said = headers.get("Retry-After") ?? ""
  if (/^\d+(\.\d+)?$/.test(said)) return Number(said)
  const left = said.endsWith(" GMT") ? Date.parse(said) - Date.now() : Number.NaN
  return Number.isNaN(left) ? undefined : Math.max(Math.ceil(left / 1_000), 0)
}

/** Returns the error in a response from 400 on, in either shape (Errors 1 and 2). */
export const errorOf = (
  status: number,
  headers: Headers,
  body: string,
  isLost = false,
): PayportError => {
  const flat = parsed(body)
  const facts = fieldsOf(flat["error"]) ?? flat
  const category = text(flat["error"])
  const isOurs = facts !== flat || category !== undefined
  // What a proxy answers may have a code, too, and is no judgement of the service.
  const code = isOurs && text(facts["message"]) !== undefined ? text(facts["code"]) : undefined
  const field = text(facts["field"])
  const requestId = text(facts["request_id"]) ?? headers.get("X-Request-Id") ?? undefined
  const retryAfter = retryAfterOf(headers)
  return new PayportError({
    status,
    isLost,
    // Later versions of the service may have codes that this version does not list.
    code: (code ?? "UNEXPECTED_ANSWER") as ErrorCode | "UNEXPECTED_ANSWER",
    category: category ?? "unknown",
    message: text(facts["message"]) ?? `The service answered ${status}.`,
    ...(field !== undefined && { field }),
    ...(facts["details"] !== undefined && { details: facts["details"] }),
    ...(requestId !== undefined && { request_id: requestId }),
    ...(retryAfter !== undefined && { retry_after: retryAfter }),
  })
}
