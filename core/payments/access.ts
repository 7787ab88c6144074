import { Effect } from "effect"
import type { Caller } from "../accounts/Account.ts"
import { Store, type StoreUnavailable } from "../ports/Store.ts"
import { Failure, notFound } from "../shared/Failure.ts"
import { isId } from "../shared/Id.ts"
import type { PaymentIntent } from "./PaymentIntent.ts"
import { takesPart } from "./Sides.ts"

/** Returns the stored intent to an account that takes part in it. All others get `NOT_FOUND`. */
export const findVisible = Effect.fnUntraced(function* (
  caller: Caller,
  id: string,
): Effect.fn.Return<PaymentIntent, Failure<"NOT_FOUND"> | StoreUnavailable, Store> {
  if (!isId("pi", id)) return yield* notFound("payment intent", id)
  const store = yield* Store
  const intent = yield* store.find("payment_intent", id)
  if (intent === undefined || !takesPart(intent, caller.account.id)) {
    return yield* notFound("payment intent", id)
  }
  return intent
})

/** Fails with `FORBIDDEN` for everyone but the payee. */
export const onlyPayee = (caller: Caller, intent: PaymentIntent, action: string) =>
  caller.account.id === intent.payee_account_id
    ? Effect.void
    : Effect.fail(
        new Failure({
          code: "FORBIDDEN",
          message: `Only the payee of a payment can ${action} it.`,
        }),
      )
