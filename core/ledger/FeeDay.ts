import { defineKind, ownDueAt } from "../commits/KindDeclaration.ts"
import { uuidOfHash } from "../shared/Id.ts"
import { DAY, MINUTE, type Timestamp, utcDay } from "../shared/Timestamp.ts"

/**
 * The fees of one merchant, UTC day and currency that leave the wallet. There is one record for
 * each: its id is derived from the three, so that every first fee of a day names the same record.
 */
export interface FeeDay {
  /** `fday_` and a UUIDv8. */
  readonly id: string
  readonly version: number
  readonly account_id: string
  /** `2026-01-31`. */
  readonly day: string
  readonly currency: string
  /** Minor units that have left the wallet for this day. */
  readonly taken: number
  readonly created_at: Timestamp
  /** When the fees leave the wallet; null once they have. */
  readonly due_at: Timestamp | null
}

/** The wait after midnight for commits decided before midnight and stored after it. */
const STRAGGLERS = MINUTE

/** Returns the fee day of a merchant, a currency and a time. */
export const feeDayOf = (
  account_id: string,
  currency: string,
  at: Timestamp,
  sha256: (text: string) => string,
): FeeDay => {
  const day = utcDay(at)
  return {
    id: `fday_${uuidOfHash(sha256(`fees:${account_id}:${day}:${currency}`))}`,
    version: 1,
    account_id,
    day,
    currency,
    taken: 0,
    created_at: at,
    due_at: (Math.floor(at / DAY) + 1) * DAY + STRAGGLERS,
  }
}

declare module "../commits/Records.ts" {
  interface DueRecords {
    readonly fee_day: FeeDay
  }
}

/** How fee days are kept. */
export const feeDayKind = defineKind("fee_day", {
  prefix: "fday",
  erased: true,
  dueAt: ownDueAt,
})
