import { Schema } from "effect"
import { TRADE_STATUSES } from "../../../core/gateway/ChannelCallback.ts"
import { type FaultName, type Faults, NO_FAULTS } from "../../faults/Faults.ts"
import { PAYEE_ACTS, PAYER_ACTS } from "../../scenarios/Play.ts"
import { otherName } from "../../scenarios/decodeStrictly.ts"
import { flawOfLoad, LONGEST_LOAD, LONGEST_WAIT, Name, Start } from "../../scenarios/limits.ts"
import { Incident, Months } from "../../scenarios/Scenario.ts"
import { SERVICES } from "../people/Population.ts"

const upTo = (maximum: number, minimum = 0) =>
  Schema.Int.check(Schema.isBetween({ minimum, maximum }))

/** A time before or after another, and a time after another, both in milliseconds. */
const Millis = upTo(LONGEST_WAIT, -LONGEST_WAIT)
const Wait = upTo(LONGEST_WAIT)

/** The greatest amount, in minor units; a share may be that of the least amount. */
const MOST = 1_000_000_000_000
const Share = Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: MOST + 1 }))

const Several = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 50 }))

/** A payer's actions on the charges that it sees. */
export const PayerPlan = Schema.Struct({
  act: Schema.Literals(PAYER_ACTS),
  /** Milliseconds until the wallet opens the charge, and from then until the payer decides. */
  scans_after: Wait,
  decides_after: Wait,
  /** If set, the payer decides at this distance from `expires_at` instead. */
  around_expiry: Schema.NullOr(Millis),
  /** The action on each further offered charge; null for none. */
  others: Schema.NullOr(Schema.Literals(PAYER_ACTS)),
})
export type PayerPlan = typeof PayerPlan.Type

/** A payee's actions on a payment. */
export const PayeePlan = Schema.Struct({
  act: Schema.Literals(PAYEE_ACTS),
  after: Wait,
  around_expiry: Schema.NullOr(Millis),
  /** How many requests are sent at once, and how often all of this is repeated. */
  parallel: Several,
  again: upTo(50),
  keyed: Schema.Boolean,
  /** The captured share of the amount, if it is not all. */
  part: Schema.optionalKey(Share),
  /** Additional requests, for any outcome, so many milliseconds after the payment's beginning. */
  probes: Schema.Array(
    Schema.Struct({ action: Schema.Literals(["capture", "void", "cancel"]), after: Wait }),
  ),
})
export type PayeePlan = typeof PayeePlan.Type

/** An item that a seller registers as bought. */
const ItemPlan = Schema.Struct({
  type: Schema.Literals(["access_token", "session", "license_key"]),
  name: Name,
})

/** An access that a payment bought, as the seller knows it, and the scope that a refund revokes. */
export const AccessPlan = Schema.Struct({
  ...ItemPlan.fields,
  scope: Schema.NullOr(Name),
})
export type AccessPlan = typeof AccessPlan.Type

/** One refund of a payment. */
export const RefundPlan = Schema.Struct({
  /** Milliseconds after the previous refund. */
  after: Wait,
  /** The share of the payment; null for everything that is left. */
  share: Schema.NullOr(Share),
  parallel: Several,
  keyed: Schema.Boolean,
  /** What is revoked: by the service's policy, nothing, or these accesses. */
  revokes: Schema.Union([Schema.Literals(["by_policy", "nothing"]), Schema.Array(AccessPlan)]),
})
export type RefundPlan = typeof RefundPlan.Type

/** What happens after a payment was made. */
export const AftermathPlan = Schema.Struct({
  items: Schema.Array(ItemPlan),
  refunds: Schema.Array(RefundPlan),
  /** Another refund, requested so many milliseconds after the end of the channel's window. */
  late: Schema.NullOr(Schema.Struct({ by: Millis, refund: RefundPlan })),
  /** How long the gate waits before it asks about everything, after each refund. */
  asks_after: Wait,
})
export type AftermathPlan = typeof AftermathPlan.Type

/** A message of a payment's channel about something that never happened. */
export const ConfusionPlan = Schema.Struct({
  status: Schema.Literals(TRADE_STATUSES),
  /** Milliseconds after the payment was made. */
  after: Wait,
})
export type ConfusionPlan = typeof ConfusionPlan.Type

const NAMES = SERVICES.map(({ name }) => name)
const Service = Name.check(
  Schema.makeFilter((name) =>
    NAMES.includes(name) ? undefined : `is no service of the world. ${otherName(name, NAMES)}`,
  ),
)

/** The plan of one payment, drawn before it begins. */
export const PaymentPlan = Schema.Struct({
  number: upTo(1_000_000),
  /** Milliseconds after the previous payment. */
  after: Wait,
  flow: Schema.Literals(["request_payment", "one_time_pay"]),
  /** The name of one of the world's services. */
  service: Service,
  buyer: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 3 })),
  by: Schema.Literals(["buyer", "seller"]),
  amount: Schema.Struct({ currency: Name, value: upTo(MOST, 1) }),
  channel: Schema.NullOr(Name),
  keyed: Schema.Boolean,
  parallel: Several,
  /** Whether it later sends another body under the same Idempotency-Key. */
  reuses_key: Schema.Boolean,
  /** Whether a One-Time payment repeats its purchase under another key. */
  buys_again: Schema.Boolean,
  nosy_stranger: Schema.Boolean,
  payer: PayerPlan,
  payee: PayeePlan,
  aftermath: AftermathPlan,
  confusions: Schema.Array(ConfusionPlan),
})
export type PaymentPlan = typeof PaymentPlan.Type

/** A crash at the `nth` time that any process reaches the label. */
export const CrashPoint = Schema.Struct({
  label: Name,
  nth: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1_000_000 })),
})
export type CrashPoint = typeof CrashPoint.Type

/** The value of a fault, in its unit. */
const Fault = Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: LONGEST_WAIT }))

const Payments = Schema.Array(PaymentPlan).check(
  Schema.makeFilter((all) => {
    const milliseconds = all.reduce((sum, { after }) => sum + after, 0)
    return flawOfLoad(all.length, milliseconds, LONGEST_LOAD.drawn)
  }),
)

/** Everything that decides a run. Equal scripts give equal runs, on every machine. */
export const Script = Schema.Struct({
  seed: Schema.Int,
  /** The name of its scenario. */
  scenario: Name,
  /** The beginning, in milliseconds since 1970. */
  start: Start,
  /** The value of each fault; faults that are not named do not happen. */
  faults: Schema.Record(Name, Fault),
  incidents: Schema.Array(Incident),
  /** Where processes crash, in addition to random crashes. */
  crashes: Schema.Array(CrashPoint),
  /** The drawn payments; if some are removed, the others keep their numbers. */
  payments: Payments,
  /** For how many months people stay subscribed; one or two by default. */
  subscribed_months: Schema.optionalKey(Months),
  /** The parts to play; all of the world's parts by default. */
  parts: Schema.optionalKey(Schema.Array(Name)),
})
export type Script = typeof Script.Type

/** Returns a script's faults, with all names. */
export const faultsOf = ({ faults }: Script): Faults =>
  Object.fromEntries(Object.keys(NO_FAULTS).map((name) => [name, faults[name] ?? 0])) as Readonly<
    Record<FaultName, number>
  >
