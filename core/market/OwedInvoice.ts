import { Result } from "effect"
import type { Invoice } from "../invoices/Invoice.ts"
import { type Failure, invalidField } from "../shared/Failure.ts"
import type { MarketInput } from "./MarketInput.ts"

/** The arguments of `pay` with an owed invoice. */
export type PayOwedInput = MarketInput<"pay"> & { readonly invoice_id: string }

/**
 * Checks a call against the invoice that it names. Nothing is paid for a model that expects another
 * price, service or agent. Fails with `INVALID_REQUEST`.
 */
export const checkSaid = (
  { amount: { currency, value }, payer, service_id }: Invoice,
  said: PayOwedInput,
): Result.Result<void, Failure<"INVALID_REQUEST">> => {
  const owed = [
    ["service_id", said.service_id, service_id],
    ["amount", said.amount, value],
    ["currency", said.currency, currency],
    ["agent_id", said.agent_id, payer.agent_id],
  ] as const
  const wrong = owed.find(([, given, its]) => given !== undefined && given !== its)
  if (wrong !== undefined) {
    const [field, , its] = wrong
    return Result.fail(
      invalidField(field, `the invoice says ${JSON.stringify(its)}: send that, or leave it out`),
    )
  }
  return said.description === undefined
    ? Result.void
    : Result.fail(invalidField("description", "the invoice has its own: leave it out"))
}
