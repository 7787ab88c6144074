import { Result, Schema } from "effect"

/** A time in its written form. */
export const Time = Schema.String.check(
  Schema.isPattern(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/, { expected: "a time in UTC" }),
)

const Currency = Schema.String.check(
  Schema.isPattern(/^[A-Z]{3}$/, { expected: "an ISO 4217 code" }),
)

/** Minor units of a currency. */
const Money = Schema.Struct({ currency: Currency, value: Schema.Int })

const Payer = Schema.Struct({
  agent_id: Schema.NullOr(Schema.String),
  human_id: Schema.optionalKey(Schema.NullOr(Schema.String)),
  wallet_id: Schema.optionalKey(Schema.NullOr(Schema.String)),
})

/** The checked fields of a PaymentIntent. */
export const Payment = Schema.Struct({
  id: Schema.String,
  service_id: Schema.String,
  status: Schema.String,
  amount: Money,
  settlement: Schema.Struct({ ...Money.fields, rate: Schema.Finite }),
  description: Schema.String,
  payer: Payer,
  channel: Schema.NullOr(Schema.String),
  qr: Schema.optionalKey(Schema.NullOr(Schema.Struct({ charge_id: Schema.String }))),
  deeplink: Schema.optionalKey(Schema.String),
  scanned_at: Schema.optionalKey(Time),
  authorized_at: Schema.optionalKey(Time),
  captured_at: Schema.optionalKey(Time),
  succeeded_at: Schema.optionalKey(Time),
  channel_txn_id: Schema.optionalKey(Schema.NullOr(Schema.String)),
  failure_code: Schema.optionalKey(Schema.NullOr(Schema.String)),
  created_at: Time,
  expires_at: Time,
})
export type Payment = typeof Payment.Type

/** The checked fields of a Refund. */
export const Refund = Schema.Struct({
  id: Schema.String,
  payment_intent: Schema.String,
  amount: Money,
  status: Schema.String,
  remaining_refundable: Schema.optionalKey(Schema.NullOr(Money)),
})
export type Refund = typeof Refund.Type

/** The scopes that a refund revokes. */
export const Revoking = Schema.Struct({
  revocations: Schema.Array(Schema.Struct({ scope: Schema.optionalKey(Schema.String) })),
})

/** The checked fields of a ServiceManifest. */
export const Manifest = Schema.Struct({ id: Schema.String, status: Schema.String })

/** A page of a search. */
export const Search = Schema.Struct({
  data: Schema.Array(Schema.Struct({ id: Schema.String })),
  pagination: Schema.Struct({ total: Schema.Int, limit: Schema.Int, offset: Schema.Int }),
})

/** A newly registered webhook endpoint. */
export const Endpoint = Schema.Struct({
  id: Schema.String,
  secret: Schema.String,
})

/** An account with its first key. */
export const Account = Schema.Struct({ api_key: Schema.Struct({ key: Schema.String }) })

/** A verification of an agent's principal. */
export const Verification = Schema.Struct({
  verification_id: Schema.String,
  status: Schema.String,
})

const Text = Schema.NonEmptyString

/** Either form of an error. */
export const Refusal = Schema.Union([
  Schema.Struct({ error: Text, code: Text, message: Text }),
  Schema.Struct({ error: Schema.Struct({ code: Text, message: Text }) }),
])

/** Decodes a value by a schema; on failure returns the reason on one line. */
export const read = <A>(
  schema: Schema.Decoder<A>,
  value: unknown,
): { readonly found: A } | { readonly flaw: string } => {
  const result = Schema.decodeUnknownResult(schema)(value)
  return Result.isSuccess(result)
    ? { found: result.success }
    : { flaw: result.failure.message.replaceAll(/\s+/g, " ") }
}

/** The milliseconds of a time that a shape has let through; NaN for none. */
export const millis = (text: string | undefined): number => Date.parse(text ?? "")
