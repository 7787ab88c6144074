import { Schema } from "effect"
import { HttpApiSchema } from "effect/http-api"
import type { Failure, FailureCode } from "../../../core/shared/Failure.ts"

/** What kind of mistake an error is, for programs that do not know its code (Errors). */
export const CATEGORIES = [
  "validation_error",
  "authentication_error",
  "authorization_error",
  "not_found",
  "conflict",
  "invalid_state",
  "rate_limited",
  "payment_required",
  "channel_error",
  "service_unavailable",
  "internal_error",
] as const
export type Category = (typeof CATEGORIES)[number]

interface Row {
  readonly status: number
  readonly category: Category
}

const row = (status: number, category: Category): Row => ({ status, category })

/** How each code is answered over HTTP. */
const TABLE: { readonly [C in FailureCode]: Row } = {
  INVALID_JSON: row(400, "validation_error"),
  INVALID_QUERY: row(400, "validation_error"),
  INVALID_AMOUNT: row(400, "validation_error"),
  INVALID_PAYER: row(400, "validation_error"),
  INVALID_METADATA: row(400, "validation_error"),
  AMOUNT_MISMATCH: row(400, "validation_error"),
  CHANNEL_MISMATCH: row(400, "validation_error"),
  CHANNEL_CONFIGURATION_ERROR: row(400, "validation_error"),
  REFUND_WINDOW_EXPIRED: row(400, "validation_error"),
  validation_error: row(400, "validation_error"),
  invalid_otp: row(401, "authentication_error"),
  RATE_LIMIT_EXCEEDED: row(429, "rate_limited"),
  OTP_RATE_LIMITED: row(429, "rate_limited"),
  UNAUTHORIZED: row(401, "authentication_error"),
  INVALID_API_KEY: row(401, "authentication_error"),
  webhook_signature_invalid: row(401, "authentication_error"),
  PAYMENT_REQUIRED: row(402, "payment_required"),
  FORBIDDEN: row(403, "authorization_error"),
  INSUFFICIENT_KYC: row(403, "authorization_error"),
  PLAN_LIMIT_EXCEEDED: row(403, "authorization_error"),
  SPEND_CAP_EXCEEDED: row(403, "authorization_error"),
  PAYMENT_PROOF_INVALID: row(403, "authorization_error"),
  NOT_FOUND: row(404, "not_found"),
  METHOD_NOT_ALLOWED: row(405, "validation_error"),
  INVALID_TRANSITION: row(409, "conflict"),
  DUPLICATE_NAME: row(409, "conflict"),
  AGENT_ID_TAKEN: row(409, "conflict"),
  USAGE_NOT_STARTED: row(409, "conflict"),
  SERVICE_NOT_ACTIVE: row(409, "conflict"),
  WEBHOOK_ENDPOINT_LIMIT_EXCEEDED: row(409, "conflict"),
  WEBHOOK_KEY_LIMIT_EXCEEDED: row(409, "conflict"),
  PAYMENT_PROOF_USED: row(409, "conflict"),
  PAYMENT_UNRESOLVED: row(409, "conflict"),
  QUOTE_EXPIRED: row(409, "conflict"),
  QUOTE_USED: row(409, "conflict"),
  IDEMPOTENCY_KEY_USED: row(409, "conflict"),
  IDEMPOTENCY_KEY_IN_PROGRESS: row(409, "conflict"),
  refund_exceeds_revocable: row(409, "conflict"),
  REFUND_NOT_ALLOWED: row(409, "conflict"),
  REFUND_EXCEEDS_PAYMENT: row(409, "conflict"),
  REFUND_LIMIT_EXCEEDED: row(409, "conflict"),
  REFUND_CHANNEL_REJECTED: row(409, "conflict"),
  PAYLOAD_TOO_LARGE: row(413, "validation_error"),
  UNSUPPORTED_MEDIA_TYPE: row(415, "validation_error"),
  MISSING_REQUIRED_FIELD: row(422, "validation_error"),
  INVALID_REQUEST: row(422, "validation_error"),
  INVALID_PRICING: row(422, "validation_error"),
  INVALID_URL: row(422, "validation_error"),
  INVALID_PUBLIC_KEY: row(422, "validation_error"),
  INVALID_IMAGE: row(422, "validation_error"),
  QR_NOT_FOUND: row(422, "validation_error"),
  UNSUPPORTED_CHANNEL: row(422, "validation_error"),
  revocation_target_invalid_type: row(422, "validation_error"),
  revocation_scope_invalid: row(422, "validation_error"),
  revocation_limit_exceeded: row(422, "validation_error"),
  CHANNEL_UNAVAILABLE: row(422, "validation_error"),
  CHANNEL_NO_DEEPLINK: row(422, "validation_error"),
  CHANNEL_ERROR: row(502, "channel_error"),
  CHANNEL_TEMPORARILY_UNAVAILABLE: row(503, "service_unavailable"),
  TEMPORARILY_UNAVAILABLE: row(503, "service_unavailable"),
  INTERNAL_ERROR: row(500, "internal_error"),
}

/** An intent in the wrong state is a mistake of the request; a manifest's is a conflict. */
const INTENT_TRANSITION = row(400, "invalid_state")

