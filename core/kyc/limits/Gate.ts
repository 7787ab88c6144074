import type { Reservation } from "../../commits/Commit.ts"
import { Failure } from "../../shared/Failure.ts"
import type { Money } from "../../shared/Money.ts"
import { type Timestamp, utcDay } from "../../shared/Timestamp.ts"
import type { KycLevel } from "../../shared/KycLevel.ts"
import { levelFor, LIMITS, toCents } from "./Level.ts"

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
