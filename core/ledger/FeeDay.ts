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

/** A hash as an identifier: a UUIDv8 of its first 122 bits. */
const uuidOf = (hex: string): string => {
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 3) | 8).toString(16)
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join("-")
}

/** The fee day of a merchant and a currency that a moment belongs to. */
export const feeDayOf = (
  account_id: string,
  currency: string,
  at: Timestamp,
  sha256: (text: string) => string,
): FeeDay => {
  const day = utcDay(at)
  return {
    id: `fday_${uuidOf(sha256(`fees:${account_id}:${day}:${currency}`))}`,
    version: 1,
    account_id,
    day,
    currency,
    taken: 0,
    created_at: at,
    due_at: (Math.floor(at / DAY) + 1) * DAY + STRAGGLERS,
  }
}
