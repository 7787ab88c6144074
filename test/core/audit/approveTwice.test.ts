import { describe, expect, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { TestClock } from "effect/testing"
import { CurrentOperator } from "../../../core/audit/CurrentOperator.ts"
import { appeal, reviewAppeal } from "../../../core/kyc/reviews/appeals.ts"
import { lookAfterVerification } from "../../../core/kyc/verifications/lookAfterVerification.ts"
import { reviewVerification } from "../../../core/kyc/reviews/reviewVerification.ts"
import type { CheckOutcome } from "../../../core/ports/IdentityVerifier.ts"
import { Store } from "../../../core/ports/Store.ts"
import { MINUTE } from "../../../core/shared/Timestamp.ts"
import { T0 } from "../../support/records.ts"
import { codeOf, seed } from "../../support/world.ts"
import { caller, DATA, kycWorld, makePost, submit } from "../kyc/kycWorld.ts"

const by = (key: string) =>
  Effect.provideService(CurrentOperator, {
    actor: `operator:${key}`,
    request_id: "req_1",
    one_of_two: { key, reviewers: new Set(["ann", "ben", "cat"]) },
  })

/** Whether an approval of the record, in its state of that time, waits for a second one. */
const waits = Effect.fnUntraced(function* (id: string, at = T0) {
  const name = { key: `approval:${id}:${at}`, owner: "probe" }
  const keys = [{ op: "claim", ...name } as const, { op: "release", ...name } as const]
  return Exit.isFailure(yield* Effect.exit((yield* Store).commit({ writes: [], keys })))
})

/** A verification that waits for an authority, until the authority has answered. */
const pending = Effect.gen(function* () {
  yield* seed({ default_channel: "wallet_a" })
  yield* TestClock.setTime(T0)
  const { verification_id } = yield* submit("enhanced", {
    data: { ...DATA.enhanced, document_number: "P1239999" },
  })
  return verification_id
})

const approve = (id: string) => reviewVerification(id, { decision: "approve" })
const reject = (id: string) => reviewVerification(id, { decision: "reject" })

describe("a first approval", () => {
  const inWorld = Effect.provide(kycWorld(makePost()))

  it.effect("waits for another operator's, and goes with it", () =>
    Effect.gen(function* () {
      const id = yield* pending
      for (const _ of [1, 2]) expect((yield* approve(id).pipe(by("ann"))).status).toBe("pending")
      expect(yield* waits(id)).toBe(true)
      expect((yield* approve(id).pipe(by("ben"))).status).toBe("verified")
      expect(yield* waits(id)).toBe(false)
    }).pipe(inWorld),
  )

  it.effect.each(["ann", "ben"])("goes with a rejection by %s, and comes no more", (operator) =>
    Effect.gen(function* () {
      const id = yield* pending
      yield* approve(id).pipe(by("ann"))
      expect((yield* reject(id).pipe(by(operator))).status).toBe("rejected")
      expect(yield* waits(id)).toBe(false)
      expect(yield* codeOf(approve(id).pipe(by("ann")))).toBe("INVALID_TRANSITION")
      expect(yield* waits(id)).toBe(false)
    }).pipe(inWorld),
  )

  it.effect("of an appeal goes when that is upheld", () =>
    Effect.gen(function* () {
      const verification_id = yield* pending
      yield* reject(verification_id).pipe(by("ann"))
      const { appeal_id } = yield* appeal(caller, { verification_id, reason: "It is mine." })
      const decide = (decision: "upheld" | "overturned", operator: string) =>
        reviewAppeal(appeal_id, { decision }).pipe(by(operator))
      expect((yield* decide("overturned", "ann")).status).toBe("under_review")
      expect(yield* waits(appeal_id)).toBe(true)
      expect((yield* decide("upheld", "ben")).status).toBe("upheld")
      expect(yield* waits(appeal_id)).toBe(false)
    }).pipe(inWorld),
  )

  it.effect("goes when the authority has decided meanwhile", () => {
    let isAway = true
    const askAuthority = () =>
      Effect.sync((): CheckOutcome =>
        isAway ? { type: "unavailable", message: "Away." } : { type: "passed" },
      )
    return Effect.gen(function* () {
      const id = yield* pending
      yield* approve(id).pipe(by("ann"))
      expect(yield* waits(id)).toBe(true)
      isAway = false
      yield* TestClock.setTime(T0 + MINUTE)
      const store = yield* Store
      yield* lookAfterVerification((yield* store.find("verification", id))!)
      expect((yield* store.find("verification", id))?.status).toBe("verified")
      expect(yield* waits(id)).toBe(false)
    }).pipe(Effect.provide(kycWorld(makePost(), { askAuthority })))
  })
})