type Subject = NonNullable<Failure["subject"]>

/** The HTTP status and the category that a code is answered with. */
export const answerOf = (code: FailureCode, subject?: Subject): Row =>
  code === "INVALID_TRANSITION" && subject === "payment_intent" ? INTENT_TRANSITION : TABLE[code]

/** Every code with its row, for documents and tests. */
export const CODES = Object.keys(TABLE) as ReadonlyArray<FailureCode>

const fields = {
  code: Schema.String.annotate({ description: "What went wrong, for programs." }),
  message: Schema.String.annotate({ description: "What went wrong and what to do, for people." }),
  field: Schema.optionalKey(Schema.String).annotate({
    description: "The field of the request that the error is about, with dots.",
  }),
  details: Schema.optionalKey(Schema.Unknown).annotate({
    description: "Facts that a program can act on.",
  }),
  request_id: Schema.optionalKey(Schema.String).annotate({
    description: "Names the request to the operator; with internal errors.",
  }),
}

/** The flat error body (Errors 1). */
export const ErrorBody = Schema.Struct({
  error: Schema.String.annotate({
    description: `The category: ${CATEGORIES.join(", ")}.`,
  }),
  ...fields,
}).annotate({
  identifier: "Error",
  description: "Why a request was refused.",
  examples: [
    {
      error: "validation_error",
      code: "MISSING_REQUIRED_FIELD",
      message: "The field name is required.",
      field: "name",
      details: [{ field: "name", reason: "is required" }],
    },
  ],
})
export type ErrorBody = typeof ErrorBody.Type

/** The nested error body (Errors 2). */
export const NestedErrorBody = Schema.Struct({ error: Schema.Struct(fields) }).annotate({
  identifier: "NestedError",
  description: "Why a request was refused.",
  examples: [
    {
      error: {
        code: "REFUND_EXCEEDS_PAYMENT",
        message: "Nothing is left of the payment to be refunded.",
        field: "amount",
      },
    },
  ],
})

/** The two shapes of an error body: the second is that of refunds and identity verification. */
export type ErrorShape = "flat" | "nested"

/** The body of a refusal. `request_id` is given with internal errors only. */
export const errorBody = (failure: Failure, shape: ErrorShape, request_id?: string): object => {
  const { code, message, field, details } = failure
  const facts = {
    code,
    message,
    ...(field !== undefined && { field }),
    ...(details !== undefined && { details }),
    ...(request_id !== undefined && { request_id }),
  }
  return shape === "flat"
    ? { error: answerOf(code, failure.subject).category, ...facts }
    : { error: facts }
}

/** A declared refusal: its code, and what it is about where that changes the answer. */
export type Refusal = FailureCode | { readonly code: FailureCode; readonly subject: Subject }

const describe = (refusal: Refusal): { readonly code: FailureCode; readonly status: number } =>
  typeof refusal === "string"
    ? { code: refusal, status: answerOf(refusal).status }
    : { code: refusal.code, status: answerOf(refusal.code, refusal.subject).status }

const byStatus = (lists: ReadonlyArray<ReadonlyArray<Refusal>>) => {
  const codes = new Map<number, Set<string>>()
  for (const { code, status } of lists.flat().map(describe)) {
    codes.set(status, (codes.get(status) ?? new Set()).add(code))
  }
  return [...codes].toSorted(([a], [b]) => a - b)
}

/** The error responses of an endpoint: one per status, whose description lists its codes. */
export const refusals = (
  ...lists: ReadonlyArray<ReadonlyArray<Refusal>>
): ReadonlyArray<typeof ErrorBody> =>
  byStatus(lists).map(([status, codes]) =>
    ErrorBody.annotate({ description: [...codes].join(", ") }).pipe(HttpApiSchema.status(status)),
  )

/** The same for an endpoint whose error bodies are nested. */
export const nestedRefusals = (
  ...lists: ReadonlyArray<ReadonlyArray<Refusal>>
): ReadonlyArray<typeof NestedErrorBody> =>
  byStatus(lists).map(([status, codes]) =>
    NestedErrorBody.annotate({ description: [...codes].join(", ") }).pipe(
      HttpApiSchema.status(status),
    ),
  )

/** What every route may answer. */
export const ANY = ["TEMPORARILY_UNAVAILABLE", "INTERNAL_ERROR"] as const
/** What a route behind a key may answer. */
export const KEYED = [
  "UNAUTHORIZED",
  "INVALID_API_KEY",
  "INVALID_QUERY",
  "RATE_LIMIT_EXCEEDED",
] as const
/** What a route that reads a body may answer. */
export const BODY = [
  "INVALID_JSON",
  "PAYLOAD_TOO_LARGE",
  "UNSUPPORTED_MEDIA_TYPE",
  "MISSING_REQUIRED_FIELD",
  "INVALID_REQUEST",
] as const
/** What a POST with an `Idempotency-Key` may answer. */
export const ONCE = [
  "IDEMPOTENCY_KEY_USED",
  "IDEMPOTENCY_KEY_IN_PROGRESS",
  "INVALID_REQUEST",
] as const
