import { Result } from "effect"
import type { Channel } from "../channels/Channel.ts"
import { shownStatus } from "../payments/PaymentIntent.ts"
import type { PaymentIntent } from "../payments/PaymentIntent.ts"
import { Failure } from "../shared/Failure.ts"
import type { Money } from "../shared/Money.ts"
import { DAY, type Timestamp } from "../shared/Timestamp.ts"
import { remaining } from "../payments/Refunded.ts"
import { takenValue } from "../payments/Taken.ts"

/** Returns when the payer's money was taken; undefined if nothing of it can be refunded. */
const paidAt = (intent: PaymentIntent): Timestamp | undefined => {
  switch (intent.status) {
    case "captured":
    case "succeeded":
      return intent.captured_at
    case "completed":
      return intent.succeeded_at
    default:
      return undefined
  }
}

/**
 * Returns the last moment at which any of the payment can be refunded; undefined if nothing can.
 * Returns `Infinity` for a channel that is not in use, because it may be used again.
 */
export const refundableUntil = (
  intent: PaymentIntent,
  channel: Channel | undefined,
): Timestamp | undefined => {
  const paid = paidAt(intent)
  if (paid === undefined || remaining(intent) === 0) return undefined
  return channel === undefined ? Infinity : paid + channel.refunds.window_days * DAY
}

const notAllowed = (intent: PaymentIntent, message: string) =>
  new Failure({
    code: "REFUND_NOT_ALLOWED",
    message,
    details: { payment_intent: intent.id, status: shownStatus(intent), channel: intent.channel },
  })

const wrongCurrency = (intent: PaymentIntent, { currency }: Money) =>
  new Failure({
    code: "INVALID_AMOUNT",
    message: `The payment is in ${intent.amount.currency}; refund it in that currency.`,
    field: "amount.currency",
    details: {
      field: "amount.currency",
      value: currency,
      constraint: `must be ${intent.amount.currency}`,
    },
  })

/** Checks the refund window: whole days of 24 hours from the payment, including the last moment. */
const windowFlaw = (channel: Channel, paid: Timestamp, now: Timestamp) => {
  const { window_days } = channel.refunds
  if (now <= paid + window_days * DAY) return undefined
  return new Failure({
    code: "REFUND_WINDOW_EXPIRED",
    message: `${channel.id} refunds payments within ${window_days} days. This one is older.`,
    details: {
      max_window_days: window_days,
      payment_age_days: Math.ceil((now - paid) / DAY),
      channel: channel.id,
    },
  })
}

const tooMuch = (intent: PaymentIntent, value: number) => {
  const { currency } = intent.amount
  const left = remaining(intent)
  return new Failure({
    code: "REFUND_EXCEEDS_PAYMENT",
    message:
      left === 0
        ? "The whole payment is already refunded."
        : `Only ${left} minor units of ${currency} of the payment can still be refunded.`,
    field: "amount",
    details: {
      requested_amount: { currency, value },
      remaining_refundable: { currency, value: left },
    },
  })
}

/** Checks the limit of partial refunds. A refund of the whole payment is not partial. */
const limitFlaw = (channel: Channel, intent: PaymentIntent, value: number) => {
  const most = channel.refunds.max_partial_refunds
  const { partials } = intent.refunded
  if (most === null || value === takenValue(intent) || partials < most) return undefined
  return new Failure({
    code: "REFUND_LIMIT_EXCEEDED",
    message:
      most === 0
        ? `${channel.id} makes no partial refunds. Refund the whole payment.`
        : `${channel.id} makes at most ${most} partial refunds of a payment.`,
    details: {
      channel: channel.id,
      max_partial_count: most,
      current_partial_count: partials,
    },
  })
}

/**
 * Returns how much a refund gives back, in minor units: the requested amount, or all that is left
 * (Refund window and channel constraints). Pending refunds count as given back, failed ones do not.
 */
export const checkRefund = (
  intent: PaymentIntent,
  amount: Money | undefined,
  channel: Channel | undefined,
  now: Timestamp,
): Result.Result<
  number,
  Failure<
    | "REFUND_NOT_ALLOWED"
    | "INVALID_AMOUNT"
    | "REFUND_WINDOW_EXPIRED"
    | "REFUND_EXCEEDS_PAYMENT"
    | "REFUND_LIMIT_EXCEEDED"
  >
> => {
  const paid = paidAt(intent)
  if (paid === undefined) {
    return Result.fail(
      notAllowed(intent, `A payment that is ${shownStatus(intent)} cannot be refunded.`),
    )
  }
  if (channel === undefined) {
    return Result.fail(notAllowed(intent, "The payment's channel is no longer available."))
  }
  if (amount !== undefined && amount.currency !== intent.amount.currency) {
    return Result.fail(wrongCurrency(intent, amount))
  }
  const expired = windowFlaw(channel, paid, now)
  if (expired !== undefined) return Result.fail(expired)
  const left = remaining(intent)
  const value = amount?.value ?? left
  if (value > left || left === 0) return Result.fail(tooMuch(intent, value))
  const limited = limitFlaw(channel, intent, value)
  return limited === undefined ? Result.succeed(value) : Result.fail(limited)
}

/** Returns the failure of a refund that the channel refuses at once (Errors). */
export const refusedByChannel = (
  intent: PaymentIntent,
  channel: Channel | undefined,
  reason: string,
) =>
  new Failure({
    code: "REFUND_CHANNEL_REJECTED",
    message: "The channel rejected the refund. No money was returned.",
    details: {
      channel: intent.channel,
      channel_reason: reason,
      max_partial_count: channel?.refunds.max_partial_refunds ?? null,
      current_partial_count: intent.refunded.partials,
    },
  })
