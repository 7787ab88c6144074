import { Schema } from "effect"
import { KYC_LEVELS, type KycLevel } from "../channels/Channel.ts"
import { OPERATIONS } from "../billing/Operation.ts"
import { PLANS } from "../accounts/Account.ts"
import type { LevelLimits, LimitTable } from "../kyc/limits/Limits.ts"
import type { FeeKind } from "../pricing/Price.ts"

const between = (minimum: number, maximum: number) =>
  Schema.Int.check(Schema.isBetween({ minimum, maximum }))

/** Whole parts per ten thousand. */
const BasisPoints = between(0, 10_000)

/** Less than the whole, which would leave a rate of zero. */
const Spread = between(0, 9_999)

const Fee = Schema.Struct({
  service: BasisPoints,
  spread: Schema.Struct({ low: Spread, middle: Spread, high: Spread }),
})

/** Whole US dollars, small enough that sums of cents stay exact. */
const Dollars = between(0, 10_000_000_000)

const Limits = Schema.Struct({ per_transaction: Dollars, daily: Dollars })

/** US cents. */
const Cents = between(0, 1_000_000_000_000)

const Plan = Schema.Struct({
  price: Cents,
  volume_cap: Schema.NullOr(Cents),
  overage: BasisPoints,
  channels: between(1, 1_000),
  rate_limit: between(1, 10_000_000),
})

const Allowance = Schema.NullOr(between(0, 1_000_000_000))

const Usage = Schema.Struct({
  unit_price: between(0, 1_000_000_000),
  free: Schema.Struct({ starter: Allowance, pro: Allowance, enterprise: Allowance }),
})

const FEE_KINDS = [
  "one_time",
  "cumulative",
  "subscription",
  "stablecoin",
  "cross_border",
] as const satisfies ReadonlyArray<FeeKind>

/** A table with optional rows; a missing row keeps its default. */
const some = <const Names extends ReadonlyArray<string>, Row extends Schema.Top>(
  names: Names,
  row: Row,
) =>
  Schema.Struct(
    Object.fromEntries(names.map((name) => [name, Schema.optionalKey(row)])) as {
      readonly [N in Names[number]]: Schema.optionalKey<Row>
    },
  )

/** The tables of terms, with some of their rows. */
export const TERMS_INPUT = {
  fees: some(FEE_KINDS, Fee),
  limits: some(KYC_LEVELS, Limits),
  plans: some(PLANS, Plan),
  usage: some(OPERATIONS, Usage),
} as const

/** A flaw in the limits: the field, and what it must be. */
export interface LimitFlaw {
  readonly field: string
  readonly reason: string
}

const flawOfLevel = (
  level: KycLevel,
  { daily, per_transaction }: LevelLimits,
  below: LevelLimits | undefined,
): LimitFlaw | undefined => {
  if (daily < per_transaction) {
    return { field: `${level}.daily`, reason: "must not be less than per_transaction" }
  }
  const lower = (["per_transaction", "daily"] as const).find(
    (limit) => below !== undefined && { per_transaction, daily }[limit] < below[limit],
  )
  return lower === undefined
    ? undefined
    : { field: `${level}.${lower}`, reason: "must not be less than that of the level below" }
}

/**
 * Returns the first flaw of limits. A daily limit is at least the limit per payment, and a higher
 * level allows no less.
 */
export const flawOfLimits = (limits: LimitTable): LimitFlaw | undefined => {
  for (const [rank, level] of KYC_LEVELS.entries()) {
    const below = KYC_LEVELS[rank - 1]
    const flaw = flawOfLevel(level, limits[level], below && limits[below])
    if (flaw !== undefined) return flaw
  }
  return undefined
}
