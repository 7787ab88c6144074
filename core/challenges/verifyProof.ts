import { Clock, Effect } from "effect"
import type { Caller } from "../accounts/Account.ts"
import { asOf } from "../payments/Lifecycle.ts"
import { isLate, type SettleTerms, useOf } from "./Challenge.ts"
import { payerOf } from "./ChallengeView.ts"
import { checkIdentifier } from "./identifyPurchase.ts"
import {
  checkParts,
  findProven,
  flawOf,
  missing,
  type ShownProof,
  storedPayment,
  used,
} from "./provenPayment.ts"

/** How a proof is verified. */
interface VerifyTerms extends Pick<SettleTerms, "within"> {
  /** Whether less than the whole payment may be taken afterwards. */
  readonly inPart?: boolean
}

/**
 * Checks whether a proof would be accepted now (x402, verify): its payment is authorized or made,
 * for these terms, in time, and not used up. Returns who pays, and changes nothing.
 *
 * Fails like `settleProof`.
 */
export const verifyProof = Effect.fn("verifyProof")(function* (
  caller: Caller,
  id: string,
  { inPart = false, within, ...proof }: VerifyTerms & ShownProof,
) {
  const challenge = yield* findProven(caller, id, proof)
  const now = yield* Clock.currentTimeMillis
  if (useOf(challenge, now) === "used") return yield* used(challenge)
  yield* checkIdentifier(challenge, proof.payment_identifier)
  const intent = asOf(yield* storedPayment(id), now)
  const flaw = flawOf(intent, isLate(challenge, within, now)) ?? missing(intent)
  if (flaw !== undefined) return yield* flaw
  if (inPart) yield* checkParts(intent)
  return { payer: payerOf(intent) }
})
