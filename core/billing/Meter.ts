import type { Reservation } from "../commits/Commit.ts"
import type { Timestamp } from "../shared/Timestamp.ts"
import { type Month, monthOf } from "../shared/Month.ts"
import type { Operation } from "./Operation.ts"

/** Returns the counter of an account's operations in a month. `eraseAccountData` keeps it. */
export const usageCounter = (accountId: string, month: Month, operation: Operation): string =>
  `usage:${accountId}:${month}:${operation}`

/**
 * Returns the reservations that count a metered operation of the account (Per-API usage fees). Put
 * them into the commit of the operation's effect, so that failed operations and replays under an
 * Idempotency-Key are not counted. They never refuse the commit. `meterAnswer` counts an operation
 * without an effect.
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

/**
 * Returns the reservations that leave so many QR codes of a payment out of the bill of its account.
 * Put them into the commit that creates the payment: `countQrCodes` adds this counter to the codes
 * of the stored payments.
 */
export const unbilledCodes = (accountId: string, at: Timestamp, count: number) =>
  meter(accountId, "qr-generation", at, -count)
