import { Schema } from "effect"
import { DAY, type Timestamp, toIso, utcDay } from "../shared/Timestamp.ts"
import { Amount } from "../shared/Wire.ts"

/** The periods of spend caps, the shortest first: UTC days, weeks from Monday, and months. */
export const CAP_PERIODS = ["daily", "weekly", "monthly"] as const
/** One of {@link CAP_PERIODS}. */
export type CapPeriod = (typeof CAP_PERIODS)[number]

/** How much an agent may pay a service in a period (Installs). */
export const SpendCap = Schema.Struct({
  amount: Amount.annotateKey({ description: "The maximum per period." }),
  period: Schema.Literals(CAP_PERIODS).annotateKey({
    description: "The cap's period: a UTC day, a week from Monday, or a month.",
  }),
})
export type SpendCap = typeof SpendCap.Type

/** 1970 began on a Thursday. */
const DAYS_SINCE_MONDAY = 3

/** Returns the first day of the period that contains `at`, as `2026-01-31`. */
export const periodStart = (period: CapPeriod, at: Timestamp): string => {
  if (period === "daily") return utcDay(at)
  if (period === "monthly") return `${toIso(at).slice(0, 7)}-01`
  const day = Math.floor(at / DAY)
  return utcDay((day - ((day + DAYS_SINCE_MONDAY) % 7)) * DAY)
}

/** Tells whether one period of the first kind can be in two of the second: a week in two months. */
const spansTwo = (before: CapPeriod, after: CapPeriod): boolean =>
  before === "weekly" && after === "monthly"

/**
 * Tells whether the new cap can allow more than the old one in a period of the old one; null is no
 * cap. The same amount in a longer period allows no more, except where one old period can be in two
 * new ones. Another currency counts as more, since the two cannot be compared.
 */
export const raisesCap = (before: SpendCap | null, after: SpendCap | null): boolean => {
  if (before === null) return false
  if (after === null || after.amount.currency !== before.amount.currency) return true
  const shorter = CAP_PERIODS.indexOf(after.period) < CAP_PERIODS.indexOf(before.period)
  const times = spansTwo(before.period, after.period) ? 2 : 1
  return shorter || after.amount.value > before.amount.value / times
}
