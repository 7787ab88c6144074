import { Result } from "effect"
import { Failure } from "../shared/Failure.ts"
import type { InvalidTransition, Moved } from "../shared/Machine.ts"
import type { Timestamp } from "../shared/Timestamp.ts"
import type { ChannelTask } from "../gateway/ChannelRequest.ts"
import type { Ending } from "./Ending.ts"
import type { PaymentEventType } from "./PaymentEvent.ts"
import * as OneTimePay from "./OneTimePay.ts"
import { canExpire, type PaymentIntent, shownStatus } from "./PaymentIntent.ts"
import * as RequestPayment from "./RequestPayment.ts"

/** An intent after a move, and the events that the move emits. */
export type MovedIntent = Moved<PaymentIntent, PaymentEventType>

/** Ends an intent of either flow. The flow's table decides whether the state allows it. */
export const end = (
  intent: PaymentIntent,
  ending: Ending,
): Result.Result<MovedIntent, InvalidTransition> =>
  intent.flow === "request_payment"
    ? RequestPayment.machine.step(intent, ending)
    : OneTimePay.machine.step(intent, ending)

/**
 * Returns the intent as it is at that time. From `expires_at` on it is expired, even before a
 * worker has stored that.
 */
export const asOf = (intent: PaymentIntent, now: Timestamp): PaymentIntent => {
  if (now < intent.expires_at || !canExpire(intent)) return intent
  const expired = end(intent, { type: "expired", at: intent.expires_at })
  return Result.isSuccess(expired) ? expired.success.record : intent
}

/**
 * Returns the time of the intent's next step: now, or the time of its latest step if the clock has
 * been set back since.
 */
export const stepTime = (intent: PaymentIntent, now: Timestamp): Timestamp => {
  const facts = intent as {
    readonly [F in "scanned_at" | "authorized_at" | "captured_at"]?: Timestamp
  }
  const { scanned_at = 0, authorized_at = 0, captured_at = 0 } = facts
  return Math.max(now, intent.created_at, scanned_at, authorized_at, captured_at)
}

/** Returns the charges of an intent, one for each channel that its payer could choose. */
export const charges = (
  intent: PaymentIntent,
): ReadonlyArray<{ readonly channel: string; readonly charge_id: string }> =>
  intent.flow === "request_payment"
    ? intent.offers
    : intent.channel === null
      ? []
      : [{ channel: intent.channel, charge_id: intent.id }]

/** Returns the charge of an intent at a channel, or undefined if it has none there. */
export const chargeAt = (intent: PaymentIntent, channel: string): string | undefined =>
  charges(intent).find((charge) => charge.channel === channel)?.charge_id

/** Returns the tasks that close the other charges once the payer has chosen `channel`. */
export const closedByChoice = (
  intent: PaymentIntent,
  channel: string,
): ReadonlyArray<ChannelTask> =>
  charges(intent)
    .filter((charge) => charge.channel !== channel)
    .map((charge) => ({ action: "close", ...pick(charge) }))

/**
 * Returns what an ending leaves to do at the channels: release held money, and close charges that
 * could still be paid. Charges that expire do so at the channel by themselves.
 */
export const closedByEnding = (
  before: PaymentIntent,
  ending: Exclude<Ending["type"], "failed">,
): ReadonlyArray<ChannelTask> => {
  const held = before.trade_no === null ? null : before.channel
  return charges(before).flatMap((charge): ReadonlyArray<ChannelTask> => {
    if (charge.channel === held) return [{ action: "release", ...pick(charge) }]
    const open = before.channel === null || charge.channel === before.channel
    return open && ending !== "expired" ? [{ action: "close", ...pick(charge) }] : []
  })
}

/**
 * Returns what is left to do at the channel after it has reported a failure. A hold that it
 * reported before is released, because the two messages may have arrived in the wrong order.
 */
export const releasedByFailure = (
  before: PaymentIntent,
  after: PaymentIntent,
): ReadonlyArray<ChannelTask> => {
  const isHeld = before.status === "authorized" || before.status === "pending"
  return isHeld && after.status === "failed" ? closedByEnding(before, "expired") : []
}

const pick = ({ channel, charge_id }: { channel: string; charge_id: string }) => ({
  channel,
  charge_id,
})

const NOUN = { capturing: "capture", debiting: "debit" } as const

/** Returns the failure for a move that an intent's state does not allow (Errors: 400). */
export const invalidTransition = (intent: PaymentIntent, action: string) => {
  const status = shownStatus(intent)
  return new Failure({
    code: "INVALID_TRANSITION",
    message:
      intent.status === "capturing" || intent.status === "debiting"
        ? `A payment whose ${NOUN[intent.status]} is in progress cannot be ${action}. ` +
          "Repeat the request in a moment."
        : `A payment that is ${status} cannot be ${action}.`,
    details: { payment_intent: intent.id, status, action },
    subject: "payment_intent",
  })
}
