import { Effect } from "effect"
import { type CheckOutcome, IdentityVerifier } from "../../ports/IdentityVerifier.ts"
import type { IdentityData } from "./Submission.ts"

/**
 * Makes the three checks of an identity in order, until one does not pass (KYC/KYB, enhanced
 * verification). Without a document there is nothing to check: a channel has confirmed its user.
 */
export const checkIdentity = Effect.fnUntraced(function* (
  verification_id: string,
  data: IdentityData,
) {
  const verifier = yield* IdentityVerifier
  const check = { verification_id, data }
  const passed: CheckOutcome = { type: "passed" }
  if (data.document_number === undefined) return passed
  for (const ask of [verifier.checkFormat, verifier.askAuthority, verifier.matchIdentity]) {
    const outcome = yield* ask(check)
    if (outcome.type !== "passed") return outcome
  }
  return passed
})
