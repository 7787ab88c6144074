import { Schema } from "effect"
import { atLeast, type Catalog, KYC_LEVELS, type KycLevel } from "../../channels/Channel.ts"
import type { Reservation } from "../../commits/Commit.ts"
import { Failure } from "../../shared/Failure.ts"
import type { Currency } from "../../shared/Currency.ts"
import { grouped, type Money, written } from "../../shared/Money.ts"
import { DOLLAR } from "../../shared/Rate.ts"
import { type Timestamp, utcDay } from "../../shared/Timestamp.ts"

/** What a level may pay, in whole US dollars: at a time, and in a UTC day. */
export interface LevelLimits {
  readonly per_transaction: number
  readonly daily: number
}

/** The limits of every level; a higher one allows no less. */
export type LimitTable = { readonly [L in KycLevel]: LevelLimits }

/** The usual limits (KYC level limits). */
export const LIMITS: LimitTable = {
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
export const levelFor = (limits: LimitTable, cents: number, spentCents: number): KycLevel | null =>
  KYC_LEVELS.find(
    (level) =>
      cents <= toCents(limits[level].per_transaction) &&
      spentCents + cents <= toCents(limits[level].daily),
  ) ?? null

/**
 * A limit as it is shown (Money, KYC `limits`). It looks like an amount and is none: its value is
 * in whole dollars, so that it has a schema of its own.
 */
const WholeDollars = Schema.Struct({
  currency: Schema.Literal("USD").annotateKey({ description: "Always `USD`." }),
  value: Schema.Int.annotate({
    description: "Whole US dollars: 100 is 100 USD. Amounts elsewhere are in minor units.",
  }),
}).annotate({
  identifier: "WholeUsd",
  description: "A limit in whole US dollars. It is no Money, whose values are in minor units.",
  examples: [{ currency: "USD", value: 100 }],
})

/** So many dollars as they are shown. */
export const wholeDollars = (value: number): typeof WholeDollars.Type => ({
  currency: "USD",
  value,
})

/** The limits of a level as they are shown: Money in whole US dollars. */
export const LimitsView = Schema.Struct({
  daily: WholeDollars.annotateKey({ description: "The most in a UTC day." }),
  per_transaction: WholeDollars.annotateKey({ description: "The most at a time." }),
}).annotate({
  identifier: "KycLimits",
  description: "In whole US dollars: 100 is 100 USD.",
  examples: [{ daily: wholeDollars(1_000), per_transaction: wholeDollars(100) }],
})

/** See {@link LimitsView}. */
export const limitsView = (limits: LimitTable, level: KycLevel): typeof LimitsView.Type => ({
  daily: wholeDollars(limits[level].daily),
  per_transaction: wholeDollars(limits[level].per_transaction),
})

/** What tells the limits and the channels of a level. */
export interface Installed {
  readonly catalog: Catalog
  readonly terms: { readonly limits: LimitTable }
}

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

/** Whose limits a payment takes. */
export interface Spender {
  /** The payer, or the payee of a payment whose payer is nobody that the service knows. */
  readonly party: "payer" | "payee"
  /** The account that the agent belongs to. */
  readonly account_id: string
  /** The id of the agent's record. */
  readonly agent: string
  readonly level: KycLevel
  /** Keyed hashes that tell who the agent acts for: limits are a person's, not an agent's. */
  readonly persons: ReadonlyArray<string>
}

/** What the names of days' sums begin with; they end in the day. */
export const DAY_COUNTERS = "kyc_day:"

/** Whether the counter sums what was spent in a day. */
export const isDayCounter = (counter: string): boolean => counter.startsWith(DAY_COUNTERS)

/** The names of the sums that a payment of that time adds to. */
const countersOf = (
  { account_id, agent, level, party, persons }: Spender,
  at: Timestamp,
): Spending["counters"] => {
  const day = utcDay(at)
  const sum = (whose: string) => `${DAY_COUNTERS}${whose}:${day}`
  // All that a payee is paid by nobody in particular, whatever names were given for the payers.
  if (party === "payee")
    return [`payee:${account_id}`, ...persons.map((p) => `payee:${p}`)].map(sum)
  const own = [agent, ...persons.map((person) => `person:${person}`)]
  // The unverified agents of an account share one limit, or new names would be new limits.
  return (level === "anonymous" ? [...own, account_id] : own).map(sum)
}

/** What a payment of so many cents counts against. */
export const spendingOf = (spender: Spender, cents: number, at: Timestamp): Spending => ({
  cents,
  counters: countersOf(spender, at),
})

/** Takes a place within the day's limit; the commit is refused where there is none. */
export const reserve = (limits: LimitTable, level: KycLevel, { cents, counters }: Spending) =>
  counters.map((counter): Reservation => ({
    counter,
    add: cents,
    limit: toCents(limits[level].daily),
  }))

/** Gives the place back of a payment that ended unpaid. */
export const giveBack = ({ cents, counters }: Spending): ReadonlyArray<Reservation> =>
  counters.map((counter) => ({ counter, add: -cents, limit: 0 }))

/** What a payment was refused for. */
export interface Refusal {
  readonly spender: Pick<Spender, "party" | "level">
  /** Whether who asks may hear of the level and its limits: they are nobody else's business. */
  readonly told: boolean
  readonly amount: Money
  /** The currency of the amount. */
  readonly currency: Currency
  readonly base_url: string
  /** The limits in force. */
  readonly limits: LimitTable
}

/** What a level allows, in words beside the amount that was asked for. */
interface Allowed {
  readonly words: string
  readonly required: KycLevel | null
  readonly details: { readonly limit: "per_transaction" | "daily" | "channel" }
  /** What only they are told whose limits these are. */
  readonly own?: object
}

const refusal = (
  { amount, base_url, currency, limits, spender, told }: Refusal,
  { details, own, required, words }: Allowed,
) => {
  const { level, party } = spender
  const asked = `${written(amount, currency)} were asked for`
  if (!told) {
    return new Failure({
      code: "INSUFFICIENT_KYC",
      message: `The limits of the ${party} have no room for the payment: ${asked}.`,
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

/** Refuses more than the level may pay at once; undefined when it may. */
export const overTransaction = (about: Refusal, cents: number) => {
  const limit = about.limits[about.spender.level].per_transaction
  if (cents <= toCents(limit)) return undefined
  return refusal(about, {
    words: `${grouped(limit)} USD are allowed at a time`,
    required: levelFor(about.limits, cents, 0),
    details: { limit: "per_transaction" },
  })
}

/** Refuses what would pass the day's limit, of which `spent` cents are taken. */
export const overDay = (about: Refusal, cents: number, spent: number) => {
  const limit = about.limits[about.spender.level].daily
  return refusal(about, {
    words: `${grouped(limit)} USD are allowed in a UTC day and ${inDollars(spent)} are taken`,
    required: levelFor(about.limits, cents, spent),
    details: { limit: "daily" },
    own: { current_daily_limit: wholeDollars(limit) },
  })
}

/** Refuses a channel that is open to higher levels only. */
export const channelTooHigh = (about: Refusal, channel: string, required: KycLevel) =>
  refusal(about, {
    words: `${channel} asks for more`,
    required,
    details: { limit: "channel" },
    own: { channel },
  })
