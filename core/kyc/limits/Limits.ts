import { Schema } from "effect"
import { atLeast, type Catalog, KYC_LEVELS, type KycLevel } from "../../channels/Channel.ts"
import { Amount } from "../../shared/Wire.ts"
import type { Reservation } from "../../commits/Commit.ts"
import { Failure } from "../../shared/Failure.ts"
import type { Money } from "../../shared/Money.ts"
import { type Timestamp, utcDay } from "../../shared/Timestamp.ts"

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

/**
 * What a payment counts against its payer's daily limits (KYC level limits): US cents at the
 * mid-market rate of its creation, rounded up. `counters` name the day's sums that hold it.
 */
export interface Spending {
  readonly cents: number
  readonly counters: ReadonlyArray<string>
}

/** Who pays, as far as the limits are concerned. */
export interface Spender {
  /** The account that the agent belongs to, or the creator's when it belongs to none. */
  readonly account_id: string
  /** The id of the agent's record. */
  readonly agent: string
  readonly level: KycLevel
}

/** What the names of days' sums begin with; they end in the day. */
export const DAY_COUNTERS = "kyc_day:"

/** Whether the counter sums what was spent in a day. */
export const isDayCounter = (counter: string): boolean => counter.startsWith(DAY_COUNTERS)

/** The names of the sums that a payment of that time adds to. */
const countersOf = ({ account_id, agent, level }: Spender, at: Timestamp): Spending["counters"] => {
  const day = utcDay(at)
  const own = `${DAY_COUNTERS}${agent}:${day}`
  // The unverified agents of an account share one limit, or new names would be new limits.
  return level === "anonymous" ? [own, `${DAY_COUNTERS}${account_id}:${day}`] : [own]
}

/** What a payment of so many cents counts against. */
export const spendingOf = (spender: Spender, cents: number, at: Timestamp): Spending => ({
  cents,
  counters: countersOf(spender, at),
})

/** Takes a place within the day's limit; the commit is refused where there is none. */
export const reserve = (level: KycLevel, { cents, counters }: Spending) =>
  counters.map((counter): Reservation => ({
    counter,
    add: cents,
    limit: toCents(LIMITS[level].daily),
  }))

/** Gives the place back of a payment that ended unpaid. */
export const giveBack = ({ cents, counters }: Spending): ReadonlyArray<Reservation> =>
  counters.map((counter) => ({ counter, add: -cents, limit: 0 }))

/** What a payment was refused for. */
export interface Refusal {
  readonly level: KycLevel
  readonly amount: Money
  readonly base_url: string
  readonly required: KycLevel | null
}

const refusal = (
  { amount, base_url, level, required }: Refusal,
  message: string,
  details: object,
) =>
  new Failure({
    code: "INSUFFICIENT_KYC",
    message:
      required === null
        ? `${message} No level allows more.`
        : `${message} The payer needs the level ${required}: see upgrade_url.`,
    details: {
      current_kyc_level: level,
      current_txn_limit: { currency: "USD", value: LIMITS[level].per_transaction },
      requested_amount: amount,
      required_kyc_level: required,
      upgrade_url: `${base_url}/v1/kyc/verify`,
      ...details,
    },
  })

/** Refuses more than the level may pay at once; undefined when it may. */
export const overTransaction = (about: Omit<Refusal, "required">, cents: number) => {
  const limit = LIMITS[about.level].per_transaction
  if (cents <= toCents(limit)) return undefined
  return refusal(
    { ...about, required: levelFor(cents, 0) },
    `The payer is verified as ${about.level} and may pay ${limit} USD at a time.`,
    { limit: "per_transaction" },
  )
}

/** Refuses what would pass the day's limit, of which `spent` cents are taken. */
export const overDay = (about: Omit<Refusal, "required">, cents: number, spent: number) => {
  const limit = LIMITS[about.level].daily
  return refusal(
    { ...about, required: levelFor(cents, spent) },
    `The payer is verified as ${about.level} and may pay ${limit} USD in a UTC day.`,
    { limit: "daily", current_daily_limit: { currency: "USD", value: limit } },
  )
}

/** Refuses a channel that is open to higher levels only. */
export const channelTooHigh = (
  about: Omit<Refusal, "required">,
  channel: string,
  required: KycLevel,
) =>
  refusal(
    { ...about, required },
    `The payer is verified as ${about.level}; ${channel} asks more.`,
    {
      limit: "channel",
      channel,
    },
  )
