import { Schema } from "effect"
import { SESSION_COUNTERS } from "../installs/Budget.ts"
import { PayableAmount } from "../shared/Money.ts"
import * as Text from "../shared/Text.ts"
import { DAY, type Timestamp, utcDay } from "../shared/Timestamp.ts"
import { Amount } from "../shared/Wire.ts"
import type { Channel } from "../channels/Channel.ts"
import type { Challenge } from "./Challenge.ts"

/** How long after its deposit was asked for a session can be drawn from and closed. */
export const SESSION_LIFETIME = 30 * DAY

/** Minor units of the deposit's currency. */
const Units = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 99_999_999_999 }))

const bound = {
  service_id: Text.line(64).annotateKey({ description: "The service that is paid." }),
  amount: PayableAmount.annotateKey({ description: "The deposit." }),
  resource: Text.line(2048).annotateKey({ description: "What the deposit is for." }),
  token: Text.line(256).annotateKey({ description: "The token that the demand gave." }),
}

/** The body of `POST /v1/payment-challenges/{id}/draw`. */
export const DrawInput = Schema.Struct({
  ...bound,
  price: Units.annotateKey({ description: "What is drawn, in minor units of the deposit." }),
  spent: Units.annotateKey({
    description: "What is drawn of the deposit with this, in all: each draw has its own number.",
  }),
})
export type DrawInput = typeof DrawInput.Type

/** The body of `POST /v1/payment-challenges/{id}/close`. */
export const CloseInput = Schema.Struct(bound)
export type CloseInput = typeof CloseInput.Type

const payment_intent = "pi_01997d3e-8a00-7000-8000-000000000020"

/** What was drawn of a deposit. */
export const DrawView = Schema.Struct({
  payment_intent: Schema.String.annotateKey({ description: "The deposit: a payment's id." }),
  drawn: Amount.annotate({ description: "What was drawn of it, in all." }),
  left: Amount.annotate({ description: "What can still be drawn." }),
}).annotate({
  identifier: "PaymentDraw",
  description: "The price was drawn: let the request through.",
  examples: [
    {
      payment_intent,
      drawn: { currency: "USD", value: 5 },
      left: { currency: "USD", value: 20 },
    },
  ],
})

/** A session that takes no more draws. */
export const ClosedView = Schema.Struct({
  payment_intent: Schema.String.annotateKey({ description: "The deposit: a payment's id." }),
  refund: Schema.NullOr(Schema.String).annotateKey({
    description: "The refund of the rest; null where nothing was left, or was given back before.",
  }),
}).annotate({
  identifier: "ClosedSession",
  description: "A session that has ended, and the refund of what was left.",
  examples: [{ payment_intent, refund: "ref_01997d3e-8a00-7000-8000-000000000030" }],
})

/** The counter of what was drawn: forgotten when the session has long been over. */
export const drawCounter = ({ created_at, payment_intent: id }: Challenge): string =>
  `${SESSION_COUNTERS}${id}:${utcDay(created_at)}`

/**
 * Whether a channel gives back what is left of a deposit, for as long as a session can be closed:
 * one that refunds no parts, or not for so long, would leave it with the seller.
 */
export const refundsRest = (channel: Channel | undefined): boolean =>
  channel !== undefined &&
  channel.refunds.max_partial_refunds !== 0 &&
  channel.refunds.window_days * DAY >= SESSION_LIFETIME

/** Whether a session can be drawn from and closed no more. */
export const isOver = ({ created_at }: Challenge, now: Timestamp): boolean =>
  now >= created_at + SESSION_LIFETIME

/**
 * What a draw is worth: `next` where it is the one after those that were made, `used` where it was
 * made before, `skipped` where it is a later one, and `exhausted` where the deposit has less.
 */
export const drawStanding = (
  { price, spent }: { readonly price: number; readonly spent: number },
  drawn: number,
  kept: number,
): "next" | "used" | "skipped" | "exhausted" => {
  if (spent <= drawn) return "used"
  if (spent !== drawn + price) return "skipped"
  return spent > kept ? "exhausted" : "next"
}
