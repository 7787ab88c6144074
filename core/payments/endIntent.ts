import { Clock, Effect, Result } from "effect"
import type { Caller } from "../accounts/Account.ts"
import { type CommitPart, empty, merge } from "../commits/Commit.ts"
import { replyWith, retryConflict } from "../idempotency/requestKey.ts"
import { Store } from "../ports/Store.ts"
import { Failure } from "../shared/Failure.ts"
import { findVisible, onlyPayee } from "./access.ts"
import type { PaymentIntent } from "./PaymentIntent.ts"
import { writeMove } from "./writeMove.ts"
import { settledAsOf } from "./expireIntent.ts"
import { view } from "./IntentView.ts"
import { closedByEnding, end, invalidTransition } from "./Lifecycle.ts"

const accepted = () =>
  new Failure({
    code: "FORBIDDEN",
    message: "The payee has accepted this payment as a proof. Only the payee can release it now.",
  })

/**
 * Checks that nobody has delivered for held money that its payer gives up. Returns the part that
 * keeps it so: it writes the challenge, since its acceptance only guards the payment, and of two
 * guards neither would see the other's write. The challenge of a payment has the payment's UUID.
 */
const unaccepted = Effect.fnUntraced(function* (caller: Caller, intent: PaymentIntent) {
  const isPayee = caller.account.id === intent.payee_account_id
  if (isPayee || intent.status !== "authorized") return empty
  const challenge = yield* (yield* Store).find("challenge", `chl_${intent.id.slice(3)}`)
  if (challenge === undefined) return empty
  if (challenge.redeemed_at !== null) return yield* accepted()
  const part: CommitPart = { writes: [{ op: "replace", kind: "challenge", record: challenge }] }
  return part
})

const endBy = Effect.fnUntraced(function* (
  caller: Caller,
  id: string,
  type: "voided" | "cancelled",
) {
  const stored = yield* findVisible(caller, id)
  if (type === "cancelled") yield* onlyPayee(caller, stored, "cancel")
  const at = yield* Clock.currentTimeMillis
  const intent = yield* settledAsOf(stored, at)
  if (intent.status === type) return view(intent, at, caller.account.id)
  const kept = yield* unaccepted(caller, intent)
  const moved = end(intent, { type, at })
  if (Result.isFailure(moved)) return yield* invalidTransition(intent, type)
  const shown = view(moved.success.record, at, caller.account.id)
  const store = yield* Store
  const written = yield* writeMove(intent, moved.success, closedByEnding(intent, type), at)
  yield* store.commit(merge(written, kept, yield* replyWith(shown)))
  return shown
})

/**
 * Voids an unpaid payment for its payee, its payer or its creator (Request Payment, void).
 * Authorized money is released at the channel. A repeated void returns the same payment.
 *
 * Fails with `FORBIDDEN` if anyone but the payee voids a payment that a seller has accepted.
 */
export const voidIntent = Effect.fn("voidIntent")((caller: Caller, id: string) =>
  retryConflict(endBy(caller, id, "voided")),
)

/** Cancels an unpaid payment for its payee (States and transitions: payee cancels). */
export const cancelIntent = Effect.fn("cancelIntent")((caller: Caller, id: string) =>
  retryConflict(endBy(caller, id, "cancelled")),
)
