import { Schema } from "effect"
import type { Catalog } from "../../channels/Channel.ts"
import { atLeast, KYC_LEVELS, type KycLevel } from "../../shared/KycLevel.ts"
import { Amount } from "../../shared/Wire.ts"

/** What a level may pay, in whole US dollars: at a time, and in a UTC day. */
export interface LevelLimits {
  readonly per_transaction: number
  readonly daily: number
}

/** The limits of every level (KYC level limits). */
export const LIMITS: { readonly [L in KycLevel]: LevelLimits } = {
  anonymous: { per_transaction: 10, daily: 100 },
  basic: { per_transaction: 100, daily: 1_000 },
  enhanced: { per_transaction: 1_000, daily: 10_000 },
  business: { per_transaction: 10_000, daily: 100_000 },
}

/** Cents of a limit, which are what payments are counted in. */
export const toCents = (dollars: number): number => dollars * 100

/**
 * The lowest level that may pay `cents` at once after having spent `spentCents` that day; null when
 * none may.
 */
export const levelFor = (cents: number, spentCents: number): KycLevel | null =>
  KYC_LEVELS.find(
    (level) =>
      cents <= toCents(LIMITS[level].per_transaction) &&
      spentCents + cents <= toCents(LIMITS[level].daily),
  ) ?? null

const dollars = (value: number) => ({ currency: "USD", value })

/** The limits of a level as they are shown: Money in whole US dollars. */
export const LimitsView = Schema.Struct({ daily: Amount, per_transaction: Amount }).annotate({
  identifier: "KycLimits",
  description: "In whole US dollars: 100 is 100 USD.",
  examples: [{ daily: dollars(1_000), per_transaction: dollars(100) }],
})

/** See {@link LimitsView}. */
export const limitsView = (level: KycLevel): typeof LimitsView.Type => ({
  daily: dollars(LIMITS[level].daily),
  per_transaction: dollars(LIMITS[level].per_transaction),
})

/** The channels that are open to a level. */
export const channelsOf = (catalog: Catalog, level: KycLevel): ReadonlyArray<string> =>
  catalog.filter(({ kyc_level }) => atLeast(level, kyc_level)).map(({ id }) => id)
