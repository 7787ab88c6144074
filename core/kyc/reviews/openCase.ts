import { Clock, Effect } from "effect"
import { audited } from "../../audit/audited.ts"
import { Installation } from "../../ports/Installation.ts"
import { Store } from "../../ports/Store.ts"
import { findAppeal } from "./appeals.ts"
import { findVerification } from "../verifications/ownVerification.ts"
import { openPersonal } from "../verifications/sealedData.ts"
import type { Verification } from "../verifications/Verification.ts"
import { verificationView } from "../verifications/VerificationView.ts"
import { appealView } from "./AppealView.ts"

const opened = Effect.fnUntraced(function* (verification: Verification) {
  const installation = yield* Installation
  const personal = yield* openPersonal(verification)
  const at = yield* Clock.currentTimeMillis
  const view = {
    account_id: verification.account_id,
    ...verificationView(verification, personal.data, installation, at),
    data: personal.data,
    channel_credentials: personal.credentials,
  }
  return { personal, view }
})

/**
 * Shows a reviewer a verification with all submitted data. The audit log records the opening before
 * anything is shown.
 */
export const openVerification = Effect.fn("openVerification")(function* (id: string) {
  const verification = yield* findVerification(id)
  const { account_id, level } = verification
  const { view } = yield* opened(verification)
  yield* commitAlone(yield* audited("verification.opened", id, { account_id, level }))
  return view
})

/**
 * Shows a reviewer an appeal: its reason, and its verification as {@link openVerification} shows
 * it.
 */
export const openAppeal = Effect.fn("openAppeal")(function* (id: string) {
  const appeal = yield* findAppeal(id)
  const { account_id, verification_id } = appeal
  const { personal, view } = yield* opened(yield* findVerification(verification_id))
  yield* commitAlone(yield* audited("appeal.opened", id, { account_id, verification_id }))
  return {
    account_id,
    ...appealView(appeal),
    reason: personal.appeal ?? null,
    verification: view,
  }
})

/** A commit without guards or replaced versions cannot conflict. */
const commitAlone = (part: Effect.Success<ReturnType<typeof audited>>) =>
  Effect.flatMap(Store, (store) => store.commit({ writes: [], ...part })).pipe(
    Effect.catchTag("Conflict", Effect.die),
  )
