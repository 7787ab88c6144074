import { Clock, Effect } from "effect"
import type { Caller } from "../accounts/Account.ts"
import { type CommitPart, merge } from "../commits/Commit.ts"
import { replyWith, retryConflict } from "../idempotency/requestKey.ts"
import { findVisible, onlyPayee } from "../payments/access.ts"
import type { PaymentIntent } from "../payments/PaymentIntent.ts"
import { remaining } from "../payments/Refunded.ts"
import { kept } from "../payments/writeIntent.ts"
import { Ids } from "../ports/Ids.ts"
import { type Commit, Store } from "../ports/Store.ts"
import { Vault } from "../ports/Vault.ts"
import { Failure } from "../shared/Failure.ts"
import { checkItem, type RegisterItemInput } from "./AccessInput.ts"
import { type AccessItem, itemCounter, itemKey, itemView } from "./AccessItem.ts"
import { revokesTooMany } from "./Policy.ts"
import { MOST_TARGETS } from "../registry/RevocationTarget.ts"
import { isByPolicy } from "./RevokeInput.ts"
import { requireItemScope } from "./requireItemScope.ts"

const PAID: ReadonlySet<PaymentIntent["status"]> = new Set(["captured", "succeeded", "completed"])

const notPaid = ({ id, status }: PaymentIntent) =>
  new Failure({
    code: "INVALID_TRANSITION",
    subject: "payment_intent",
    message: `The payment is ${status}. Access can only be registered for paid payments.`,
    details: { payment_intent: id, status },
  })

const allReturned = ({ id, status }: PaymentIntent) =>
  new Failure({
    code: "INVALID_TRANSITION",
    subject: "payment_intent",
    message:
      "The whole payment is refunded or being refunded. Access can only be registered for " +
      "payments of which something is kept. If a pending refund fails, register it then.",
    details: { payment_intent: id, status },
  })

const tooMany = (intent: string) =>
  new Failure({
    code: "revocation_limit_exceeded",
    message: `A payment has at most ${MOST_TARGETS} access items, as many as a refund revokes.`,
    details: { payment_intent: intent, limit: MOST_TARGETS },
  })

/** Returns the places that an item takes at its payment and gives back at an earlier one. */
const places = (before: AccessItem | undefined, after: AccessItem): Commit["reservations"] => {
  const [from, to] = [before?.payment_intent ?? null, after.payment_intent]
  if (from === to) return []
  return [from, to].flatMap((intent) =>
    intent === null
      ? []
      : [{ counter: itemCounter(intent), add: intent === to ? 1 : -1, limit: MOST_TARGETS }],
  )
}

/**
 * Rejects an item with which a refund that is pending would revoke more than a refund can, because
 * the refund revokes by policy what is registered when it is confirmed.
 */
const checkRoom = Effect.fnUntraced(function* (intent: PaymentIntent, record: AccessItem) {
  if (intent.refunded.value === 0) return
  const store = yield* Store
  const by = { payment_intent: intent.id }
  const refunds = yield* store.list("refund", { by })
  const waits = refunds.some(({ revoke, status }) => status === "pending" && isByPolicy(revoke))
  if (!waits) return
  const service = yield* store.find("service", intent.service_id)
  const items = yield* store.list("access_item", { by })
  if (!revokesTooMany(service?.revocation_policy ?? null, items, record)) return
  return yield* new Failure({
    code: "revocation_limit_exceeded",
    message:
      `A refund that is pending would revoke more than ${MOST_TARGETS} accesses with this one. ` +
      "Register it when the refund has ended.",
    details: { payment_intent: intent.id, limit: MOST_TARGETS },
  })
})

/**
 * Registers what a payment bought, so that its seller's gate can ask about it and refunds can
 * revoke it (Refunds and revocations). Registering the same identifier again replaces the payment
 * and scopes, also at another service, unless the caller's key is restricted and does not allow the
 * earlier payment. Revoked scopes stay revoked, also those revoked before any registration. The
 * payment is written, too, so that a refund begins or is confirmed before it or after it.
 *
 * Fails with `NOT_FOUND`, `FORBIDDEN`, `INVALID_TRANSITION` for payments that were not made or of
 * which nothing is kept, `revocation_target_invalid_type`, `revocation_scope_invalid` and
 * `revocation_limit_exceeded`.
 */
export const registerAccessItem = Effect.fn("registerAccessItem")(function* (
  caller: Caller,
  input: RegisterItemInput,
) {
  const named = input.scopes.map((scope, n) => [`scopes.${n}`, scope] as const)
  const type = yield* Effect.fromResult(checkItem(input.type, named))
  const store = yield* Store
  const id = `ai_${(yield* Ids).uuid()}`
  const item_key = itemKey((yield* Vault).sha256, type, input.id)
  const register = Effect.gen(function* () {
    const intent = yield* findVisible(caller, input.payment_intent)
    yield* onlyPayee(caller, intent, "register what was bought by")
    if (!PAID.has(intent.status)) return yield* notPaid(intent)
    if (remaining(intent) === 0) return yield* allReturned(intent)
    const account_id = caller.account.id
    const stored = yield* store.findBy("access_item", { account_id, item_key })
    if (stored !== undefined) yield* requireItemScope(caller, "manage", [stored])
    const created_at = yield* Clock.currentTimeMillis
    const fresh = { id, version: 1, account_id, type, item_id: input.id, item_key, created_at }
    const record: AccessItem = {
      ...(stored ?? { ...fresh, revoked: [] }),
      payment_intent: intent.id,
      scopes: input.scopes,
    }
    yield* checkRoom(intent, record)
    const view = itemView(record)
    const reply = yield* replyWith(view)
    const reservations = places(stored, record) ?? []
    const op = stored === undefined ? "insert" : "replace"
    const registered: CommitPart = { writes: [{ op, kind: "access_item", record }], reservations }
    yield* store.commit(merge(registered, kept(intent), reply)).pipe(
      Effect.catchIf(
        (error) => error._tag === "Conflict" && error.reason.type === "limit_reached",
        () => Effect.fail(tooMany(intent.id)),
      ),
    )
    return view
  })
  return yield* retryConflict(register, MOST_TARGETS)
})
