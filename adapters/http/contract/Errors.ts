import { Schema } from "effect"
import { HttpApiSchema } from "effect/http-api"
import type { FieldRules } from "../../../core/shared/Decode.ts"
import {
  type Failure,
  type FailureCode,
  type FailureSubject,
  STATUSES,
  statusOf,
} from "../../../core/shared/Failure.ts"

/** The category of an error, for programs that do not know its code (Errors). */
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

/** The category of each status. */
const CATEGORY: { readonly [S in (typeof STATUSES)[FailureCode]]: Category } = {
  400: "validation_error",
  401: "authentication_error",
  402: "payment_required",
  403: "authorization_error",
  404: "not_found",
  405: "validation_error",
  409: "conflict",
  413: "validation_error",
  415: "validation_error",
  422: "validation_error",
  429: "rate_limited",
  500: "internal_error",
  502: "channel_error",
  503: "service_unavailable",
}

/** Returns the HTTP status and the category of a code. */
export const answerOf = (code: FailureCode, subject?: FailureSubject): Row => {
  const isIntent = code === "INVALID_TRANSITION" && subject === "payment_intent"
  return {
    status: statusOf(code, subject),
    category: isIntent ? "invalid_state" : CATEGORY[STATUSES[code]],
  }
}

/** Every code, for documents and tests. */
export const CODES = Object.keys(STATUSES) as ReadonlyArray<FailureCode>

