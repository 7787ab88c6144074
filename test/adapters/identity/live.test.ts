import { it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { expect } from "vitest"
import { liveIdentity } from "../../../adapters/identity/layer.ts"
import { getVerification } from "../../../core/kyc/verifications/ownVerification.ts"
import { reviewVerification } from "../../../core/kyc/reviews/reviewVerification.ts"
import { verify } from "../../../core/kyc/verifications/verify.ts"
import type { Failure } from "../../../core/shared/Failure.ts"
import { seed, world } from "../../support/world.ts"
import { makeScript } from "../../support/scriptedChannels.ts"
import { AGENT, caller, DATA } from "../../core/kyc/kycWorld.ts"

const live = Layer.merge(world(makeScript()), liveIdentity({ smtp: undefined, sms: undefined }))

it.effect("without carriers, levels that take a code are refused, and say why", () =>
  Effect.gen(function* () {
    yield* seed()
    const failure = (yield* Effect.flip(
      verify(caller, { agent_id: AGENT, level: "basic", data: DATA.basic }),
    )) as Failure
    expect(failure).toMatchObject({
      code: "TEMPORARILY_UNAVAILABLE",
      details: { missing: ["email", "sms"] },
    })
    expect(failure.message).toContain("email and sms")
  }).pipe(Effect.provide(live)),
)

it.effect("without a verifier, identities wait for a reviewer", () =>
  Effect.gen(function* () {
    yield* seed()
    const body = { agent_id: AGENT, level: "enhanced", data: DATA.enhanced } as const
    const { status, verification_id } = yield* verify(caller, {
      ...body,
      channel_credentials: { wallet_a_user_id: "ok_1" },
    })
    expect(status).toBe("pending")
    yield* reviewVerification(verification_id, { decision: "approve" })
    expect((yield* getVerification(caller, verification_id)).status).toBe("verified")
  }).pipe(Effect.provide(live)),
)
