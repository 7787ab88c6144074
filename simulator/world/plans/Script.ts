import { Schema } from "effect"
import { type FaultName, type Faults, NO_FAULTS } from "../../faults/Faults.ts"
import { Incident, Months } from "../../scenarios/Scenario.ts"
import { PaymentPlan } from "./Plan.ts"

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
