import { Clock, Effect } from "effect"
import type { Caller } from "../accounts/Account.ts"
import { Store } from "../ports/Store.ts"
import { checkUnused } from "../quotes/Quote.ts"
import { notFound } from "../shared/Failure.ts"
import { isId } from "../shared/Id.ts"
import { retryConflict } from "../idempotency/requestKey.ts"
import { requestPayment, showIntent } from "./createIntent.ts"
import { newQrCodes, type QrCodes } from "./registerCharges.ts"
import { checkMetadata } from "./PaymentIntent.ts"
import type { PayQuoteInput } from "./PayQuoteInput.ts"

const pay = Effect.fnUntraced(function* (caller: Caller, input: PayQuoteInput, codes: QrCodes) {
  const { quote_id, channel, ...terms } = input
  const quote = isId("fxq", quote_id) ? yield* (yield* Store).find("quote", quote_id) : undefined
  if (quote === undefined || quote.account_id !== caller.account.id) {
    return yield* notFound("quote", quote_id)
  }
  yield* Effect.fromResult(checkUnused(quote, yield* Clock.currentTimeMillis))
  const { amount } = quote
  return yield* requestPayment(
    caller,
    {
      ...terms,
      type: "one_time",
      amount,
      ...(channel !== undefined && { payer_channel: channel }),
    },
    { quote, answer: showIntent },
    codes,
  )
})

/**
 * Creates a Request Payment at the prices of a quote, however the rates have changed: on the named
 * channel, or else on the best one that is up. A quote is used once, by the account that asked for
 * it. A channel that is down is replaced by the service's fallback if the quote has a price for
 * that too.
 *
 * Fails as the creation of a payment does, with `NOT_FOUND` for another account's quote,
 * `QUOTE_EXPIRED`, `QUOTE_USED`, and with `INVALID_REQUEST` for a service that the quote is not
 * for.
 */
export const payQuote = Effect.fn("payQuote")(function* (caller: Caller, input: PayQuoteInput) {
  const tooLarge = checkMetadata(input.metadata)
  if (tooLarge !== undefined) return yield* tooLarge
  return yield* retryConflict(pay(caller, input, yield* newQrCodes))
})
