import { expect, it } from "@effect/vitest"
import { Clock, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { lookAfterVerification } from "../../../core/kyc/verifications/lookAfterVerification.ts"
import { getVerification } from "../../../core/kyc/verifications/ownVerification.ts"
import { Store } from "../../../core/ports/Store.ts"
import type { IdentityVerifier } from "../../../core/ports/IdentityVerifier.ts"
import { CurrentDeadline } from "../../../core/shared/CurrentDeadline.ts"
import { MINUTE, SECOND } from "../../../core/shared/Timestamp.ts"
import { seed } from "../../support/world.ts"
import { caller, kycWorld, makePost, submit } from "./kycWorld.ts"

const LIMIT = 10 * SECOND
const slow = () => Effect.as(Effect.sleep(4 * SECOND), { type: "passed" } as const)
const verifier = { checkFormat: slow, askAuthority: slow, matchIdentity: slow } satisfies Partial<
  IdentityVerifier["Service"]
>

it.effect("checks that take longer than a request are stored, and made again by the worker", () =>
  Effect.gen(function* () {
    yield* seed({ default_channel: "wallet_a" })
    const began = yield* Clock.currentTimeMillis
    const clock = yield* Clock.Clock
    const left = () => began + LIMIT - clock.currentTimeMillisUnsafe()
    const asking = Effect.provideService(submit("enhanced"), CurrentDeadline, { left })
    const fiber = yield* Effect.forkChild(asking)
    yield* TestClock.adjust(LIMIT - SECOND)
    const { status, verification_id } = yield* Fiber.join(fiber)
    expect(status).toBe("pending")

    yield* TestClock.adjust(MINUTE)
    const record = yield* (yield* Store).find("verification", verification_id)
    if (record === undefined) throw new Error("It is not stored.")
    const working = yield* Effect.forkChild(lookAfterVerification(record))
    yield* TestClock.adjust(15 * SECOND)
    yield* Fiber.join(working)
    expect(yield* getVerification(caller, verification_id)).toMatchObject({ status: "verified" })
  }).pipe(Effect.provide(kycWorld(makePost(), verifier))),
)