const fields = {
  code: Schema.String.annotate({ description: "The error code, for programs." }),
  message: Schema.String.annotate({
    description: "The error and what to do about it, for people.",
  }),
  field: Schema.optionalKey(Schema.String).annotate({
    description: "The path of the request's field that caused the error, with dots.",
  }),
  details: Schema.optionalKey(Schema.Unknown).annotateKey({
    description: "Details that a program can act on.",
  }),
  request_id: Schema.optionalKey(Schema.String).annotate({
    description: "The request's id, for questions to the operator. Only for internal errors.",
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
export const NestedErrorBody = Schema.Struct({
  error: Schema.Struct(fields).annotateKey({ description: "The error." }),
}).annotate({
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

/** The two shapes of an error body: the nested one is for refunds and identity verification. */
export type ErrorShape = "flat" | "nested"

/** Returns the body of a refusal. `request_id` is given for internal errors only. */
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

/** A refusal before the use case: of a field that does not decode, or of the paywall. */
export interface AtEdge<Code extends FailureCode> {
  readonly code: Code
  readonly edge: true
  readonly subject?: never
  /** The status, if it is not that of the code. */
  readonly status?: number
}

/** A declared refusal: its code, and its subject if that changes the answer. */
export type Refusal =
  | FailureCode
  | AtEdge<FailureCode>
  | { readonly code: FailureCode; readonly subject: FailureSubject }

/** Declares refusals that come before the use case. */
export const atEdge = <Code extends FailureCode>(
  ...codes: ReadonlyArray<Code>
): ReadonlyArray<AtEdge<Code>> => codes.map((code) => ({ code, edge: true }))

/** Declares the codes of fields by their rules. */
export const ofFields = <Code extends FailureCode>({
  codes = {},
  invalid = {},
}: FieldRules<Code>): ReadonlyArray<AtEdge<Code>> =>
  atEdge(...new Set([...Object.values(codes), ...Object.values(invalid)]))

type CodeOf<R> = R extends FailureCode ? R : R extends { readonly code: infer Code } ? Code : never

type EdgeCode = (typeof ANY | typeof CHANGE | typeof KEYED | typeof BODY | typeof ONCE)[number]

type UseCaseCodeOf<R> = R extends AtEdge<FailureCode> ? never : Exclude<CodeOf<R>, EdgeCode>

/** Only for types: the codes that an endpoint can answer, and those of its use case. */
export interface Declares<Code, UseCaseCode = Code> {
  readonly "~declares"?: { readonly codes: Code; readonly useCase: UseCaseCode }
}

type DeclaredBy<Lists extends ReadonlyArray<ReadonlyArray<Refusal>>> = Declares<
  CodeOf<Lists[number][number]>,
  UseCaseCodeOf<Lists[number][number]>
>

const describe = (refusal: Refusal): { readonly code: FailureCode; readonly status: number } =>
  typeof refusal === "string"
    ? { code: refusal, status: answerOf(refusal).status }
    : {
        code: refusal.code,
        status:
          ("status" in refusal ? refusal.status : undefined) ??
          answerOf(refusal.code, refusal.subject).status,
      }

const byStatus = (lists: ReadonlyArray<ReadonlyArray<Refusal>>) => {
  const codes = new Map<number, Set<string>>()
  for (const { code, status } of lists.flat().map(describe)) {
    codes.set(status, (codes.get(status) ?? new Set()).add(code))
  }
  return [...codes].toSorted(([a], [b]) => a - b)
}

/**
 * Returns the error responses of an endpoint: one per status, with its codes in the description.
 * The compiler checks the handler: its use case gives no other code, and gives each of them. The
 * annotation `Shape` of the endpoint decides their shape, in the document and in answers.
 */
export const refusals = <const Lists extends ReadonlyArray<ReadonlyArray<Refusal>>>(
  ...lists: Lists
): ReadonlyArray<typeof ErrorBody & DeclaredBy<Lists>> =>
  byStatus(lists).map(([status, codes]) =>
    ErrorBody.annotate({ description: [...codes].join(", ") }).pipe(HttpApiSchema.status(status)),
  )

/** The codes that the middleware of paid endpoints may answer besides 402. */
export const PAYWALL = [
  "INVALID_REQUEST",
  "RATE_LIMIT_EXCEEDED",
  "PAYMENT_PROOF_INVALID",
  "PAYMENT_IDENTIFIER_USED",
  "PAYMENT_UNRESOLVED",
  "TEMPORARILY_UNAVAILABLE",
] as const
/** These codes as refusals. Half a proof is a bad request, as in x402. */
export const PAYWALL_REFUSALS: ReadonlyArray<AtEdge<(typeof PAYWALL)[number]>> = PAYWALL.map(
  (code) => ({ code, edge: true, ...(code === "INVALID_REQUEST" && { status: 400 }) }),
)
/** The codes that every route may answer. */
export const ANY = ["TEMPORARILY_UNAVAILABLE", "OVERLOADED", "INTERNAL_ERROR"] as const
/** The codes that a route that changes something may answer. */
export const CHANGE = ["OUTCOME_UNKNOWN"] as const
/** The codes that a route with a key may answer. */
export const KEYED = [
  "UNAUTHORIZED",
  "INVALID_API_KEY",
  "FORBIDDEN",
  "ACCOUNT_SUSPENDED",
  "INVALID_QUERY",
  "RATE_LIMIT_EXCEEDED",
] as const
/** The codes that an operator's route may answer: its `X-Operator` may be invalid. */
export const OPERATED = [...KEYED, "INVALID_REQUEST"] as const
/** The codes that a route with a body may answer. */
export const BODY = [
  "INVALID_JSON",
  "PAYLOAD_TOO_LARGE",
  "UNSUPPORTED_MEDIA_TYPE",
  "MISSING_REQUIRED_FIELD",
  "INVALID_REQUEST",
] as const
/** The refusal of a body that does not arrive in time. It judges nothing. */
export const STALLED: ReadonlyArray<AtEdge<"INVALID_REQUEST">> = [
  { code: "INVALID_REQUEST", edge: true, status: 408 },
]
/** The codes that a change without fields may answer to a body. */
export const NO_FIELDS = [
  "INVALID_JSON",
  "PAYLOAD_TOO_LARGE",
  "UNSUPPORTED_MEDIA_TYPE",
  "INVALID_REQUEST",
] as const
/** The codes that a POST with an `Idempotency-Key` may answer. */
export const ONCE = [
  "IDEMPOTENCY_KEY_USED",
  "IDEMPOTENCY_KEY_IN_PROGRESS",
  "INVALID_REQUEST",
] as const
