import { describe, expect, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { TestClock } from "effect/testing"
import { agentRecordId } from "../../../core/kyc/agents/Agent.ts"
import type { TradeStatus } from "../../../core/gateway/ChannelCallback.ts"
import type { KycLevel } from "../../../core/channels/Channel.ts"
import { putInstall } from "../../../core/installs/putInstall.ts"
import { attemptPayment } from "../../../core/payments/attemptPayment.ts"
import { createIntent } from "../../../core/payments/createIntent.ts"
import { createOneTime } from "../../../core/payments/createOneTime.ts"
import { expireIntent } from "../../../core/payments/expireIntent.ts"
import { cancelIntent, voidIntent } from "../../../core/payments/endIntent.ts"
import { Store } from "../../../core/ports/Store.ts"
import { Vault } from "../../../core/ports/Vault.ts"
import { aService } from "../../support/records.ts"
import { makeScript } from "../../support/scriptedChannels.ts"
import {
  as,
  buyer,
  callback,
  codeOf,
  deliver,
  seed,
  seller,
  stranger,
  world,
} from "../../support/world.ts"

const usd = (value: number) => ({ currency: "USD", value })
const service_id = aService({ n: 1 }).id

const request = (value: number, said: object = {}, caller = buyer) =>
  createIntent(as(caller), {
    service_id,
    type: "one_time",
    amount: usd(value),
    description: "A report",
    ...said,
  })

/** The channel's callback about a payment of ten dollars. */
const told = (out_trade_no = "", trade_status: TradeStatus) =>
  callback({
    out_trade_no,
    trade_status,
    trade_no: `trade-of-${out_trade_no}`,
    total_amount: "10.00",
    payer_id: "hum-1",
    wallet_id: "wal-1",
  })

/** Puts the buyer's agent on another level. */
const putOn = Effect.fnUntraced(function* (level: KycLevel) {
  const store = yield* Store
  const id = agentRecordId(buyer.id, buyer.agent_id, (yield* Vault).sha256)
  const agent = yield* store.find("agent", id)
  if (agent === undefined) return yield* Effect.die("the buyer's agent has no record")
  const verified = [{ verification_id: "kyc_", level, expires_at: null, channels: [] }]
  const record = { ...agent, level, verified }
  yield* store.commit({ writes: [{ op: "replace", kind: "agent", record }] })
})

const details = <A, E, R>(self: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(self), (error) => Reflect.get(error as object, "details") as object)

const on = <A, E, R>(level: KycLevel, self: Effect.Effect<A, E, R>) =>
  Effect.andThen(Effect.andThen(seed(), putOn(level)), self)

describe("limits at a time", () => {
  it.effect.each([
    ["anonymous", 1_000],
    ["basic", 10_000],
    ["enhanced", 100_000],
    ["business", 1_000_000],
  ] as const)("%s may pay %d cents, and not one more", ([level, most]) =>
    on(
      level,
      Effect.gen(function* () {
        expect((yield* request(most)).status).toBe("pending")
        expect(yield* codeOf(request(most + 1))).toBe("INSUFFICIENT_KYC")
      }),
    ).pipe(Effect.provide(world(makeScript()))),
  )

  it.effect("hold for every way to create a payment", () =>
    on(
      "anonymous",
      Effect.gen(function* () {
        const oneTime = {
          service_id,
          amount: usd(1_001),
          description: "A report",
          payer: { agent_id: buyer.agent_id },
        }
        expect(yield* codeOf(createOneTime(as(buyer), oneTime))).toBe("INSUFFICIENT_KYC")
        expect(yield* codeOf(attemptPayment(as(buyer), oneTime))).toBe("INSUFFICIENT_KYC")
        const named = { payer: { agent_id: buyer.agent_id } }
        yield* putInstall(as(buyer), service_id, {})
        expect(yield* codeOf(request(1_001, named, seller))).toBe("INSUFFICIENT_KYC")
        expect((yield* request(1_001, {}, seller)).payer.agent_id).toBeNull()
      }),
    ).pipe(Effect.provide(world(makeScript()))),
  )

  it.effect("open no channel above the level, and say which level it takes", () =>
    Effect.gen(function* () {
      yield* seed({ accepted_channels: ["wallet_a", "business_a"], default_channel: null })
      yield* putOn("anonymous")
      expect((yield* request(500)).channel).toBe("wallet_a")
      expect(yield* details(request(500, { payer_channel: "business_a" }))).toMatchObject({
        required_kyc_level: "enhanced",
        limit: "channel",
        channel: "business_a",
      })
      yield* putOn("enhanced")
      expect((yield* request(500, { payer_channel: "business_a" })).channel).toBe("business_a")
    }).pipe(Effect.provide(world(makeScript()))),
  )
})

describe("limits of a day", () => {
  const tenOf = (value: number) => Effect.forEach(Array.from({ length: 10 }), () => request(value))

  it.effect("are full with what was created, until the next UTC day", () =>
    on(
      "anonymous",
      Effect.gen(function* () {
        yield* tenOf(1_000)
        expect(yield* details(request(1))).toMatchObject({
          limit: "daily",
          required_kyc_level: "basic",
        })
        yield* TestClock.adjust("1 day")
        expect((yield* request(1_000)).status).toBe("pending")
      }),
    ).pipe(Effect.provide(world(makeScript()))),
  )

  it.effect("get back what ends unpaid, and nothing else", () =>
    on(
      "anonymous",
      Effect.gen(function* () {
        const [first, second, third, fourth] = yield* tenOf(1_000)
        const room = Effect.map(codeOf(request(1_000)), (code) => code === "succeeded")
        expect(yield* room).toBe(false)
        yield* voidIntent(as(buyer), first?.id ?? "")
        expect([yield* room, yield* room]).toEqual([true, false])
        yield* cancelIntent(as(seller), second?.id ?? "")
        expect([yield* room, yield* room]).toEqual([true, false])
        yield* deliver(told(third?.id, "REJECTED"))
        expect([yield* room, yield* room]).toEqual([true, false])
        yield* deliver(told(fourth?.id, "AUTHORIZED"))
        expect(yield* room).toBe(false)
        yield* TestClock.adjust("16 minutes")
        const store = yield* Store
        const due = yield* store.claimDue("payment_intent", yield* Clock.currentTimeMillis, {
          limit: 100,
          lease: 1,
        })
        yield* Effect.forEach(due, expireIntent)
        yield* tenOf(1_000)
        expect(yield* room).toBe(false)
      }),
    ).pipe(Effect.provide(world(makeScript()))),
  )

  it.effect("are shared by the agents of an account that are not verified", () =>
    on(
      "anonymous",
      Effect.gen(function* () {
        for (let n = 0; n < 10; n++) yield* request(1_000, { payer: { agent_id: `helper-${n}` } })
        const another = request(1, { payer: { agent_id: "one-more" } })
        expect(yield* details(another)).toMatchObject({ limit: "daily" })
        expect((yield* request(1, {}, stranger)).status).toBe("pending")
        yield* putOn("basic")
        expect((yield* request(10_000)).status).toBe("pending")
      }),
    ).pipe(Effect.provide(world(makeScript()))),
  )

  it.effect("count what was paid before a verification", () =>
    on(
      "anonymous",
      Effect.gen(function* () {
        yield* tenOf(1_000)
        yield* putOn("basic")
        for (let n = 0; n < 9; n++) yield* request(10_000)
        expect(yield* details(request(1))).toMatchObject({
          limit: "daily",
          required_kyc_level: "enhanced",
        })
      }),
    ).pipe(Effect.provide(world(makeScript()))),
  )

  it.effect("take no place for a payment whose code could not be made", () => {
    const script = makeScript()
    return on(
      "anonymous",
      Effect.gen(function* () {
        script.refuse = () => "generation_failed"
        expect((yield* tenOf(1_000))[0]?.status).toBe("failed")
        script.refuse = () => undefined
        yield* tenOf(1_000)
      }),
    ).pipe(Effect.provide(world(script)))
  })
})

describe("POST /v1/payments", () => {
  const ask = (said: object) => attemptPayment(as(buyer), { amount: usd(2_000), ...said })

  it.effect("answers whether the amount alone may be paid, and stores nothing", () =>
    on(
      "basic",
      Effect.gen(function* () {
        expect(yield* ask({})).toStrictEqual({
          allowed: true,
          current_kyc_level: "basic",
          limits: { daily: usd(1_000), per_transaction: usd(100) },
        })
        expect(yield* ask({ kyc_level: "business" })).toMatchObject({ current_kyc_level: "basic" })
        expect(yield* codeOf(ask({ kyc_level: "anonymous" }))).toBe("INSUFFICIENT_KYC")
        expect(yield* codeOf(ask({ amount: usd(10_001), kyc_level: "business" }))).toBe(
          "INSUFFICIENT_KYC",
        )
        expect(yield* codeOf(ask({ amount: { currency: "XXX", value: 1 } }))).toBe("INVALID_AMOUNT")
        for (let n = 0; n < 60; n++) yield* ask({})
        expect((yield* request(10_000)).status).toBe("pending")
      }),
    ).pipe(Effect.provide(world(makeScript()))),
  )

  it.effect("says no where the day has no room, by the level that is claimed", () =>
    on(
      "basic",
      Effect.gen(function* () {
        for (let n = 0; n < 9; n++) yield* request(10_000)
        yield* request(8_000)
        expect(yield* ask({})).toHaveProperty("allowed", true)
        expect(yield* details(ask({ amount: usd(2_001) }))).toMatchObject({
          limit: "daily",
          current_kyc_level: "basic",
          required_kyc_level: "enhanced",
        })
        const lowered = ask({ amount: usd(1), kyc_level: "anonymous" })
        expect(yield* details(lowered)).toMatchObject({ limit: "daily" })
        yield* TestClock.adjust("1 day")
        expect(yield* ask({ amount: usd(2_001) })).toHaveProperty("allowed", true)
      }),
    ).pipe(Effect.provide(world(makeScript()))),
  )

  it.effect("pays by link where there is more than an amount, and a claim only lowers", () =>
    on(
      "basic",
      Effect.gen(function* () {
        const payment = {
          service_id,
          description: "A report",
          payer: { agent_id: buyer.agent_id },
        }
        expect(yield* ask(payment)).toMatchObject({ status: "pending", amount: usd(2_000) })
        expect(yield* ask({ ...payment, kyc_level: "business" })).toHaveProperty("deeplink")
        expect(yield* codeOf(ask({ ...payment, kyc_level: "anonymous" }))).toBe("INSUFFICIENT_KYC")
        expect(yield* codeOf(ask({ service_id }))).toBe("MISSING_REQUIRED_FIELD")
        expect(yield* codeOf(ask({ description: "A report" }))).toBe("MISSING_REQUIRED_FIELD")
        expect(yield* codeOf(ask({ ...payment, payer: undefined }))).toBe("INVALID_PAYER")
      }),
    ).pipe(Effect.provide(world(makeScript()))),
  )
})
