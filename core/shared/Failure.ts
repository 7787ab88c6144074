import { Data } from "effect"

/** Every code that a caller can be answered with (Errors). */
export type FailureCode =
  | "MISSING_REQUIRED_FIELD"
  | "INVALID_PRICING"
  | "UNSUPPORTED_CHANNEL"
  | "INVALID_URL"
  | "DUPLICATE_NAME"
  | "UNAUTHORIZED"
  | "INVALID_API_KEY"
  | "FORBIDDEN"
  | "INSUFFICIENT_KYC"
  | "INVALID_QUERY"
  | "INVALID_JSON"
  | "INVALID_REQUEST"
  | "INVALID_TRANSITION"
  | "INVALID_AMOUNT"
  | "INVALID_PAYER"
  | "INVALID_METADATA"
  | "IDEMPOTENCY_KEY_USED"
  | "IDEMPOTENCY_KEY_IN_PROGRESS"
  | "NOT_FOUND"
  | "METHOD_NOT_ALLOWED"
  | "PAYLOAD_TOO_LARGE"
  | "UNSUPPORTED_MEDIA_TYPE"
  | "SERVICE_NOT_ACTIVE"
  | "AGENT_ID_TAKEN"
  | "USAGE_NOT_STARTED"
  | "PLAN_LIMIT_EXCEEDED"
  | "SPEND_CAP_EXCEEDED"
  | "RATE_LIMIT_EXCEEDED"
  | "CHANNEL_UNAVAILABLE"
  | "CHANNEL_NO_DEEPLINK"
  | "CHANNEL_TEMPORARILY_UNAVAILABLE"
  | "CHANNEL_CONFIGURATION_ERROR"
  | "CHANNEL_ERROR"
  | "CHANNEL_MISMATCH"
  | "AMOUNT_MISMATCH"
  | "INVALID_PUBLIC_KEY"
  | "INVALID_IMAGE"
  | "QR_NOT_FOUND"
  | "WEBHOOK_ENDPOINT_LIMIT_EXCEEDED"
  | "WEBHOOK_KEY_LIMIT_EXCEEDED"
  | "QUOTE_EXPIRED"
  | "QUOTE_USED"
  | "REFUND_NOT_ALLOWED"
  | "REFUND_WINDOW_EXPIRED"
  | "REFUND_EXCEEDS_PAYMENT"
  | "REFUND_LIMIT_EXCEEDED"
  | "REFUND_CHANNEL_REJECTED"
  | "PAYMENT_REQUIRED"
  | "PAYMENT_PROOF_INVALID"
  | "PAYMENT_PROOF_USED"
  | "PAYMENT_UNRESOLVED"
  | "webhook_signature_invalid"
  | "revocation_target_invalid_type"
  | "revocation_scope_invalid"
  | "revocation_limit_exceeded"
  | "refund_exceeds_revocable"
  | "validation_error"
  | "invalid_otp"
  | "OTP_RATE_LIMITED"
  | "TEMPORARILY_UNAVAILABLE"
  | "INTERNAL_ERROR"

/**
 * Why a request was refused: a code of the interface, a sentence that says what to do, the field it
 * is about and facts that a program can act on. `retry_after` is in seconds. `subject` tells the
 * codes apart that are answered differently for manifests and for intents. The codes that a use
 * case can give are in the type of its error.
 */
export class Failure<out Code extends FailureCode = FailureCode> extends Data.TaggedError(
  "Failure",
)<{
  readonly code: Code
  readonly message: string
  readonly field?: string
  readonly details?: object
  readonly retry_after?: number
  readonly subject?: "payment_intent" | "service"
}> {
  declare readonly code: Code
}

/** Whether what went wrong is a refusal, of whatever code. */
export const isFailure = (error: unknown): error is Failure => error instanceof Failure

/** What is no identifier in form may be anything, somebody's document too, and is not repeated. */
const IDENTIFIER = /^(?:[a-z]{2,5}_)?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** One answer for what does not exist and for what belongs to somebody else. */
export const notFound = (what: string, id: string): Failure<"NOT_FOUND"> =>
  new Failure({
    code: "NOT_FOUND",
    message: IDENTIFIER.test(id) ? `No ${what} ${id} exists.` : `No such ${what} exists.`,
  })
