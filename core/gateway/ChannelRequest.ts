import { DAY, HOUR, MINUTE, SECOND, type Timestamp } from "../shared/Timestamp.ts"
import type { Money } from "../shared/Money.ts"

/** What a channel is asked to do with money or a charge; a debit charges through a mandate. */
export type ChannelAction = "capture" | "release" | "close" | "refund" | "debit"

/**
 * A call to a channel, written down under its own number before it is made. A broken call is
 * repeated or asked after under the same number, so that its effect happens once.
 */
export interface ChannelRequest {
  /** `creq_` and a UUIDv7: the request number that the channel knows the call by. */
  readonly id: string
  readonly version: number
  readonly payment_intent: string
  readonly account_id: string
  readonly channel: string
  readonly action: ChannelAction
  readonly charge_id: string
  readonly trade_no: string | null
  readonly amount: Money
  /** The refund that it carries out; null for whatever else, late money that goes back too. */
  readonly refund: string | null
  /** The mandate that allows a debit; null for everything else. */
  readonly mandate: string | null
  readonly status: "outstanding" | "unknown" | "done" | "refused"
  /** How often the channel was called or asked. */
  readonly attempts: number
  readonly failure: string | null
  readonly created_at: Timestamp
  /** When a worker looks at it next; null once it is done or refused. */
  readonly due_at: Timestamp | null
}

const RETURN = "return:"

/**
 * The name of giving the money of a trade back, which one request holds: that a hold cannot be
 * released and that it was taken are found out apart, in either order.
 */
export const returnKey = ({
  channel,
  charge_id,
  trade_no,
}: Pick<ChannelRequest, "channel" | "charge_id" | "trade_no">): string =>
  `${RETURN}${channel}:${trade_no ?? charge_id}`

/** Whether a name is one of {@link returnKey}. */
export const isReturnKey = (key: string): boolean => key.startsWith(RETURN)

/** How long a caller's own attempt may run before a worker takes the request over. */
export const TAKEOVER_AFTER = 10 * SECOND

/** After this long, a channel that has never heard of a request number never will. */
export const NOT_FOUND_GRACE = MINUTE

const ASK_AFTER = [SECOND, 5 * SECOND, 30 * SECOND, 5 * MINUTE, 30 * MINUTE, HOUR, 6 * HOUR, DAY]

/** How long to wait after the given number of attempts before the channel is asked again. */
export const askAgainAfter = (attempts: number): number =>
  ASK_AFTER[Math.min(Math.max(attempts, 1), ASK_AFTER.length) - 1] ?? DAY

/**
 * The same after no answer at all, never more than an hour: whoever waits for the outcome waits
 * that much longer than the channel was away.
 */
export const afterSilence = (attempts: number): number => Math.min(askAgainAfter(attempts), HOUR)

declare module "../commits/Records.ts" {
  interface DueRecords {
    readonly channel_request: ChannelRequest
  }
}
