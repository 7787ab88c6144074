import { Effect } from "effect"
import type { RevocationOrder, RevocationOutcome, Revoker } from "../../core/ports/Revoker.ts"
import type { RevocationError } from "../../core/revocations/Revocation.ts"

const failed = (code: RevocationError["code"], message: string): RevocationOutcome => ({
  type: "failed",
  error: { code, message },
})

/** Returns the test outcome for a target by the beginning of its id; undefined without one. */
const testOutcome = ({ attempt, revocation }: RevocationOrder): RevocationOutcome | undefined => {
  const { target_id } = revocation
  if (target_id.startsWith("missing_")) {
    return failed("revocation_target_not_found", "The sandbox knows no such target.")
  }
  if (target_id.startsWith("forbidden_")) {
    return failed("permission_error", "The sandbox does not let this target be revoked.")
  }
  return target_id.startsWith("flaky_") && attempt <= 2
    ? failed("revocation_unavailable", "The sandbox fails twice with this target.")
    : undefined
}

/**
 * Lets testers see every outcome: identifiers that begin with `missing_` are not found,
 * `forbidden_` ones may not be revoked, and `flaky_` ones fail twice before they succeed.
 */
export const sandbox = (real: Revoker["Service"]): Revoker["Service"] => ({
  revoke: (order) => {
    const outcome = testOutcome(order)
    return outcome === undefined ? real.revoke(order) : Effect.succeed(outcome)
  },
})
