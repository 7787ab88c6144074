import { describe, expect, it } from "@effect/vitest"
import { Clock, Effect, Fiber, Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"
import * as VaultAdapter from "../../../../adapters/crypto/Vault.ts"
import * as MemoryRateLeases from "../../../../adapters/memory/MemoryRateLeases.ts"
import { RateLeases } from "../../../../core/ports/RateLeases.ts"
import { StoreUnavailable } from "../../../../core/ports/StoreUnavailable.ts"
import { withinRate } from "../../../../adapters/channels/rate/withinRate.ts"
import { type ChannelCall, Channels, type Charge } from "../../../../core/ports/Channels.ts"
import { WallClock } from "../../../../core/ports/WallClock.ts"
import { installation } from "../../../support/installation.ts"
import { T0 } from "../../../support/records.ts"
import { makeScript, type Script, scriptedChannels } from "../../../support/scriptedChannels.ts"

const amount = { currency: "USD", value: 699 }

const charge = (channel: string): Charge => ({
  channel,
  out_trade_no: "pi_1",
  charge_id: "qr_1",
  amount,
  description: "One answer",
  expires_at: T0,
})

const capture = (channel: string): ChannelCall => ({
  number: "creq_1",
  action: "capture",
  channel,
  out_trade_no: "pi_1",
  charge_id: "qr_1",
  trade_no: null,
  amount,
  mandate: null,
})

/** A wall clock that the test moves. */
const wall = { now: T0 }

const now = Effect.map(Clock.currentTimeMillis, (time) => wall.now + time)

const vault = VaultAdapter.layer(Redacted.make(new Uint8Array(32).fill(7)))

const limited = (script: Script, leases = MemoryRateLeases.layer) => {
  wall.now = T0
  return withinRate(scriptedChannels(script)).pipe(
    Layer.provide(Layer.mergeAll(installation(), leases, vault)),
    Layer.provide(Layer.succeed(WallClock, { now })),
  )
}

const charged = (times: number, channel: string, asked_by?: string) =>
  Effect.gen(function* () {
    const channels = yield* Channels
    const asked = asked_by === undefined ? {} : { asked_by }
    const made = yield* Effect.forEach(Array.from({ length: times }), () =>
      Effect.result(channels.createQr({ ...charge(channel), ...asked })),
    )
    return made.filter(({ _tag }) => _tag === "Success").length
  })

describe("a channel of 150 requests a second", () => {
  it.effect("is sent 150 charges, then is over its rate, which routing sees", () => {
    const script = makeScript()
    return Effect.gen(function* () {
      const channels = yield* Channels
      expect(yield* charged(200, "wallet_a")).toBe(150)
      expect(script.charges).toHaveLength(150)
      expect(yield* channels.health("wallet_a")).toBe("rate_limited")
      expect(yield* Effect.flip(channels.createDeepLink(charge("wallet_a")))).toMatchObject({
        reason: "rate_limited",
        retry_after: 1,
      })
      expect(yield* channels.health("business_a")).toBe("up")
      wall.now += 1_000
      expect(yield* channels.health("wallet_a")).toBe("up")
      expect(yield* charged(200, "wallet_a")).toBe(150)
    }).pipe(Effect.provide(limited(script)))
  })

  it.effect("is called in turn, and not at all when that takes too long", () => {
    const script = makeScript()
    return Effect.gen(function* () {
      const channels = yield* Channels
      expect(yield* charged(150, "wallet_a")).toBe(150)
      const calls = yield* Effect.forkChild(
        Effect.forEach(Array.from({ length: 500 }), () => channels.call(capture("wallet_a")), {
          concurrency: "unbounded",
        }),
      )
      yield* TestClock.adjust(1_000)
      expect(script.calls).toHaveLength(150)
      yield* TestClock.adjust(2_000)
      expect(script.calls).toHaveLength(450)
      const outcomes = yield* Fiber.join(calls)
      expect(outcomes.filter(({ type }) => type === "unknown")).toHaveLength(50)
      expect(script.calls).toHaveLength(450)
    }).pipe(Effect.provide(limited(script)))
  })

  it.effect("answers nobody's question sooner than in turn", () => {
    const script = makeScript()
    script.payer = { payer_id: "someone", wallet_id: "w" }
    return Effect.gen(function* () {
      const channels = yield* Channels
      expect(yield* charged(150, "wallet_a")).toBe(150)
      const asking = yield* Effect.forkChild(
        Effect.forEach(Array.from({ length: 451 }), () => channels.payerOf("wallet_a", "pi_1"), {
          concurrency: "unbounded",
        }),
      )
      yield* TestClock.adjust(3_000)
      const payers = yield* Fiber.join(asking)
      expect(payers.filter((payer) => payer !== undefined)).toHaveLength(450)
      wall.now += 999
      expect(yield* channels.health("wallet_a")).toBe("rate_limited")
      wall.now += 1
      expect(yield* channels.health("wallet_a")).toBe("up")
    }).pipe(Effect.provide(limited(script)))
  })

  it.effect("is no rule for channels of other types", () =>
    Effect.gen(function* () {
      expect(yield* charged(400, "wallet_b")).toBe(400)
      expect(yield* (yield* Channels).health("wallet_b")).toBe("up")
    }).pipe(Effect.provide(limited(makeScript()))),
  )

  it.effect("is sent 150 a second by all processes together", () =>
    Effect.gen(function* () {
      const leases = yield* RateLeases
      const shared = Layer.succeed(RateLeases, leases)
      const made = yield* Effect.forEach([1, 2, 3], () =>
        charged(100, "wallet_a").pipe(Effect.provide(limited(makeScript(), shared))),
      )
      const sent = made.reduce((sum, some) => sum + some, 0)
      expect(sent).toBeLessThanOrEqual(150)
      // Some slots that one process has leased and not used are left over.
      expect(sent).toBeGreaterThanOrEqual(144)
      expect(made[2]).toBe(0)
    }).pipe(Effect.provide(MemoryRateLeases.layer)),
  )

  it.effect("keeps half of its rate for others, whoever asks for more", () =>
    Effect.gen(function* () {
      expect(yield* charged(100, "wallet_a", "acct_greedy")).toBe(75)
      expect(yield* charged(100, "wallet_a", "acct_modest")).toBe(75)
      expect(yield* charged(1, "wallet_a", "acct_late")).toBe(0)
      yield* TestClock.adjust(1_000)
      expect(yield* charged(10, "wallet_a", "acct_late")).toBe(10)
      expect(yield* charged(100, "wallet_a", "acct_greedy")).toBe(75)
    }).pipe(Effect.provide(limited(makeScript()))),
  )

  it.effect("keeps to its own rate while nobody can be asked about the others", () => {
    const lease = () => Effect.fail(new StoreUnavailable({ outcome: "not_stored", cause: "away" }))
    const away = Layer.succeed(RateLeases, { lease, purge: () => Effect.succeed(0) })
    return Effect.gen(function* () {
      expect(yield* charged(200, "wallet_a")).toBe(150)
    }).pipe(Effect.provide(limited(makeScript(), away)))
  })
})
