import { Clock, Effect } from "effect"
import type { Caller } from "../accounts/Account.ts"
import { replyWith, retryConflict } from "../idempotency/requestKey.ts"
import { show } from "../payments/IntentView.ts"
import type { PaymentIntent } from "../payments/PaymentIntent.ts"
import { Store } from "../ports/Store.ts"
import {
  isLate,
  isRepetition,
  redeemed,
  type Redeemed,
  type SettleTerms,
  useOf,
} from "./Challenge.ts"
import type { RedeemInput } from "./ChallengeInput.ts"
import { redemptionView, settlementView } from "./ChallengeView.ts"
import { identifyPurchase } from "./identifyPurchase.ts"
import { findHeld, findPaid, findProven, notHeld, type ShownProof, used } from "./provenPayment.ts"

/** How a proof is accepted. */
interface Accepting<V> {
  /** Whether one that has been used is accepted again, as the same use: where it is named alike. */
  readonly repeated: boolean | "named"
  /** How many seconds after its payment began a proof is accepted first; at any time without it. */
  readonly within?: number | undefined
  /** How much is taken, in minor units; all of it unless it is said. */
  readonly takes?: number | undefined
  /** Whether nothing is taken for now, and a part of it may be later. */
  readonly holds?: boolean
  /** Whether its seller captures an authorized payment later. */
  readonly later?: boolean
  readonly view: (challenge: Redeemed, intent: PaymentIntent, isRepeated: boolean) => V
}

const accept = Effect.fnUntraced(function* <V>(
  caller: Caller,
  id: string,
  proof: ShownProof,
  { holds = false, later = false, repeated, takes, view: shown, within }: Accepting<V>,
) {
  const proven = yield* findProven(caller, id, proof)
  const { payment_identifier } = proof
  const before = yield* Clock.currentTimeMillis
  const isAgain = isRepetition(proven, payment_identifier, before)
  const isHeard = repeated === "named" ? isAgain : repeated
  if (!isHeard && useOf(proven, before) === "used") return yield* used(proven)
  const late = isLate(proven, within, before)
  const challenge = yield* identifyPurchase(proven, payment_identifier, late)
  const { redeemed_at } = challenge
  const intent = holds
    ? yield* findHeld(id, late)
    : yield* findPaid(caller, id, { isLate: late, later, takes })
  if (redeemed_at !== null) return shown({ ...challenge, redeemed_at }, intent, isAgain)
  const now = yield* Clock.currentTimeMillis
  const record = redeemed(challenge, now)
  const view = shown(record, intent, false)
  yield* (yield* Store).commit({
    writes: [{ op: "replace", kind: "challenge", record }],
    guards: [{ kind: "payment_intent", id: intent.id, version: intent.version }],
    contended: true,
    ...(yield* replyWith(view)),
  })
  return view
})

/**
 * Accepts the proof that somebody shows a paid endpoint (HTTP 402 mode), on behalf of its seller:
 * the payment is captured where it is only authorized, and the proof is used up, once, whoever else
 * shows it at the same time; one with a time opens its resource again until that is over. Under an
 * identifier the same purchase is told of again for an hour, as a repetition. With `capture: later`
 * an authorized payment stays so, and its seller captures it within its time; with `in_part` the
 * same, at a channel that captures parts.
 *
 * Fails with `PAYMENT_PROOF_INVALID`, `PAYMENT_PROOF_USED`, `PAYMENT_IDENTIFIER_USED` where another
 * payment was shown under the identifier, `PAYMENT_REQUIRED` while nothing is paid
 * (`details.status` says whether it still can be), with `PAYMENT_UNRESOLVED` while nobody knows,
 * and with `INSUFFICIENT_KYC` where the seller's day has no room for the capture.
 */
export const redeemProof = Effect.fn("redeemProof")(
  (caller: Caller, id: string, { capture, ...proof }: RedeemInput) =>
    retryConflict(
      accept(caller, id, proof, {
        repeated: "named",
        later: capture === "later",
        holds: capture === "in_part",
        view: redemptionView,
      }),
    ),
)

/**
 * Settles the payment that a proof proves (x402, settle), as {@link redeemProof} accepts it. The
 * money is taken once, whoever asks how often: with `repeated` each repetition is told what the
 * first one was, without it a proof that was used up is refused with `PAYMENT_PROOF_USED`, under
 * its identifier too. `takes` is how much of the payment is taken, and the rest released, all where
 * it is 0: another amount than before is refused with `PAYMENT_PROOF_USED`.
 */
export const settleProof = Effect.fn("settleProof")(
  (caller: Caller, id: string, { repeated, takes, within, ...proof }: SettleTerms & ShownProof) =>
    retryConflict(accept(caller, id, proof, { repeated, takes, within, view: settlementView })),
)

/**
 * Has the payment that a proof proves held for its seller (x402, `auth-capture`): the proof is used
 * up, and {@link finishHeld} takes the money, or a part of it, until the payment's time is over.
 * The same again is answered alike.
 */
export const holdProof = Effect.fn("holdProof")(
  (caller: Caller, id: string, { repeated, within, ...proof }: SettleTerms & ShownProof) =>
    retryConflict(
      accept(caller, id, proof, {
        repeated,
        within,
        holds: true,
        view: (challenge, intent) => ({
          ...settlementView(challenge, intent),
          amount: challenge.amount,
        }),
      }),
    ),
)

/**
 * Takes what is held by {@link holdProof}, or releases all of it where `takes` is 0; the rest is
 * released. It is done once, and the same again is answered alike.
 *
 * Fails with `PAYMENT_REQUIRED` where nothing was held, and as {@link settleProof}.
 */
export const finishHeld = Effect.fn("finishHeld")(function* (
  caller: Caller,
  id: string,
  { takes, within: _within, ...proof }: SettleTerms & ShownProof,
) {
  const { redeemed_at } = yield* findProven(caller, id, proof)
  if (redeemed_at === null) return yield* notHeld(id)
  return yield* retryConflict(
    accept(caller, id, proof, { repeated: true, takes, view: settlementView }),
  )
})

/**
 * Takes the payment that a proof proves where a tool is called with it, on behalf of its seller:
 * answers with the payment as its buyer's account sees it. A proof that was used up, here or at any
 * other door, is refused with `PAYMENT_PROOF_USED`.
 *
 * Fails as {@link redeemProof} does.
 */
export const spendProof = Effect.fn("spendProof")(
  (seller: Caller, id: string, { viewer, within, ...proof }: SpendTerms & ShownProof) =>
    retryConflict(
      accept(seller, id, proof, {
        repeated: false,
        within,
        view: (_challenge, intent) => show(intent, viewer),
      }),
    ),
)

/** How a tool takes a proof, and whose account is answered. */
interface SpendTerms extends Pick<SettleTerms, "within"> {
  readonly viewer: string
}
