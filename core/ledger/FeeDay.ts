import { defineKind, ownDueAt } from "../commits/KindDeclaration.ts"
import { uuidOfHash } from "../shared/Id.ts"
import { DAY, MINUTE, type Timestamp, utcDay } from "../shared/Timestamp.ts"

/**
 * The fees of one merchant, UTC day and currency, on their way out of the wallet. There is one for
 * each: its id is made of the three, so that whoever causes the first fee of a day names the same.
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

/** What was decided before midnight may be stored a moment after it: that is waited for. */
const STRAGGLERS = MINUTE

/** The fee day of a merchant and a currency that a moment belongs to. */
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
