import { Clock, Effect } from "effect"
import { approveTwice, decideAlone } from "../../audit/approveTwice.ts"
import { audited } from "../../audit/audited.ts"
import { replyWith, retryConflict } from "../../idempotency/requestKey.ts"
import { Store } from "../../ports/Store.ts"
import { pass, refuse, storing } from "../verifications/decideVerification.ts"
import { findVerification, showVerification } from "../verifications/ownVerification.ts"
import type { ReviewInput } from "./ReviewInput.ts"
import { cannot } from "../verifications/Verification.ts"
import { asOf } from "../verifications/VerificationView.ts"

/**
 * Records a reviewer's decision about a verification. Only a reviewer approves a business, or an
 * identity whose authority does not answer. A reviewer cannot approve the level `basic`, which
 * takes a code. A pending or verified verification can be rejected.
 */
export const reviewVerification = Effect.fn("reviewVerification")(function* (
  id: string,
  { decision, reason }: ReviewInput,
) {
  return yield* retryConflict(
    Effect.gen(function* () {
      const at = yield* Clock.currentTimeMillis
      const verification = asOf(yield* findVerification(id), at)
      if (decision === "approve" && verification.level === "basic") {
        return yield* cannot(verification, "approved: its code is to be answered")
      }
      const rejection = {
        code: "compliance_rejected",
        message: reason ?? "A reviewer has rejected the verification.",
        details: {},
      }
      const decided = yield* decision === "approve"
        ? pass(verification, at)
        : refuse(verification, rejection, at)
      const { account_id, level, status, updated_at } = verification
      const details = { account_id, level, was: status }
      const undecided = yield* showVerification(verification)
      const subject = `${id}:${updated_at}`
      // A rejection raises no level, so that one reviewer is enough.
      const approval = yield* decision === "reject"
        ? decideAlone(subject)
        : approveTwice(subject, {
            guards: [{ kind: "verification", id, version: verification.version }],
            ...(yield* replyWith(undecided)),
            ...(yield* audited("verification.approval_proposed", id, details)),
          })
      if (approval.type === "first") return undecided
      const view = yield* showVerification(decided.verification)
      const action = decision === "approve" ? "verification.approved" : "verification.rejected"
      yield* (yield* Store).commit({
        ...storing(decided),
        keys: approval.keys,
        ...(yield* replyWith(view)),
        ...(yield* audited(action, id, details)),
      })
      return view
    }),
  )
})
