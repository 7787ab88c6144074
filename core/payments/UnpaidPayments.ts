import type { Plan } from "../accounts/Account.ts"
import type { ConflictReason, Reservation } from "../commits/Commit.ts"
import { leavesAt, type PaymentIntent } from "./PaymentIntent.ts"

/**
 * How many payments that nobody has begun to make are kept of an account of a plan (Monthly plans):
 * of more, the oldest leave before their time.
 */
export const MOST_UNPAID: { readonly [P in Plan]: number } = {
  starter: 100_000,
  pro: 1_000_000,
  enterprise: 10_000_000,
}

/** What the name of their counter begins with; it ends in the account. */
export const UNPAID_COUNTERS = "unpaid:"

/** The counter of an account's payments that are to leave. */
export const unpaidCounter = (accountId: string): string => `${UNPAID_COUNTERS}${accountId}`

const count = (accountId: string, add: number, limit: number): ReadonlyArray<Reservation> =>
  add === 0 ? [] : [{ counter: unpaidCounter(accountId), add, limit }]

const unpaid = (intent: PaymentIntent | undefined): number =>
  intent === undefined || leavesAt(intent) === null ? 0 : 1

/**
 * Counts a payment from when it is to leave until it is gone, or until money comes for it. A commit
 * that would count more than `most` is refused.
 */
export const countUnpaid = (
  before: PaymentIntent,
  after: PaymentIntent | undefined,
  most: number = Number.MAX_SAFE_INTEGER,
): ReadonlyArray<Reservation> => count(before.account_id, unpaid(after) - unpaid(before), most)

/** How many the account has, where a commit was refused since there are as many as it may have. */
export const countOfFull = (accountId: string, reason: ConflictReason): number | undefined =>
  reason.type === "limit_reached" && reason.counter === unpaidCounter(accountId)
    ? reason.value
    : undefined
