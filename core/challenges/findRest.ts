import { Effect } from "effect"
import type { PaymentIntent } from "../payments/PaymentIntent.ts"
import { takenValue } from "../payments/Taken.ts"
import { Store } from "../ports/Store.ts"
import { type Challenge, standingOf } from "./Challenge.ts"
import { type Rest, restOf } from "./PaymentSession.ts"

const NOTHING: Rest = { value: 0, waits: false }

/**
 * Returns what is to be given back of a session's deposit now, see `restOf`. A channel that could
 * not settle the deposit has given all of it back by itself.
 */
export const findRest = Effect.fnUntraced(function* (challenge: Challenge, intent: PaymentIntent) {
  const standing = standingOf(intent)
  if (standing !== "paid" && standing !== "returned") return NOTHING
  const refunds = yield* (yield* Store).list("refund", { by: { payment_intent: intent.id } })
  return restOf(takenValue(intent), challenge, refunds)
})
