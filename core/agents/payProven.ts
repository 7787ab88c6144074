import { Clock, Effect } from "effect"
import type { Caller } from "../accounts/Account.ts"
import { sellerOf } from "../challenges/findOffer.ts"
import { boundElsewhere, invalid } from "../challenges/provenPayment.ts"
import { spendProof } from "../challenges/redeemProof.ts"
import { answerForGood } from "../idempotency/requestKey.ts"
import { requireScope } from "../keys/requireScope.ts"
import { findVisible } from "../payments/access.ts"
import { getIntent } from "../payments/getIntent.ts"
import { type IntentView, view } from "../payments/IntentView.ts"
import type { PaymentIntent } from "../payments/PaymentIntent.ts"
import type { ServiceManifest } from "../registry/ServiceManifest.ts"
import { catchFailure } from "../shared/catchFailure.ts"
import { notFound } from "../shared/Failure.ts"
import { answerPurchaseFor, asItIsNow } from "./answerPurchase.ts"
import { type ProvenAnswer, provenTerms, settlementOf, type ToolProof } from "./Demand.ts"
import { decodePayOneTime } from "./OneTimeTool.ts"
import { purchaseAsked } from "./payOneTime.ts"

/** Refuses a payment of another account, or of another agent. */
const requireOwn = Effect.fnUntraced(function* (caller: Caller, id: string, agent_id: string) {
  const intent = yield* findVisible(caller, id).pipe(catchFailure(["NOT_FOUND"], invalid))
  if (intent.account_id !== caller.account.id) return yield* invalid()
  if (intent.payer.agent_id !== agent_id) return yield* boundElsewhere("agent_id")
  yield* requireScope(caller, "pay", { payment_intent: id, service_id: intent.service_id })
})

/** The states in which a capture may have no known outcome yet. */
const UNSETTLED: ReadonlySet<PaymentIntent["status"]> = new Set(["authorized", "capturing"])

/**
 * Captures a proven payment. If the channel's outcome is unknown, that is stored as the answer, so
 * that no other payment is captured for this purchase meanwhile. If the payment was captured
 * meanwhile, the proof is shown again: another use, at a paid endpoint or a facilitator, may have
 * used it up.
 */
const spend = (caller: Caller, seller: Caller, { id, ...proof }: ToolProof) => {
  const spending = spendProof(seller, id, { ...proof, viewer: caller.account.id })
  const unresolved = Effect.gen(function* () {
    const intent = yield* findVisible(caller, id)
    if (!UNSETTLED.has(intent.status)) return yield* spending
    yield* answerForGood
    const shown = intent.status === "capturing" ? { channel_outcome: "unknown" as const } : {}
    const now = yield* Clock.currentTimeMillis
    return { ...view(intent, now, caller.account.id), ...shown } satisfies IntentView
  })
  return spending.pipe(catchFailure(["PAYMENT_UNRESOLVED"], () => unresolved))
}

const idOf = (answered: object): string => String(Reflect.get(answered, "id"))

/**
 * Pays a service once with a payment that the caller has begun and its person has authorized:
 * captures the money once and uses up the proof. A purchase is the same whether it is paid by a
 * proof or by a normal tool call. If another payment has made it, returns that payment and captures
 * nothing. The same proof again returns the current state of its payment.
 *
 * Fails as `redeemProof` does, and with `PAYMENT_PROOF_INVALID` for a payment of another account or
 * agent.
 */
export const payProven = Effect.fn("payProven")(function* (
  caller: Caller,
  service: ServiceManifest,
  given: object,
  proof: ToolProof,
) {
  const input = yield* Effect.fromResult(decodePayOneTime(given))
  const terms = yield* Effect.fromResult(provenTerms(input, service, caller.account))
  yield* requireOwn(caller, proof.id, terms.payer.agent_id)
  const seller = (yield* sellerOf(service)) ?? (yield* notFound("service", service.id))
  const now = getIntent(caller, proof.id)
  const used = catchFailure(["PAYMENT_PROOF_USED"], () =>
    Effect.map(now, (shown) => ({ view: shown, replayed: true })),
  )
  const verb = spend(caller, seller, proof)
  const asked = purchaseAsked(terms, input.idempotency_key ?? proof.payment_identifier)
  const first = yield* used(
    Effect.map(answerPurchaseFor(caller, asked, verb), ({ answer }) => answer),
  )
  const isOwn = idOf(first.view) === proof.id
  // A repeated call tries again what was unknown or not captured at the first call.
  const answer =
    first.replayed && isOwn
      ? yield* used(Effect.map(verb, (shown) => ({ view: shown as object, replayed: true })))
      : yield* asItIsNow(first, (bought) => getIntent(caller, idOf(bought)))
  return {
    answer,
    settlement: settlementOf(answer.view as IntentView, proof.id),
  } satisfies ProvenAnswer
})
