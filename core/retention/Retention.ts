import { Context } from "effect"
import type { Channel } from "../channels/Channel.ts"
import type { ChannelRequest } from "../gateway/ChannelRequest.ts"
import { isReturn } from "../gateway/ReturnHold.ts"
import { KEPT_FOR, MOST_KEPT_FOR } from "../idempotency/Reply.ts"
import { hasEnded, KEPT_UNPAID, type PaymentIntent } from "../payments/PaymentIntent.ts"
import { refundableUntil } from "../refunds/RefundRules.ts"
import { DAY, type Timestamp } from "../shared/Timestamp.ts"
import { type Delivery, isOpen } from "../webhooks/deliveries/Delivery.ts"
import type { Event } from "../webhooks/events/Event.ts"

/**
 * The data that grows with every payment and is removed. Postings and the audit log are kept
 * forever.
 */
export type Kept = "event" | "delivery" | "channel_request" | "callback" | "reply" | "unpaid"

/**
 * How long each kind is kept, in milliseconds: from its creation, and an unpaid payment from its
 * end. A reply has its own expiry (`ReplyRetention`).
 */
export type Retention = { readonly [K in Kept]: number }

/** The bounds of an operator's setting in days, and its default. */
interface Bounds {
  readonly least: number
  readonly usual: number
  readonly most: number
}

/**
 * Deliveries are attempted for almost five days, and replayed by hand once their endpoint works
 * again. A reply is kept for the promised day, or longer. Reconciliation searches requests of the
 * last 31 days for up to ten more. Unpaid payments become due 30 days after their end, so that a
 * setting can only shorten that.
 */
export const BOUNDS: { readonly [K in Kept]: Bounds } = {
  event: { least: 7, usual: 90, most: 3_650 },
  delivery: { least: 7, usual: 30, most: 3_650 },
  channel_request: { least: 45, usual: 400, most: 3_650 },
  callback: { least: 7, usual: 90, most: 3_650 },
  reply: { least: KEPT_FOR / DAY, usual: KEPT_FOR / DAY, most: MOST_KEPT_FOR / DAY },
  unpaid: { least: 7, usual: 30, most: KEPT_UNPAID / DAY },
}

/** How long each kind of data is kept. */
export const CurrentRetention = Context.Reference<Retention>(
  "payport/core/retention/CurrentRetention",
  {
    defaultValue: () => ({
      event: BOUNDS.event.usual * DAY,
      delivery: BOUNDS.delivery.usual * DAY,
      channel_request: BOUNDS.channel_request.usual * DAY,
      callback: BOUNDS.callback.usual * DAY,
      reply: BOUNDS.reply.usual * DAY,
      unpaid: BOUNDS.unpaid.usual * DAY,
    }),
  },
)

/** Tells whether an old delivery may be removed: no further attempt will be made. */
export const deliveryMayLeave = (delivery: Delivery): boolean => !isOpen(delivery)

/**
 * Tells whether an old event may be removed: its deliveries were made, and none is left that could
 * be attempted or replayed.
 */
export const eventMayLeave = (
  { due_at }: Event,
  deliveries: ReadonlyArray<Pick<Delivery, "id">>,
): boolean => due_at === null && deliveries.length === 0

/**
 * Tells whether an old request may be removed: its outcome is final, it returns no late money, and
 * its payment was removed, or has ended and can no longer be refunded.
 */
export const requestMayLeave = (
  request: ChannelRequest,
  payment: PaymentIntent | undefined,
  channel: Channel | undefined,
  now: Timestamp,
): boolean => {
  if (request.status !== "done" && request.status !== "refused") return false
  // Its name keeps late money from going back twice.
  if (isReturn(request)) return false
  if (payment === undefined) return true
  return hasEnded(payment) && now > (refundableUntil(payment, channel) ?? -Infinity)
}
