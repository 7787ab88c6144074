import { Effect } from "effect"
import type { Caller } from "../accounts/Account.ts"
import { findVisible } from "../payments/access.ts"
import { Store } from "../ports/Store.ts"
import { Failure, notFound } from "../shared/Failure.ts"
import { isId } from "../shared/Id.ts"
import type { RefundRequest } from "./RefundRequest.ts"

/** Returns the refund request to those who take part in its payment. Others get `NOT_FOUND`. */
export const findVisibleRequest = Effect.fnUntraced(function* (caller: Caller, id: string) {
  const missing = notFound("refund request", id)
  const found = isId("rr", id) ? yield* (yield* Store).find("refund_request", id) : undefined
  if (found === undefined) return yield* missing
  yield* findVisible(caller, found.payment_intent).pipe(
    Effect.catchTag("Failure", () => Effect.fail(missing)),
  )
  return found
})

/** The party that may take each action on a refund request. */
const DECIDES = {
  approve: "payee_account_id",
  decline: "payee_account_id",
  withdraw: "account_id",
} as const

/** Fails with `FORBIDDEN` for the other party: the payee decides, and the buyer withdraws. */
export const onlyTheirs = (
  { account }: Caller,
  request: RefundRequest,
  action: keyof typeof DECIDES,
) => {
  if (request[DECIDES[action]] === account.id) return Effect.void
  const who = action === "withdraw" ? "buyer who made" : "payee of"
  return Effect.fail(
    new Failure({
      code: "FORBIDDEN",
      message: `Only the ${who} a refund request can ${action} it.`,
    }),
  )
}
