import { Schema } from "effect"
import { atLeast, type Catalog, KYC_LEVELS, type KycLevel } from "../../channels/Channel.ts"
import type { Reservation } from "../../commits/Commit.ts"
import { Failure } from "../../shared/Failure.ts"
import type { Currency } from "../../shared/Currency.ts"
import { grouped, type Money, written } from "../../shared/Money.ts"
import { DOLLAR } from "../../shared/Rate.ts"
import { type Timestamp, utcDay } from "../../shared/Timestamp.ts"

/** The limits of a level, in whole US dollars: per payment, and per UTC day. */
export interface LevelLimits {
  readonly per_transaction: number
  readonly daily: number
}

/** The limits of every level; a higher level allows no less. */
export type LimitTable = { readonly [L in KycLevel]: LevelLimits }

/** The default limits (KYC level limits). */
export const LIMITS: LimitTable = {
  anonymous: { per_transaction: 10, daily: 100 },
  basic: { per_transaction: 100, daily: 1_000 },
  enhanced: { per_transaction: 1_000, daily: 10_000 },
  business: { per_transaction: 10_000, daily: 100_000 },
}

/** Converts a limit to cents, the unit in which payments are counted. */
export const toCents = (dollars: number): number => dollars * 100

/** Returns the most that a level may pay at once on a day without other payments, in cents. */
export const mostAtOnce = (limits: LimitTable, level: KycLevel): number =>
  toCents(Math.min(limits[level].per_transaction, limits[level].daily))

/**
 * Returns the lowest level above `present` that may pay `cents` at once after having spent
 * `spentCents` that day; null when none may. Whoever is refused is never sent to a level that it
 * has: rates may have changed since, and an operator's table may give a lower level more.
 */
export const levelAbove = (
  limits: LimitTable,
  present: KycLevel,
  cents: number,
  spentCents: number,
): KycLevel | null =>
  KYC_LEVELS.find(
    (level) =>
      !atLeast(present, level) &&
      cents <= toCents(limits[level].per_transaction) &&
      spentCents + cents <= toCents(limits[level].daily),
  ) ?? null

/**
 * A limit as the API shows it (Money, KYC `limits`). It has a schema of its own, since its value is
 * in whole dollars and not in minor units.
 */
const WholeDollars = Schema.Struct({
  currency: Schema.Literal("USD").annotateKey({ description: "Always `USD`." }),
  value: Schema.Int.annotate({
    description: "Whole US dollars: 100 is 100 USD. Amounts elsewhere are in minor units.",
  }),
}).annotate({
  identifier: "WholeUsd",
  description: "A limit in whole US dollars. Money, by contrast, has values in minor units.",
  examples: [{ currency: "USD", value: 100 }],
})

/** Shows an amount of whole US dollars. */
export const wholeDollars = (value: number): typeof WholeDollars.Type => ({
  currency: "USD",
  value,
})

/** The limits of a level as the API shows them: Money in whole US dollars. */
export const LimitsView = Schema.Struct({
  daily: WholeDollars.annotateKey({ description: "The maximum per UTC day." }),
  per_transaction: WholeDollars.annotateKey({ description: "The maximum per payment." }),
}).annotate({
  identifier: "KycLimits",
  description: "A level's limits in whole US dollars: 100 is 100 USD.",
  examples: [{ daily: wholeDollars(1_000), per_transaction: wholeDollars(100) }],
})

/** See {@link LimitsView}. */
export const limitsView = (limits: LimitTable, level: KycLevel): typeof LimitsView.Type => ({
  daily: wholeDollars(limits[level].daily),
  per_transaction: wholeDollars(limits[level].per_transaction),
})

/** The configuration that determines the limits and the channels of a level. */
export interface Installed {
  readonly catalog: Catalog
  readonly terms: { readonly limits: LimitTable }
}

/** Returns the ids of the channels that a level may use. */
export const channelsOf = (catalog: Catalog, level: KycLevel): ReadonlyArray<string> =>
  catalog.filter(({ kyc_level }) => atLeast(level, kyc_level)).map(({ id }) => id)

/**
 * What a payment counts against its payer's daily limits (KYC level limits): US cents at the
 * mid-market rate of its creation, rounded up. `counters` name the sums of the day that include it.
 */
export interface Spending {
  readonly cents: number
  readonly counters: ReadonlyArray<string>
}

/** The party whose limits a payment counts against. */
export interface Spender {
  /** The payer; or the payee, for a payment whose payer the service does not know. */
  readonly party: "payer" | "payee"
  /** The account that the agent belongs to. */
  readonly account_id: string
  /** The id of the agent's record. */
  readonly agent: string
  readonly level: KycLevel
  /**
   * Keyed hashes of the persons whom the agent acts for: limits apply per person, not per agent.
   */
  readonly persons: ReadonlyArray<string>
}

