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
import type { ServiceManifest } from "../registry/ServiceManifest.ts"
import { catchFailure } from "../shared/catchFailure.ts"
import { notFound } from "../shared/Failure.ts"
import { answerPurchaseFor, asItIsNow } from "./answerPurchase.ts"
import { type ProvenAnswer, provenTerms, settlementOf, type ToolProof } from "./Demand.ts"
import { decodePayOneTime } from "./OneTimeTool.ts"
import { purchaseAsked } from "./payOneTime.ts"

/** Refuses a payment that another account has begun, or that is made by another agent. */
const requireOwn = Effect.fnUntraced(function* (caller: Caller, id: string, agent_id: string) {
  const intent = yield* findVisible(caller, id).pipe(catchFailure(["NOT_FOUND"], invalid))
  if (intent.account_id !== caller.account.id) return yield* invalid()
  if (intent.payer.agent_id !== agent_id) return yield* boundElsewhere("agent_id")
  yield* requireScope(caller, "pay", { payment_intent: id, service_id: intent.service_id })
})

/** A payment of which nobody knows yet whether its money was taken. */
const asUnknown = Effect.fnUntraced(function* (caller: Caller, id: string) {
  const intent = yield* findVisible(caller, id)
  const shown = intent.status === "capturing" ? { channel_outcome: "unknown" as const } : {}
  const now = yield* Clock.currentTimeMillis
  return { ...view(intent, now, caller.account.id), ...shown } satisfies IntentView
})

/**
 * Takes the money of a proven payment. Where the channel does not say what it did, that is the
 * answer, and the purchase is made: another payment for it is not taken meanwhile.
 */
const spend = (caller: Caller, seller: Caller, { id, ...proof }: ToolProof) =>
  spendProof(seller, id, { ...proof, viewer: caller.account.id }).pipe(
    catchFailure(["PAYMENT_UNRESOLVED"], () =>
      Effect.andThen(answerForGood, asUnknown(caller, id)),
    ),
  )

const idOf = (answered: object): string => String(Reflect.get(answered, "id"))

/**
 * Pays a service once with a payment that the caller has begun and its person has authorized, as a
 * tool is called: the money is taken, once, and the proof is used up. The same purchase is one,
 * whether it is paid by a proof or as a tool pays otherwise: where another payment has made it,
 * that one is the answer, and nothing of this one is taken. The same proof again is answered with
 * its payment as it is then.
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
  // What was not known at the first call, or not taken, is seen to by the next one.
  const answer =
    first.replayed && isOwn
      ? yield* used(Effect.map(verb, (shown) => ({ view: shown as object, replayed: true })))
      : yield* asItIsNow(first, (bought) => getIntent(caller, idOf(bought)))
  return {
    answer,
    settlement: settlementOf(answer.view as IntentView, proof.id),
  } satisfies ProvenAnswer
})
