import { Data } from "effect"

/** The HTTP status of each code's answer (Errors). */
export const STATUSES = {
  INVALID_JSON: 400,
  INVALID_QUERY: 400,
  INVALID_AMOUNT: 400,
  INVALID_PAYER: 400,
  INVALID_METADATA: 400,
  AMOUNT_MISMATCH: 400,
  CHANNEL_MISMATCH: 400,
  CHANNEL_CONFIGURATION_ERROR: 400,
  REFUND_WINDOW_EXPIRED: 400,
  validation_error: 400,
  invalid_otp: 401,
  RATE_LIMIT_EXCEEDED: 429,
  OTP_RATE_LIMITED: 429,
  UNAUTHORIZED: 401,
  INVALID_API_KEY: 401,
  webhook_signature_invalid: 401,
  PAYMENT_REQUIRED: 402,
  FORBIDDEN: 403,
  ACCOUNT_SUSPENDED: 403,
  INSUFFICIENT_KYC: 403,
  PLAN_LIMIT_EXCEEDED: 403,
  SPEND_CAP_EXCEEDED: 403,
  PAYMENT_PROOF_INVALID: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  INVALID_TRANSITION: 409,
  DUPLICATE_NAME: 409,
  AGENT_ID_TAKEN: 409,
  USAGE_NOT_STARTED: 409,
  INVOICE_UNPAID: 409,
  ALREADY_SUBSCRIBED: 409,
  SERVICE_NOT_ACTIVE: 409,
  PAYMENT_PROOF_USED: 409,
  PAYMENT_IDENTIFIER_USED: 409,
  PAYMENT_UNRESOLVED: 409,
  QUOTE_EXPIRED: 409,
  QUOTE_USED: 409,
  IDEMPOTENCY_KEY_USED: 409,
  IDEMPOTENCY_KEY_IN_PROGRESS: 409,
  refund_exceeds_revocable: 409,
  REFUND_NOT_ALLOWED: 409,
  REFUND_EXCEEDS_PAYMENT: 409,
  REFUND_LIMIT_EXCEEDED: 409,
  REFUND_CHANNEL_REJECTED: 409,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  MISSING_REQUIRED_FIELD: 422,
  INVALID_REQUEST: 422,
  INVALID_PRICING: 422,
  INVALID_URL: 422,
  INVALID_PUBLIC_KEY: 422,
  INVALID_IMAGE: 422,
  QR_NOT_FOUND: 422,
  UNSUPPORTED_CHANNEL: 422,
  revocation_target_invalid_type: 422,
  revocation_scope_invalid: 422,
  revocation_limit_exceeded: 422,
  CHANNEL_UNAVAILABLE: 422,
  CHANNEL_NO_DEEPLINK: 422,
  CHANNEL_ERROR: 502,
  CHANNEL_TEMPORARILY_UNAVAILABLE: 503,
  TEMPORARILY_UNAVAILABLE: 503,
  OUTCOME_UNKNOWN: 503,
  OVERLOADED: 503,
  INTERNAL_ERROR: 500,
} as const

/** All error codes of the interface (Errors). */
export type FailureCode = keyof typeof STATUSES

/** The subject of a failure, for codes whose status differs between manifests and intents. */
export type FailureSubject = "payment_intent" | "service"

/**
 * Returns the HTTP status of a code. A manifest in the wrong state is a conflict, an intent in the
 * wrong state a mistake of the request.
 */
export const statusOf = (code: FailureCode, subject?: FailureSubject): number =>
  code === "INVALID_TRANSITION" && subject === "payment_intent" ? 400 : STATUSES[code]

/**
 * A refused request: a code of the interface, a sentence that says what to do, the field it is
 * about and details that a program can use. `retry_after` is in seconds. The type of a use case's
 * error has the codes that it can fail with.
 */
export class Failure<out Code extends FailureCode = FailureCode> extends Data.TaggedError(
  "Failure",
)<{
  readonly code: Code
  readonly message: string
  readonly field?: string
  readonly details?: object
  readonly retry_after?: number
  readonly subject?: FailureSubject
}> {
  declare readonly code: Code
}

/** Returns whether an error is a refusal, with any code. */
export const isFailure = (error: unknown): error is Failure => error instanceof Failure

/**
 * A text without the form of an identifier may be anything, even personal data, and is not
 * repeated.
 */
const IDENTIFIER = /^(?:[a-z]{2,5}_)?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Returns one failure for what does not exist and for what belongs to another account. */
export const notFound = (what: string, id: string): Failure<"NOT_FOUND"> =>
  new Failure({
    code: "NOT_FOUND",
    message: IDENTIFIER.test(id) ? `No ${what} ${id} exists.` : `No such ${what} exists.`,
  })

/** Returns the failure for a field that decodes but is not valid here. */
export const invalidField = (field: string, reason: string): Failure<"INVALID_REQUEST"> =>
  new Failure({
    code: "INVALID_REQUEST",
    message: `The field ${field} is not valid: ${reason}.`,
    field,
    details: [{ field, reason }],
  })