/** Prefix of the names of daily sums. The names end in the day. */
export const DAY_COUNTERS = "kyc_day:"

/** Tells whether the counter sums what was spent in a day. */
export const isDayCounter = (counter: string): boolean => counter.startsWith(DAY_COUNTERS)

/** Returns the names of the sums that a payment at `at` adds to. */
const countersOf = (
  { account_id, agent, level, party, persons }: Spender,
  at: Timestamp,
): Spending["counters"] => {
  const day = utcDay(at)
  const sum = (whose: string) => `${DAY_COUNTERS}${whose}:${day}`
  // All unknown payers of a payee share its sums, whatever names were given for them.
  if (party === "payee")
    return [`payee:${account_id}`, ...persons.map((p) => `payee:${p}`)].map(sum)
  const own = [agent, ...persons.map((person) => `person:${person}`)]
  // Unverified agents of an account share one limit; otherwise a new name would get a new limit.
  return (level === "anonymous" ? [...own, account_id] : own).map(sum)
}

/** Returns what a payment of `cents` counts, and the sums that it adds to. */
export const spendingOf = (spender: Spender, cents: number, at: Timestamp): Spending => ({
  cents,
  counters: countersOf(spender, at),
})

/**
 * Reserves the payment within the daily limit. The commit is refused where the limit is reached.
 */
export const reserve = (limits: LimitTable, level: KycLevel, { cents, counters }: Spending) =>
  counters.map((counter): Reservation => ({
    counter,
    add: cents,
    limit: toCents(limits[level].daily),
  }))

/** Releases the reservation of a payment that ended unpaid. */
export const giveBack = ({ cents, counters }: Spending): ReadonlyArray<Reservation> =>
  counters.map((counter) => ({ counter, add: -cents, limit: 0 }))

/** The facts for a refusal because of a limit. */
export interface Refusal {
  readonly spender: Pick<Spender, "party" | "level">
  /** Whether the asker may see the level and its limits; only the account that owns them may. */
  readonly told: boolean
  readonly amount: Money
  /** The currency of the amount. */
  readonly currency: Currency
  readonly base_url: string
  /** The limits in force. */
  readonly limits: LimitTable
}

/** What a level allows, as text that follows the requested amount. */
interface Allowed {
  readonly words: string
  readonly required: KycLevel | null
  readonly details: { readonly limit: "per_transaction" | "daily" | "channel" }
  /** Details that only the owner of the limits is shown. */
  readonly own?: object
}

const refusal = (
  { amount, base_url, currency, limits, spender, told }: Refusal,
  { details, own, required, words }: Allowed,
) => {
  const { level, party } = spender
  const asked = `${written(amount, currency)} were requested`
  if (!told) {
    return new Failure({
      code: "INSUFFICIENT_KYC",
      message: `The payment exceeds the limits of the ${party}: ${asked}.`,
      details: { party, requested_amount: amount, ...details },
    })
  }
  const way =
    required === null
      ? "No level allows more."
      : `The ${party} needs the level ${required}: see upgrade_url.`
  return new Failure({
    code: "INSUFFICIENT_KYC",
    message: `The ${party} is verified as ${level}: ${words}, ${asked}. ${way}`,
    details: {
      party,
      current_kyc_level: level,
      current_txn_limit: wholeDollars(limits[level].per_transaction),
      requested_amount: amount,
      required_kyc_level: required,
      upgrade_url: `${base_url}/v1/kyc/verify`,
      ...details,
      ...own,
    },
  })
}

const inDollars = (cents: number) => written({ currency: "USD", value: cents }, DOLLAR.currency)

/** Refuses more than the level may pay at once; returns undefined when it may. */
export const overTransaction = (about: Refusal, cents: number) => {
  const limit = about.limits[about.spender.level].per_transaction
  if (cents <= toCents(limit)) return undefined
  return refusal(about, {
    words: `${grouped(limit)} USD are allowed per payment`,
    required: levelAbove(about.limits, about.spender.level, cents, 0),
    details: { limit: "per_transaction" },
  })
}

/** Makes the refusal of a payment over the daily limit, of which `spent` cents are used. */
export const overDay = (about: Refusal, cents: number, spent: number) => {
  const limit = about.limits[about.spender.level].daily
  return refusal(about, {
    words: `${grouped(limit)} USD are allowed per UTC day and ${inDollars(spent)} are used`,
    required: levelAbove(about.limits, about.spender.level, cents, spent),
    details: { limit: "daily" },
    own: { current_daily_limit: wholeDollars(limit) },
  })
}

/** Makes the refusal of a channel that requires a higher level. */
export const channelTooHigh = (about: Refusal, channel: string, required: KycLevel) =>
  refusal(about, {
    words: `${channel} requires a higher level`,
    required,
    details: { limit: "channel" },
    own: { channel },
  })
