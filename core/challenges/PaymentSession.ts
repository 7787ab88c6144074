import { Schema } from "effect"
import type { Channel } from "../channels/Channel.ts"
import { PayableAmount } from "../shared/Money.ts"
import * as Text from "../shared/Text.ts"
import { DAY, SECOND, type Timestamp } from "../shared/Timestamp.ts"
import { Amount, Time } from "../shared/Wire.ts"
import { type Challenge, type PaymentStanding, USED_KEPT } from "./Challenge.ts"

/** How long after its deposit was requested a session can be drawn from. */
export const SESSION_LIFETIME = 30 * DAY

/** How long a session waits for its next draw by default, in seconds. */
export const USUAL_IDLE = DAY / SECOND

/** How long a session waits for its next draw: from a minute to the session's lifetime. */
export const IdleSeconds = Schema.Int.check(
  Schema.isBetween({ minimum: 60, maximum: SESSION_LIFETIME / SECOND }),
)

/** Minor units of the deposit's currency. */
const Units = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 99_999_999_999 }))

const bound = {
  service_id: Text.line(64).annotateKey({ description: "The service that is paid." }),
  amount: PayableAmount.annotateKey({ description: "The deposit." }),
  resource: Text.line(2048).annotateKey({ description: "The resource that the deposit pays for." }),
  token: Text.line(256).annotateKey({ description: "The token of the payment challenge." }),
}

/** The body of `POST /v1/payment-challenges/{id}/draw`. */
export const DrawInput = Schema.Struct({
  ...bound,
  price: Units.annotateKey({
    description: "The amount to draw, in minor units of the deposit's currency.",
  }),
  spent: Units.annotateKey({
    description:
      "The total drawn from the deposit, including this draw. It is different for each draw.",
  }),
})
export type DrawInput = typeof DrawInput.Type

/** The body of `POST /v1/payment-challenges/{id}/close`. */
export const CloseInput = Schema.Struct(bound)
export type CloseInput = typeof CloseInput.Type

const payment_intent = "pi_01997d3e-8a00-7000-8000-000000000020"

/** The state of a deposit after a draw. */
export const DrawView = Schema.Struct({
  payment_intent: Schema.String.annotateKey({ description: "The id of the deposit's payment." }),
  drawn: Amount.annotate({ description: "The total drawn from the deposit." }),
  left: Amount.annotate({ description: "The amount that can still be drawn." }),
  closes_at: Time.annotate({
    description: "When the session closes automatically, unless there is another draw before.",
  }),
}).annotate({
  identifier: "PaymentDraw",
  description: "The price was drawn: let the request through.",
  examples: [
    {
      payment_intent,
      drawn: { currency: "USD", value: 5 },
      left: { currency: "USD", value: 20 },
      closes_at: "2026-02-01T08:01:00.000Z",
    },
  ],
})

/** A session that takes no more draws. */
export const ClosedView = Schema.Struct({
  payment_intent: Schema.String.annotateKey({ description: "The id of the deposit's payment." }),
  refund: Schema.NullOr(Schema.String).annotateKey({
    description:
      "The id of the refund of the rest, the same each time the session is closed. Null if " +
      "nothing was left, or if nothing was captured: then the held money is released.",
  }),
}).annotate({
  identifier: "ClosedSession",
  description: "A closed session, and the refund of the rest.",
  examples: [{ payment_intent, refund: "ref_01997d3e-8a00-7000-8000-000000000030" }],
})

/**
 * Returns whether a channel can refund the rest of a deposit for as long as a session can be
 * closed. Without that the rest would stay with the seller.
 */
export const refundsRest = (channel: Channel | undefined): boolean =>
  channel !== undefined &&
  channel.refunds.max_partial_refunds !== 0 &&
  channel.refunds.window_days * DAY >= SESSION_LIFETIME

/** Returns whether a session is too old to be drawn from. */
export const isOver = ({ created_at }: Challenge, now: Timestamp): boolean =>
  now >= created_at + SESSION_LIFETIME

/**
 * Compares a draw with the earlier ones: `next` if it follows them, `used` if it was made before,
 * `skipped` if it is a later one, and `exhausted` if the deposit has less.
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

/** Returns when a session ends that is not drawn from after `drawnAt`. */
export const endsAt = (
  { created_at, idle_seconds }: Pick<Challenge, "created_at" | "idle_seconds">,
  drawnAt: Timestamp,
): Timestamp =>
  Math.min(drawnAt + (idle_seconds ?? USUAL_IDLE) * SECOND, created_at + SESSION_LIFETIME)

/** Returns a deposit's challenge after a draw: its proof is used up, and its session goes on. */
export const afterDraw = (challenge: Challenge, spent: number, now: Timestamp) => ({
  ...challenge,
  redeemed_at: challenge.redeemed_at ?? now,
  drawn: spent,
  due_at: endsAt(challenge, now),
})

/** Returns a deposit's challenge with its session closed, and the refund of its rest, if any. */
export const closed = (
  challenge: Challenge,
  rest_refund: string | null,
  now: Timestamp,
): Challenge => ({
  ...challenge,
  redeemed_at: challenge.redeemed_at ?? now,
  closed_at: now,
  rest_refund,
  due_at: now + USED_KEPT,
})

/**
 * Returns when a worker closes a session that nobody closes; undefined if it was closed before or
 * is no deposit. A deposit that was taken but never drawn from, because a process ended in between,
 * counts from the expiry of its payment.
 */
export const abandonedAt = (
  challenge: Challenge,
  standing: PaymentStanding | undefined,
): Timestamp | undefined => {
  const { closed_at, drawn, due_at, expires_at, idle_seconds, redeemed_at } = challenge
  if (closed_at !== null || standing === undefined) return undefined
  if (drawn !== null) return due_at ?? undefined
  const isTaken = redeemed_at === null && idle_seconds !== null && standing === "paid"
  return isTaken ? endsAt(challenge, expires_at) : undefined
}
