import { describe, expect, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { TestClock } from "effect/testing"
import { captureIntent } from "../../../core/payments/captureIntent.ts"
import { createOneTime } from "../../../core/payments/createOneTime.ts"
import { cancelIntent, voidIntent } from "../../../core/payments/endIntent.ts"
import { getIntent } from "../../../core/payments/getIntent.ts"
import { Failure } from "../../../core/shared/Failure.ts"
import { toIso } from "../../../core/shared/Timestamp.ts"
import { aService, T0 } from "../../support/records.ts"
import { makeScript } from "../../support/scriptedChannels.ts"
import { as, buyer, codeOf, seed, seller, walk, world } from "../../support/world.ts"

const input = {
  service_id: aService({ n: 1 }).id,
  amount: { currency: "USD", value: 699 },
  description: "Summary of one paper",
  payer: { agent_id: "buyer-agent" },
} as const

const create = (said: object = {}) => createOneTime(as(buyer), { ...input, ...said })

describe("creating a One-Time payment", () => {
  it.effect("answers with the deep link of the first channel that has them", () =>
    Effect.gen(function* () {
      yield* seed({
        accepted_channels: ["business_b", "wallet_b", "wallet_a"],
        default_channel: null,
      })
      const made = yield* create({ metadata: { order: 7 } })
      expect(made).toMatchObject({
        status: "pending",
        channel: "wallet_a",
        deeplink: `svc://pay/${made.id}?amount=699&currency=USD&channel=wallet_a`,
        payer: { agent_id: "buyer-agent", human_id: null },
        expires_at: toIso(T0 + 5 * 60_000),
      })
      expect(made).not.toHaveProperty("qr")
      expect(yield* getIntent(as(buyer), made.id)).toEqual(made)
    }).pipe(Effect.provide(world(makeScript()))),
  )

  it.effect("refuses a channel without deep links", () =>
    Effect.gen(function* () {
      yield* seed({ accepted_channels: ["business_b"], default_channel: null })
      expect(yield* codeOf(create({ channel: "business_b" }))).toBe("CHANNEL_NO_DEEPLINK")
      expect(yield* codeOf(create())).toBe("CHANNEL_NO_DEEPLINK")
    }).pipe(Effect.provide(world(makeScript()))),
  )

  it.effect("shows a link that the channel could not make as failed", () => {
    const script = makeScript()
    script.refuse = () => "generation_failed"
    return Effect.gen(function* () {
      yield* seed()
      const made = yield* create({ metadata: { order: 7 } })
      expect(made).toMatchObject({ status: "failed", failure_code: "CHANNEL_ERROR" })
      expect(made).not.toHaveProperty("deeplink")
      script.refuse = () => undefined
      expect((yield* create({ metadata: { order: 7 } })).status).toBe("pending")
    }).pipe(Effect.provide(world(script)))
  })
})

describe("the life of a One-Time payment", () => {
  it.effect("is completed by its payment, and has no capture", () =>
    Effect.gen(function* () {
      yield* seed()
      const { id } = yield* create()
      yield* TestClock.adjust(1_000)
      yield* walk(id, "SCANNED", "AUTHORIZED")
      expect(yield* getIntent(as(buyer), id)).toMatchObject({ status: "pending" })
      yield* walk(id, "SUCCESS", "SUCCESS")
      const completed = yield* getIntent(as(buyer), id)
      expect(completed).toMatchObject({
        status: "completed",
        auto_paid: false,
        channel_txn_id: "trade-1",
        succeeded_at: toIso(T0 + 1_000),
      })
      for (const fact of ["scanned_at", "authorized_at", "captured_at", "qr"]) {
        expect(completed).not.toHaveProperty(fact)
      }
      expect(yield* codeOf(captureIntent(as(seller), id))).toBe("INVALID_TRANSITION")
      expect(yield* codeOf(voidIntent(as(buyer), id))).toBe("INVALID_TRANSITION")
    }).pipe(Effect.provide(world(makeScript()))),
  )

  it.effect("can be voided and cancelled while it is pending", () =>
    Effect.gen(function* () {
      yield* seed()
      const first = yield* create()
      expect((yield* voidIntent(as(buyer), first.id)).status).toBe("voided")
      const second = yield* create()
      expect((yield* cancelIntent(as(seller), second.id)).status).toBe("cancelled")
    }).pipe(Effect.provide(world(makeScript()))),
  )
})

describe("a second attempt with the same service, payer and metadata", () => {
  const again = (said: object = {}) => create({ metadata: { a: 1, b: 2 }, ...said })

  it.effect("is refused, whatever the order of the metadata, and names the first", () =>
    Effect.gen(function* () {
      yield* seed()
      const { id } = yield* again()
      const exit = yield* Effect.exit(again({ metadata: { b: 2, a: 1 }, description: "other" }))
      if (Exit.isSuccess(exit)) return expect.unreachable("the second attempt is refused")
      const failure = exit.cause.reasons.find((reason) => reason._tag === "Fail")?.error
      expect(failure).toBeInstanceOf(Failure)
      expect(failure).toMatchObject({
        code: "IDEMPOTENCY_KEY_USED",
        details: { payment_intent: id },
      })
      yield* walk(id, "SUCCESS")
      expect(yield* codeOf(again())).toBe("IDEMPOTENCY_KEY_USED")
    }).pipe(Effect.provide(world(makeScript()))),
  )

  const others: ReadonlyArray<readonly [string, object]> = [
    ["other metadata", { metadata: { a: 1, b: 3 } }],
    ["no metadata", { metadata: undefined }],
    ["empty metadata", { metadata: {} }],
    ["another agent", { payer: { agent_id: "second-agent" } }],
  ]
  it.effect.each(others)("is another payment with %s", ([, said]) =>
    Effect.gen(function* () {
      yield* seed()
      yield* again(said)
      yield* again(said).pipe(codeOf)
      expect((yield* again()).status).toBe("pending")
    }).pipe(Effect.provide(world(makeScript()))),
  )

  it.effect("is free again after a failure, a void, a cancellation and an expiry", () =>
    Effect.gen(function* () {
      yield* seed()
      yield* walk((yield* again()).id, "REJECTED")
      yield* voidIntent(as(buyer), (yield* again()).id)
      yield* cancelIntent(as(seller), (yield* again()).id)
      const unnoticed = yield* again()
      yield* TestClock.adjust("5 minutes")
      expect((yield* again()).status).toBe("pending")
      expect(yield* getIntent(as(buyer), unnoticed.id)).toMatchObject({ status: "expired" })
    }).pipe(Effect.provide(world(makeScript()))),
  )

  it.effect("racing with itself makes one payment", () =>
    Effect.gen(function* () {
      yield* seed()
      const codes = yield* Effect.all(
        Array.from({ length: 20 }, () => codeOf(again())),
        {
          concurrency: "unbounded",
        },
      )
      expect(codes.filter((code) => code === "succeeded").length).toBe(1)
      expect(codes.filter((code) => code === "IDEMPOTENCY_KEY_USED").length).toBe(19)
    }).pipe(Effect.provide(world(makeScript()))),
  )
})
