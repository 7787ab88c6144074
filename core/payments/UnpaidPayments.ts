import type { Plan } from "../accounts/Account.ts"
import type { ConflictReason, Reservation } from "../commits/Commit.ts"
import { leavesAt, type PaymentIntent } from "./PaymentIntent.ts"

/**
 * The number of unpaid payments, never begun by their payers, that an account keeps by its plan
 * (Monthly plans). Above it, the oldest are removed early.
 */
export const MOST_UNPAID: { readonly [P in Plan]: number } = {
  starter: 100_000,
  pro: 1_000_000,
  enterprise: 10_000_000,
}

/** The prefix of the names of their counters. The account's id follows. */
export const UNPAID_COUNTERS = "unpaid:"

/** Returns the counter of an account's payments that will be removed. */
export const unpaidCounter = (accountId: string): string => `${UNPAID_COUNTERS}${accountId}`

const count = (accountId: string, add: number, limit: number): ReadonlyArray<Reservation> =>
  add === 0 ? [] : [{ counter: unpaidCounter(accountId), add, limit }]

const unpaid = (intent: PaymentIntent | undefined): number =>
  intent === undefined || leavesAt(intent) === null ? 0 : 1

/**
 * Counts a payment from when its removal is scheduled until its removal, or until money comes for
 * it. A commit that would count more than `most` is refused.
 */
export const countUnpaid = (
  before: PaymentIntent,
  after: PaymentIntent | undefined,
  most: number = Number.MAX_SAFE_INTEGER,
): ReadonlyArray<Reservation> => count(before.account_id, unpaid(after) - unpaid(before), most)

/** Returns the account's count if a commit was refused because the count is at its limit. */
export const countOfFull = (accountId: string, reason: ConflictReason): number | undefined =>
  reason.type === "limit_reached" && reason.counter === unpaidCounter(accountId)
    ? reason.value
    : undefined
