import type { Money, PaymentRedemption } from "../../client/Resources.ts"

/**
 * The used amount of a served request was not captured (`capture: "used"`). The money stays held
 * until `capture_before`: until then capture `amount` of the payment (`intents.capture`), or void
 * the payment if it is 0.
 */
export class CaptureFailed extends Error {
  override readonly name = "CaptureFailed"
  readonly payment_intent: string
  readonly amount: Money
  readonly capture_before: string | null

  constructor(
    { capture_before, payment_intent }: PaymentRedemption,
    amount: Money,
    cause: unknown,
  ) {
    const { currency, value } = amount
    super(`${value} ${currency} (minor units) of ${payment_intent} were not captured.`, { cause })
    this.payment_intent = payment_intent
    this.amount = amount
    this.capture_before = capture_before
  }
}
