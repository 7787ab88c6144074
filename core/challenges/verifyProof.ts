import { Clock, Effect } from "effect"
import type { Caller } from "../accounts/Account.ts"
import { asOf } from "../payments/Lifecycle.ts"
import { isLate, type SettleTerms, useOf } from "./Challenge.ts"
import { payerOf } from "./ChallengeView.ts"
import { checkIdentifier } from "./identifyPurchase.ts"
import { findProven, flawOf, type ShownProof, storedPayment, used } from "./provenPayment.ts"

/**
 * Whether a proof would be accepted now (x402, verify): its payment is authorized or made, for just
 * this, in time, and not used up. Returns who pays, and changes nothing.
 *
 * Fails as `settleProof` would.
 */
export const verifyProof = Effect.fn("verifyProof")(function* (
  caller: Caller,
  id: string,
  { within, ...proof }: Pick<SettleTerms, "within"> & ShownProof,
) {
  const challenge = yield* findProven(caller, id, proof)
  const now = yield* Clock.currentTimeMillis
  if (useOf(challenge, now) === "used") return yield* used(challenge)
  yield* checkIdentifier(challenge, proof.payment_identifier)
  const intent = asOf(yield* storedPayment(id), now)
  const flaw = flawOf(intent, isLate(challenge, within, now))
  return flaw === undefined ? { payer: payerOf(intent) } : yield* flaw
})
