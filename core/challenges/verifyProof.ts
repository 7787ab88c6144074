import { Clock, Effect } from "effect"
import type { Caller } from "../accounts/Account.ts"
import { type Channel, find } from "../channels/Channel.ts"
import { asOf } from "../payments/Lifecycle.ts"
import { Installation } from "../ports/Installation.ts"
import { Failure } from "../shared/Failure.ts"
import { isLate, type SettleTerms, useOf } from "./Challenge.ts"
import { payerOf } from "./ChallengeView.ts"
import { checkIdentifier } from "./identifyPurchase.ts"
import { findProven, flawOf, type ShownProof, storedPayment, used } from "./provenPayment.ts"

/** How a proof is looked at. */
interface VerifyTerms extends Pick<SettleTerms, "within"> {
  /** Whether less than its payment may be taken afterwards. */
  readonly inPart?: boolean
}

const wholeOnly = (channel: Channel | undefined) =>
  new Failure({
    code: "PAYMENT_PROOF_INVALID",
    message:
      `${channel?.id ?? "The channel"} captures a payment as a whole or not at all: ` +
      "pay by a channel with partial_capture.",
    field: "channel",
  })

/**
 * Whether a proof would be accepted now (x402, verify): its payment is authorized or made, for just
 * this, in time, and not used up. Returns who pays, and changes nothing.
 *
 * Fails as `settleProof` would.
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
  const flaw = flawOf(intent, isLate(challenge, within, now))
  if (flaw !== undefined) return yield* flaw
  const { catalog } = yield* Installation
  const channel = intent.channel === null ? undefined : find(catalog, intent.channel)
  if (inPart && channel?.partial_capture !== true) return yield* wholeOnly(channel)
  return { payer: payerOf(intent) }
})
