import { Clock, Effect } from "effect"
import type { Caller } from "../accounts/Account.ts"
import { replyWith, retryConflict } from "../idempotency/requestKey.ts"
import { show } from "../payments/IntentView.ts"
import type { PaymentIntent } from "../payments/PaymentIntent.ts"
import { Store } from "../ports/Store.ts"
import {
  isDeposit,
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
import {
  findHeld,
  findPaid,
  findProven,
  missing,
  notHeld,
  type ShownProof,
  used,
} from "./provenPayment.ts"

/** How a proof is accepted. */
interface Accepting<V> {
  /** Whether a used proof is accepted again as the same use; `named`: under the same identifier. */
  readonly repeated: boolean | "named"
  /**
   * How many seconds after its payment began a proof may first be accepted; no limit without it.
   */
  readonly within?: number | undefined
  /** How much is taken, in minor units; all of it by default. */
  readonly takes?: number | undefined
  /** Whether nothing is taken now, and a part may be taken later. */
  readonly holds?: boolean
  /** Whether its seller captures an authorized payment later. */
  readonly later?: boolean
  /**
   * Whether a proof that was accepted before opens its resource again, even if a part of its
   * payment was given back since, or was captured later.
   */
  readonly keepsOpen?: boolean
  readonly view: (challenge: Redeemed, intent: PaymentIntent, isRepeated: boolean) => V
}

const accept = Effect.fnUntraced(function* <V>(
  caller: Caller,
  id: string,
  proof: ShownProof,
  {
    holds = false,
    keepsOpen = false,
    later = false,
    repeated,
    takes,
    view: shown,
    within,
  }: Accepting<V>,
) {
  const proven = yield* findProven(caller, id, proof)
  const { payment_identifier } = proof
  const before = yield* Clock.currentTimeMillis
  const isAgain = isRepetition(proven, payment_identifier, before)
  const isHeard = repeated === "named" ? isAgain : repeated
  const isUsed = isDeposit(proven) || (!isHeard && useOf(proven, before) === "used")
  if (isUsed) return yield* used(proven)
  const late = isLate(proven, within, before)
  const challenge = yield* identifyPurchase(proven, payment_identifier, late)
  const { redeemed_at } = challenge
  const intent = holds
    ? yield* findHeld(id, late)
    : yield* findPaid(caller, id, { isLate: late, later, takes })
  const isOpen = keepsOpen && redeemed_at !== null
  const flaw = isOpen ? undefined : missing(intent, takes)
  if (flaw !== undefined) return yield* flaw
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
 * Accepts a proof that is shown to a paid endpoint (HTTP 402 mode), on behalf of its seller. It
 * captures a payment that is only authorized. The proof is used up once, even if it is shown
 * several times at once. A proof with a time opens its resource again until that is over. Under an
 * identifier the same purchase is answered again for an hour, as a repetition. With
 * `capture: later` an authorized payment stays so, and its seller captures it before it expires.
 * `in_part` is the same, at a channel that captures parts.
 *
 * Fails with `PAYMENT_PROOF_INVALID`; `PAYMENT_PROOF_USED`; `PAYMENT_IDENTIFIER_USED` if another
 * payment was shown under the identifier; `PAYMENT_REQUIRED` while nothing is paid
 * (`details.status` says whether it still can be); `PAYMENT_UNRESOLVED` while the outcome is
 * unknown; and `INSUFFICIENT_KYC` if the capture exceeds the seller's daily limit.
 */
export const redeemProof = Effect.fn("redeemProof")(
  (caller: Caller, id: string, { capture, ...proof }: RedeemInput) =>
    retryConflict(
      accept(caller, id, proof, {
        repeated: "named",
        later: capture === "later",
        holds: capture === "in_part",
        keepsOpen: true,
        view: redemptionView,
      }),
    ),
)

/**
 * Settles the payment that a proof proves (x402, settle), with the rules of {@link redeemProof}.
 * The money is taken once, however often this is called. With `repeated`, each repetition gets the
 * first answer. Without it, a used proof is refused with `PAYMENT_PROOF_USED`, also under its
 * identifier. `takes` is how much of the payment is taken. The rest is released: all of it if
 * `takes` is 0. Another amount than before is refused with `PAYMENT_PROOF_USED`.
 */
export const settleProof = Effect.fn("settleProof")(
  (caller: Caller, id: string, { repeated, takes, within, ...proof }: SettleTerms & ShownProof) =>
    retryConflict(accept(caller, id, proof, { repeated, takes, within, view: settlementView })),
)

/**
 * Holds the payment that a proof proves for its seller (x402, `auth-capture`). The proof is used
 * up. {@link finishHeld} takes the money, or a part of it, before the payment expires. The rules
 * of {@link settleProof} say who gets the same answer again.
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
 * Takes the money that {@link holdProof} holds, or releases all of it if `takes` is 0. The rest is
 * released. It happens once. A repetition gets the same answer.
 *
 * Fails with `PAYMENT_REQUIRED` if nothing was held, and like {@link settleProof}.
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
 * Takes the payment that a proof proves when a tool is called with it, on behalf of its seller.
 * Returns the payment as its buyer's account sees it. A used proof is refused with
 * `PAYMENT_PROOF_USED`, wherever it was used.
 *
 * Fails like {@link redeemProof}.
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

/** How a tool takes a proof. `viewer` is the account that the payment is shown to. */
interface SpendTerms extends Pick<SettleTerms, "within"> {
  readonly viewer: string
}
