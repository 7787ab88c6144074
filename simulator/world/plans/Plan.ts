import { Schema } from "effect"
import { TRADE_STATUSES } from "../../../core/gateway/ChannelCallback.ts"
import { type FaultName, type Faults, NO_FAULTS } from "../../faults/Faults.ts"
import { PAYEE_ACTS, PAYER_ACTS } from "../../scenarios/Play.ts"
import { Incident, Months } from "../../scenarios/Scenario.ts"

const Millis = Schema.Int
const Natural = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))
const Several = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 50 }))

/** What a payer does with the charges that it is shown. */
export const PayerPlan = Schema.Struct({
  act: Schema.Literals(PAYER_ACTS),
  /** Milliseconds until the wallet opens the charge, and from then until the payer decides. */
  scans_after: Natural,
  decides_after: Natural,
  /** Decides that far from `expires_at` instead; null otherwise. */
  around_expiry: Schema.NullOr(Millis),
  /** What is done with each further charge that is offered; null leaves them alone. */
  others: Schema.NullOr(Schema.Literals(PAYER_ACTS)),
})
export type PayerPlan = typeof PayerPlan.Type

/** What a payee does about a payment. */
export const PayeePlan = Schema.Struct({
  act: Schema.Literals(PAYEE_ACTS),
  after: Natural,
  around_expiry: Schema.NullOr(Millis),
  /** How many requests are sent at once, and how often all of that is done again. */
  parallel: Several,
  again: Natural,
  keyed: Schema.Boolean,
  /** Which part of the amount is captured, if not all of it. */
  part: Schema.optionalKey(Schema.Finite),
  /** What else is tried, whatever became of the payment, so many milliseconds after it began. */
  probes: Schema.Array(
    Schema.Struct({ action: Schema.Literals(["capture", "void", "cancel"]), after: Natural }),
  ),
})
export type PayeePlan = typeof PayeePlan.Type

/** What a seller registers as bought. */
const ItemPlan = Schema.Struct({
  type: Schema.Literals(["access_token", "session", "license_key"]),
  name: Schema.String,
})

/** An access that a payment bought, as the seller knows it, and the scope that a refund takes. */
export const AccessPlan = Schema.Struct({
  ...ItemPlan.fields,
  scope: Schema.NullOr(Schema.String),
})
export type AccessPlan = typeof AccessPlan.Type

/** One refund of a payment. */
export const RefundPlan = Schema.Struct({
  /** Milliseconds after the refund before it is asked for. */
  after: Natural,
  /** Which part of the payment; null for all that is left. */
  share: Schema.NullOr(Schema.Finite),
  parallel: Several,
  keyed: Schema.Boolean,
  /** What is to be revoked: what the service's policy says, nothing, or these accesses. */
  revokes: Schema.Union([Schema.Literals(["by_policy", "nothing"]), Schema.Array(AccessPlan)]),
})
export type RefundPlan = typeof RefundPlan.Type

/** What happens to a payment after it was made. */
export const AftermathPlan = Schema.Struct({
  items: Schema.Array(ItemPlan),
  refunds: Schema.Array(RefundPlan),
  /** A further one, asked for so many milliseconds after the end of the channel's window. */
  late: Schema.NullOr(Schema.Struct({ by: Millis, refund: RefundPlan })),
  /** How long the gate waits before it asks about everything, after each refund. */
  asks_after: Natural,
})
export type AftermathPlan = typeof AftermathPlan.Type

/** A message of a payment's channel that says what never happened. */
export const ConfusionPlan = Schema.Struct({
  status: Schema.Literals(TRADE_STATUSES),
  /** Milliseconds after the payment was made. */
  after: Natural,
})
export type ConfusionPlan = typeof ConfusionPlan.Type

/** One payment's story, decided before it begins. */
export const PaymentPlan = Schema.Struct({
  number: Natural,
  /** Milliseconds after the payment before it. */
  after: Natural,
  flow: Schema.Literals(["request_payment", "one_time_pay"]),
  /** The name of one of the world's services. */
  service: Schema.String,
  buyer: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 3 })),
  by: Schema.Literals(["buyer", "seller"]),
  amount: Schema.Struct({ currency: Schema.String, value: Schema.Int }),
  channel: Schema.NullOr(Schema.String),
  keyed: Schema.Boolean,
  parallel: Several,
  /** Sends another body under the same Idempotency-Key afterwards. */
  reuses_key: Schema.Boolean,
  /** A One-Time payment that repeats its purchase under another key. */
  buys_again: Schema.Boolean,
  nosy_stranger: Schema.Boolean,
  payer: PayerPlan,
  payee: PayeePlan,
  aftermath: AftermathPlan,
  confusions: Schema.Array(ConfusionPlan),
})
export type PaymentPlan = typeof PaymentPlan.Type

/** A crash that is wanted: at the `nth` time that any process comes by the label. */
export const CrashPoint = Schema.Struct({
  label: Schema.String,
  nth: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1_000_000 })),
})
export type CrashPoint = typeof CrashPoint.Type

/** All that decides a run. Equal scripts give equal runs, on every machine. */
export const Script = Schema.Struct({
  seed: Schema.Int,
  /** The name of the scenario that it was drawn from. */
  scenario: Schema.String,
  /** When it begins, in milliseconds since 1970. */
  start: Schema.Int,
  /** How bad each fault is; what is not named does not happen. */
  faults: Schema.Record(Schema.String, Schema.Finite),
  incidents: Schema.Array(Incident),
  /** Where processes are to crash, beside where chance has them crash. */
  crashes: Schema.Array(CrashPoint),
  /** How many payments are drawn with the script's names; those left keep their numbers. */
  payments: Schema.Array(PaymentPlan),
  /** For how many months people stay subscribed; for one or two without it. */
  subscribed_months: Schema.optionalKey(Months),
  /** Without it, all parts are played that the world has. */
  parts: Schema.optionalKey(Schema.Array(Schema.String)),
})
export type Script = typeof Script.Type

/** A script's faults, in full. */
export const faultsOf = ({ faults }: Script): Faults =>
  Object.fromEntries(Object.keys(NO_FAULTS).map((name) => [name, faults[name] ?? 0])) as Readonly<
    Record<FaultName, number>
  >
