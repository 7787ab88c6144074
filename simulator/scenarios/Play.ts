import { Schema } from "effect"

/** Actions of a payer on a charge. */
export const PAYER_ACTS = [
  "pays",
  "scans",
  "rejects",
  "lacks_funds",
  "is_closed_out",
  "sleeps",
] as const

/** Actions of a payee on a payment. */
export const PAYEE_ACTS = [
  "captures",
  "captures_blindly",
  "voids",
  "cancels",
  "contests",
  "waits",
] as const

const Millis = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 31_536_000_000 }))
/** An amount of a payment, of a part or of a refund, in minor units. */
export const Amount = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1_000_000_000_000 }))

/** The course of one payment, as `payport record` records it. Times are milliseconds. */
export const Play = Schema.Struct({
  after_ms: Millis.annotate({ description: "Milliseconds after the payment before was made." }),
  flow: Schema.Literals(["request_payment", "one_time_pay"]).annotate({
    description: "By a QR code and a capture, or by a link in one step.",
  }),
  by: Schema.Literals(["buyer", "seller"]).annotate({ description: "Who creates it." }),
  buyer: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 3 })).annotate({
    description: "Which of the world's four buyers.",
  }),
  amount: Schema.Struct({
    currency: Schema.String.annotate({ examples: ["USD"] }),
    value: Amount.annotate({ description: "In minor units." }),
  }).annotate({ description: "What is paid." }),
  channel: Schema.NullOr(Schema.String.annotate({ examples: ["wallet_a"] })).annotate({
    description: "The channel that is asked for; null for the service's choice.",
  }),
  keyed: Schema.Boolean.annotate({
    description: "Whether its creation carries an Idempotency-Key.",
  }),
  payer: Schema.Struct({
    act: Schema.Literals(PAYER_ACTS).annotate({ description: "What the payer does." }),
    scans_after_ms: Millis.annotate({ description: "Milliseconds until the charge is opened." }),
    decides_after_ms: Millis.annotate({ description: "Milliseconds after the scan." }),
  }).annotate({ description: "Who pays." }),
  payee: Schema.Struct({
    act: Schema.Literals(PAYEE_ACTS).annotate({ description: "What the payee does." }),
    after_ms: Millis.annotate({
      description: "Milliseconds after the payer has authorized, or after the creation.",
    }),
    captures: Schema.optionalKey(
      Amount.annotate({ description: "What is captured in minor units, if not all of it." }),
    ),
  }).annotate({ description: "Who is paid." }),
  refunds: Schema.Array(
    Schema.Struct({
      after_ms: Millis.annotate({
        description: "Milliseconds after the refund before, or after the payment was paid.",
      }),
      value: Schema.NullOr(Amount).annotate({
        description: "In minor units; null for all that is left.",
      }),
      keyed: Schema.Boolean.annotate({ description: "Whether it carries an Idempotency-Key." }),
      revokes: Schema.Literals(["by_policy", "nothing"]).annotate({
        description: "Whether it takes access back, as the service's policy says.",
      }),
    }),
  ).annotate({ description: "What is given back, one after the other." }),
})
export type Play = typeof Play.Type
