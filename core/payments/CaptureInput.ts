import { Result, Schema } from "effect"
import type { Channel } from "../channels/Channel.ts"
import type { FieldRules } from "../shared/Decode.ts"
import { Failure } from "../shared/Failure.ts"
import { PayableAmount } from "../shared/Money.ts"
import { type PaymentIntent, shownStatus } from "./PaymentIntent.ts"
import { type Capturable, shareOfSettlement, takenValue } from "./Taken.ts"

/** The body of `POST /v1/payment-intents/{id}/capture` (Request Payment). */
export const CaptureInput = Schema.Struct({
  amount: Schema.optionalKey(PayableAmount).annotateKey({
    description:
      "The amount to capture, in the payment's currency, at most its amount. The rest is " +
      "released for good. Default: the whole amount.",
  }),
})
/** See {@link CaptureInput}. */
export type CaptureInput = typeof CaptureInput.Type

/** A bad amount has its own error code (Errors). */
export const captureRules = { codes: { amount: "INVALID_AMOUNT" } } satisfies FieldRules

const wrong = (field: string, message: string, value: unknown, constraint: string) =>
  new Failure({
    code: "INVALID_AMOUNT",
    message,
    field,
    details: { field, value, constraint },
  })

/**
 * Returns the part of a payment to capture, in minor units. Returns undefined for the whole amount,
 * whether the caller stated it or not. A channel without partial captures is never asked for one.
 *
 * Fails with `INVALID_AMOUNT`.
 */
export const checkCapture = (
  intent: Capturable & { readonly settlement: { readonly currency: string; value: number } },
  { amount }: CaptureInput,
  channel: Channel | undefined,
): Result.Result<number | undefined, Failure<"INVALID_AMOUNT">> => {
  const { currency, value: whole } = intent.amount
  if (amount === undefined) return Result.succeed(undefined)
  const { value } = amount
  if (amount.currency !== currency) {
    const message = `The payment is in ${currency}; capture it in that currency.`
    const constraint = `must be ${currency}`
    return Result.fail(wrong("amount.currency", message, amount.currency, constraint))
  }
  if (value === whole) return Result.succeed(undefined)
  if (value > whole) {
    const message = `At most the payment's ${whole} minor units of ${currency} can be captured.`
    return Result.fail(wrong("amount.value", message, value, `must be at most ${whole}`))
  }
  if (channel?.partial_capture !== true) {
    const name = channel?.id ?? "The payment's channel"
    const refundsParts = channel?.refunds.max_partial_refunds !== 0
    const message =
      `${name} cannot capture a part of a payment. ` +
      (refundsParts
        ? "Capture it without an amount, then refund the rest."
        : "It refunds no parts either: capture the whole, or void the payment.")
    return Result.fail(wrong("amount.value", message, value, `must be ${whole}`))
  }
  if (
    shareOfSettlement({ amount: intent.amount, capture_value: value }, intent.settlement.value) < 1
  ) {
    const constraint = `must be worth at least one minor unit of ${intent.settlement.currency}`
    const message = `The amount is too small: it ${constraint}. Capture more, or void the payment.`
    return Result.fail(wrong("amount.value", message, value, constraint))
  }
  return Result.succeed(value)
}

/**
 * Returns a refusal if another amount was captured or is being captured. Returns undefined for the
 * same amount, because a payment is captured once.
 */
export const otherCapture = (intent: PaymentIntent, { amount }: CaptureInput) => {
  const { currency } = intent.amount
  const value = takenValue(intent)
  const asked = amount ?? intent.amount
  if (asked.currency === currency && asked.value === value) return undefined
  const done = intent.status === "capturing" ? "are being captured" : "were captured"
  return new Failure({
    code: "INVALID_TRANSITION",
    message:
      `A payment can be captured once, and ${value} minor units of ${currency} ${done}. To get ` +
      "that result again, capture the same amount. To return a part, refund it.",
    details: {
      payment_intent: intent.id,
      status: shownStatus(intent),
      action: "captured",
      captured_amount: { currency, value },
      requested_amount: asked,
    },
    subject: "payment_intent",
  })
}
