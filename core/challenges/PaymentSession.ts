import { Schema } from "effect"
import type { Channel } from "../channels/Channel.ts"
import { isUnused } from "../revocations/RevokeInput.ts"
import { type Money, PayableAmount } from "../shared/Money.ts"
import * as Text from "../shared/Text.ts"
import { DAY, HOUR, SECOND, type Timestamp } from "../shared/Timestamp.ts"
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
      "nothing was left, or if nothing was captured: then the held money is released. What " +
      "pending refunds had taken goes back with a refund of its own if they fail.",
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

/** Returns whether a closed session still gives back what failed refunds have left. */
export const givesBack = ({ closed_at }: Challenge, now: Timestamp): boolean =>
  closed_at !== null && now < closed_at + USED_KEPT

/** When a worker checks again whether refunds that were pending at a close have failed. */
export const REST_CHECKED = HOUR

/**
 * Returns a deposit's challenge with its session closed, and the refund of its rest, if any. The
 * first one stays. `waits` means that more is given back if pending refunds fail.
 */
export const closed = (
  challenge: Challenge,
  rest_refund: string | null,
  now: Timestamp,
  waits = false,
): Challenge => ({
  ...challenge,
  redeemed_at: challenge.redeemed_at ?? now,
  closed_at: challenge.closed_at ?? now,
  rest_refund: challenge.rest_refund ?? rest_refund,
  due_at: now + (waits ? REST_CHECKED : USED_KEPT),
})

/** The fields of a deposit's refund on which its rest depends. */
export interface DepositRefund {
  readonly id: string
  readonly amount: Pick<Money, "value">
  readonly status: "pending" | "succeeded" | "failed"
  readonly revoke: object | null
}

/** What to give back of a deposit, in minor units, and whether that can become more. */
export interface Rest {
  readonly value: number
  /** Whether pending refunds take a part of it. If they fail, that is given back, too. */
  readonly waits: boolean
}

/**
 * Returns what is still to be given back of a deposit of which `taken` minor units were taken, at
 * its close or later: what was not drawn, less what other refunds return or are about to. Draws are
 * made of what those leave, so they are of what was not drawn. A refund of the rest that the
 * channel has rejected is not repeated.
 */
export const restOf = (
  taken: number,
  { drawn, rest_refund }: Pick<Challenge, "drawn" | "rest_refund">,
  refunds: ReadonlyArray<DepositRefund>,
): Rest => {
  const isRest = ({ id, revoke }: DepositRefund) => id === rest_refund || isUnused(revoke)
  const sumOf = (some: (refund: DepositRefund) => boolean) =>
    refunds.filter(some).reduce((sum, { amount }) => sum + amount.value, 0)
  const pending = sumOf((refund) => !isRest(refund) && refund.status === "pending")
  const returned = sumOf((refund) => isRest(refund) || refund.status === "succeeded")
  const unused = taken - (drawn ?? 0) - returned
  return { value: Math.max(0, unused - pending), waits: pending > 0 && unused > 0 }
}

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
