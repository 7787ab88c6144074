import { Clock, Effect, Result } from "effect"
import type { Caller } from "../../accounts/Account.ts"
import { approveTwice, decideAlone } from "../../audit/approveTwice.ts"
import { audited } from "../../audit/audited.ts"
import { replyWith, retryConflict } from "../../idempotency/requestKey.ts"
import { Ids } from "../../ports/Ids.ts"
import { Store, type Write } from "../../ports/Store.ts"
import { Failure, notFound } from "../../shared/Failure.ts"
import { isId } from "../../shared/Id.ts"
import type { Timestamp } from "../../shared/Timestamp.ts"
import {
  type Appeal,
  type AppealInput,
  appealMachine,
  type AppealReviewInput,
  RESOLUTION,
} from "./Appeal.ts"
import { moveVerification, pass, storing } from "../verifications/decideVerification.ts"
import { findVerification } from "../verifications/ownVerification.ts"
import { openPersonal, sealPersonal } from "../verifications/sealedData.ts"
import { cannot, RETENTION, scheduled } from "../verifications/Verification.ts"
import { appealView } from "./AppealView.ts"

/**
 * Records an appeal against the rejection of a verification of the caller's account (KYC/KYB, POST
 * /v1/kyc/appeal). A rejection can be appealed once; the level in force does not change.
 */
export const appeal = Effect.fn("appeal")(function* (caller: Caller, input: AppealInput) {
  const store = yield* Store
  const id = `appl_${(yield* Ids).uuid()}`
  return yield* retryConflict(
    Effect.gen(function* () {
      const at = yield* Clock.currentTimeMillis
      const verification = yield* findVerification(input.verification_id, caller.account.id)
      if (verification.status !== "rejected") return yield* cannot(verification, "appealed against")
      if (verification.appeal_id !== null) return yield* appealed(verification.appeal_id)
      const record: Appeal = {
        status: "under_review",
        id,
        version: 1,
        account_id: verification.account_id,
        verification_id: verification.id,
        estimated_resolution: at + RESOLUTION,
        created_at: at,
        updated_at: at,
      }
      const personal = { ...(yield* openPersonal(verification)), appeal: input.reason }
      const sealed = yield* sealPersonal(verification.id, personal)
      const keep_until = Math.max(verification.keep_until, at + RETENTION)
      const view = appealView(record)
      yield* store.commit({
        writes: [
          { op: "insert", kind: "appeal", record },
          {
            op: "replace",
            kind: "verification",
            record: scheduled({ ...verification, appeal_id: id, sealed, keep_until }),
          },
        ],
        ...(yield* replyWith(view)),
      })
      return view
    }),
  )
})

const appealed = (appeal_id: string) =>
  new Failure({
    code: "INVALID_TRANSITION",
    message: "This rejection has been appealed against already.",
    details: { appeal_id },
  })

/** Finds an appeal by its id. With `accountId`, an appeal of another account is not found. */
export const findAppeal = Effect.fnUntraced(function* (id: string, accountId?: string) {
  if (!isId("appl", id)) return yield* notFound("appeal", id)
  const found = yield* (yield* Store).find("appeal", id)
  if (found === undefined || (accountId !== undefined && found.account_id !== accountId)) {
    return yield* notFound("appeal", id)
  }
  return found
})

/** Shows an appeal to the account that made it. */
export const getAppeal = Effect.fn("getAppeal")(function* (caller: Caller, id: string) {
  return appealView(yield* findAppeal(id, caller.account.id))
})

/**
 * Moves the rejected verification through `pending` to `verified`. Fails where its contact already
 * verifies the most agents: the appeal waits until one gives the contact back, or is upheld.
 */
const overturn = Effect.fnUntraced(function* ({ verification_id }: Appeal, at: Timestamp) {
  const rejected = yield* findVerification(verification_id)
  const pending = yield* moveVerification(rejected, { type: "reopened", at })
  const decided = yield* pass(pending, at)
  if (decided.verification.status !== "verified") {
    return yield* cannot(
      rejected,
      "verified: its e-mail address or phone already verifies the most agents",
    )
  }
  return storing(decided)
})

const closed = ({ id, status }: Appeal) =>
  new Failure({
    code: "INVALID_TRANSITION",
    message: `The appeal was already decided: it is ${status}.`,
    details: { appeal_id: id, status },
  })

/** Records a reviewer's decision about an appeal. */
export const reviewAppeal = Effect.fn("reviewAppeal")(function* (
  id: string,
  { decision }: AppealReviewInput,
) {
  return yield* retryConflict(
    Effect.gen(function* () {
      const at = yield* Clock.currentTimeMillis
      const found = yield* findAppeal(id)
      const moved = appealMachine.step(found, { type: decision, at })
      if (Result.isFailure(moved)) return yield* closed(found)
      const { record } = moved.success
      const own: Write = { op: "replace", kind: "appeal", record }
      const rest =
        decision === "overturned"
          ? yield* overturn(found, at)
          : { writes: [], events: [], reservations: [] }
      const { account_id, verification_id } = found
      const undecided = appealView(found)
      const subject = `${id}:${found.updated_at}`
      // Upholding a rejection raises no level, so that one reviewer is enough.
      const approval = yield* decision === "upheld"
        ? decideAlone(subject)
        : approveTwice(subject, {
            guards: [{ kind: "appeal", id, version: found.version }],
            ...(yield* replyWith(undecided)),
            ...(yield* audited("appeal.overturn_proposed", id, { account_id, verification_id })),
          })
      if (approval.type === "first") return undecided
      const view = appealView(record)
      yield* (yield* Store).commit({
        writes: [own, ...rest.writes],
        events: rest.events,
        reservations: rest.reservations,
        keys: approval.keys,
        ...(yield* replyWith(view)),
        ...(yield* audited(`appeal.${decision}`, id, { account_id, verification_id })),
      })
      return view
    }),
  )
})
