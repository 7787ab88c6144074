import { Context } from "effect"
import type { Channel } from "../channels/Channel.ts"
import type { ChannelRequest } from "../gateway/ChannelRequest.ts"
import { KEPT_FOR } from "../idempotency/Reply.ts"
import { hasEnded, KEPT_UNPAID, type PaymentIntent } from "../payments/PaymentIntent.ts"
import { refundableUntil } from "../refunds/RefundRules.ts"
import { DAY, type Timestamp } from "../shared/Timestamp.ts"
import { type Delivery, isOpen } from "../webhooks/deliveries/Delivery.ts"
import type { Event } from "../webhooks/events/Event.ts"

/** What grows with every payment and has an end. Postings and the audit log stay for ever. */
export type Kept = "event" | "delivery" | "channel_request" | "callback" | "reply" | "unpaid"

/**
 * How long each is kept, in milliseconds: from its creation, an unpaid payment from its end. A
 * reply says itself until when it is kept (`ReplyRetention`).
 */
export type Retention = { readonly [K in Kept]: number }

/** What an operator may say, in days, and what applies where nothing is said. */
interface Bounds {
  readonly least: number
  readonly usual: number
  readonly most: number
}

/**
 * Deliveries are tried for almost five days, and replayed by hand when their endpoint is well
 * again. A reply is kept for the day that is promised, or longer. Reconciliation looks for requests
 * of the last 31 days for up to ten more. Unpaid payments fall due 30 days after their end, so that
 * they can only leave earlier.
 */
export const BOUNDS: { readonly [K in Kept]: Bounds } = {
  event: { least: 7, usual: 90, most: 3_650 },
  delivery: { least: 7, usual: 30, most: 3_650 },
  channel_request: { least: 45, usual: 400, most: 3_650 },
  callback: { least: 7, usual: 90, most: 3_650 },
  reply: { least: KEPT_FOR / DAY, usual: KEPT_FOR / DAY, most: 30 },
  unpaid: { least: 7, usual: 30, most: KEPT_UNPAID / DAY },
}

/** How long what grows is kept. */
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

/** Whether a delivery of that age may leave: nobody will make another attempt. */
export const deliveryMayLeave = (delivery: Delivery): boolean => !isOpen(delivery)

/**
 * Whether an event of that age may leave: its deliveries have been made, and none is left that
 * could still be attempted or replayed.
 */
export const eventMayLeave = (
  { due_at }: Event,
  deliveries: ReadonlyArray<Pick<Delivery, "id">>,
): boolean => due_at === null && deliveries.length === 0

/** Money that came too late or twice goes back under the name of its request, which stays. */
const isReturn = ({ action, refund }: ChannelRequest): boolean =>
  action === "release" || (action === "refund" && refund === null)

/**
 * Whether a request of that age may leave: its channel has answered for good, it gives no late
 * money back, and its payment is gone, or is over and cannot be refunded any more.
 */
export const requestMayLeave = (
  request: ChannelRequest,
  payment: PaymentIntent | undefined,
  channel: Channel | undefined,
  now: Timestamp,
): boolean => {
  if (request.status !== "done" && request.status !== "refused") return false
  if (isReturn(request)) return false
  if (payment === undefined) return true
  return hasEnded(payment) && now > (refundableUntil(payment, channel) ?? -Infinity)
}
