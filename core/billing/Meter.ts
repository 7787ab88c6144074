import type { Reservation } from "../commits/Commit.ts"
import type { Timestamp } from "../shared/Timestamp.ts"
import { type Month, monthOf } from "../shared/Month.ts"
import type { Operation } from "./Operation.ts"

/** The counter of an account's use of an operation in a month. It outlives `eraseAccountData`. */
export const usageCounter = (accountId: string, month: Month, operation: Operation): string =>
  `usage:${accountId}:${month}:${operation}`

/**
 * The part of a commit that counts a metered operation of the account (Per-API usage fees): put it
 * among the `reservations` of the commit that stores the operation's effect, so that what failed
 * and what was answered before under the same Idempotency-Key is not counted. It never stands in
 * the way of the commit. An operation without an effect is counted by `meterAnswer`.
 */
export const meter = (
  accountId: string,
  operation: Operation,
  at: Timestamp,
  count: number = 1,
): ReadonlyArray<Reservation> =>
  count === 0
    ? []
    : [
        {
          counter: usageCounter(accountId, monthOf(at), operation),
          add: count,
          limit: Number.MAX_SAFE_INTEGER,
        },
      ]
