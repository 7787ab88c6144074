import { Schema } from "effect"

/** What a payer may do with a charge. */
export const PAYER_ACTS = [
  "pays",
  "scans",
  "rejects",
  "lacks_funds",
  "is_closed_out",
  "sleeps",
] as const

/** What a payee may do about a payment. */
export const PAYEE_ACTS = [
  "captures",
  "captures_blindly",
  "voids",
  "cancels",
  "contests",
  "waits",
] as const

const Millis = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 31_536_000_000 }))
const Amount = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1_000_000_000_000 }))

/** One payment as it goes, such as `payport record` has seen it. Times are milliseconds. */
export const Play = Schema.Struct({
  /** After the payment before it was made. */
  after_ms: Millis,
  flow: Schema.Literals(["request_payment", "one_time_pay"]),
  by: Schema.Literals(["buyer", "seller"]),
  /** Which of the world's four buyers. */
  buyer: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 3 })),
  amount: Schema.Struct({ currency: Schema.String, value: Amount }),
  /** The channel that is asked for; null for the service's choice. */
  channel: Schema.NullOr(Schema.String),
  /** Whether its creation carries an Idempotency-Key. */
  keyed: Schema.Boolean,
  payer: Schema.Struct({
    act: Schema.Literals(PAYER_ACTS),
    scans_after_ms: Millis,
    /** After the scan. */
    decides_after_ms: Millis,
  }),
  payee: Schema.Struct({
    act: Schema.Literals(PAYEE_ACTS),
    /** After the payer has authorized, or after the creation. */
    after_ms: Millis,
    /** What is captured in minor units, if not all of it. */
    captures: Schema.optionalKey(Amount),
  }),
  refunds: Schema.Array(
    Schema.Struct({
      /** After the refund before it, or after the payment was paid. */
      after_ms: Millis,
      /** In minor units; null for all that is left. */
      value: Schema.NullOr(Amount),
      keyed: Schema.Boolean,
      revokes: Schema.Literals(["by_policy", "nothing"]),
    }),
  ),
})
export type Play = typeof Play.Type
