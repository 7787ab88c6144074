import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import * as fc from "fast-check"
import * as MemoryRateLeases from "../../../adapters/memory/MemoryRateLeases.ts"
import type { Account } from "../../../core/accounts/Account.ts"
import { PLAN_TERMS } from "../../../core/billing/Plan.ts"
import { layer, RequestLimits } from "../../../core/billing/limitRequests.ts"
import type { RateClass } from "../../../core/billing/RateWindow.ts"
import { RateLeases } from "../../../core/ports/RateLeases.ts"
import { StoreUnavailable } from "../../../core/ports/Store.ts"
import { CurrentDeadline } from "../../../core/shared/CurrentDeadline.ts"
import { MINUTE, SECOND } from "../../../core/shared/Timestamp.ts"
import { anAccount, T0 } from "../../support/records.ts"

type Process = NonNullable<Context.Service.Shape<typeof RequestLimits>>

/** Processes on the same leases, and how often those were asked. */
const processes = Effect.fnUntraced(function* (count: number) {
  const shared = Context.get(yield* Layer.build(MemoryRateLeases.layer), RateLeases)
  const asked = { times: 0, most: 0, left: 0, fails: false }
  const counting = Layer.succeed(RateLeases, {
    ...shared,
    lease: (requests) =>
      Effect.flatMap(CurrentDeadline, ({ left }) => {
        asked.times += 1
        asked.left = left()
        const named = requests.map(({ account_id, rate_class, window }) =>
          [account_id, rate_class, window].join(),
        )
        // As PostgreSQL does: one statement changes no row twice.
        if (new Set(named).size < named.length) return Effect.die("a window was named twice")
        asked.most = Math.max(asked.most, ...requests.map(({ wanted }) => wanted))
        return asked.fails
          ? Effect.fail(new StoreUnavailable({ outcome: "not_stored", cause: "off" }))
          : Effect.andThen(Effect.yieldNow, Effect.tap(shared.lease(requests), Effect.yieldNow))
      }),
  })
  const made = yield* Effect.forEach(Array.from({ length: count }), () =>
    Effect.gen(function* () {
      const context = yield* Layer.build(Layer.fresh(Layer.provide(layer(PLAN_TERMS), counting)))
      const limits = Context.get(context, RequestLimits)
      if (limits === null) return yield* Effect.die("nobody is limited")
      return limits
    }),
  )
  return { made, asked }
})

const starter = anAccount({ n: 1, plan: "starter" })

const accepted = Effect.fnUntraced(function* (
  process: Process | undefined,
  count: number,
  account: Account = starter,
  rate_class: RateClass = "standard",
) {
  if (process === undefined) return yield* Effect.die("no such process")
  const answers = yield* Effect.all(
    Array.from({ length: count }, (_, n) =>
      // Some come while the question of others is under way.
      Effect.andThen(
        Effect.forEach(Array.from({ length: n % 4 }), () => Effect.yieldNow),
        process.admit(account, rate_class),
      ),
    ),
    { concurrency: 16 },
  )
  return answers.filter(({ refusal }) => refusal === null).length
})

describe("request limits", () => {
  it.effect("refuse what is over the plan's limit, and say how long to wait", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(T0 + 20 * SECOND)
      const { made } = yield* processes(1)
      assert.strictEqual(yield* accepted(made[0], 130), 100)
      const { refusal, standing } = yield* made[0]!.admit(starter, "standard")
      assert.deepStrictEqual(standing, { limit: 100, remaining: 0, reset: 40 })
      assert.strictEqual(refusal?.code, "RATE_LIMIT_EXCEEDED")
      assert.strictEqual(refusal?.retry_after, 40)
      yield* TestClock.setTime(T0 + MINUTE)
      assert.strictEqual(yield* accepted(made[0], 101), 100)
    }),
  )

  it.effect("ask nobody to refuse, and seldom to admit", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(T0)
      const { asked, made } = yield* processes(1)
      const enterprise = anAccount({ n: 3, plan: "enterprise" })
      for (let n = 0; n < 9_000; n++) yield* made[0]!.admit(enterprise, "standard")
      assert.isBelow(asked.times, 30)
      for (let n = 0; n < 100; n++) yield* made[0]!.admit(starter, "standard")
      const before = asked.times
      assert.isBelow(before, 65)
      assert.strictEqual(yield* accepted(made[0], 1_000), 0)
      assert.strictEqual(asked.times, before + 1)
      assert.strictEqual(yield* accepted(made[0], 1_000), 0)
      assert.strictEqual(asked.times, before + 1)
    }),
  )

  it.effect("ask for all who wait, whatever time the first of them has", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(T0)
      const { asked, made } = yield* processes(1)
      const late = { left: () => -1 }
      yield* made[0]!.admit(starter, "standard").pipe(Effect.provideService(CurrentDeadline, late))
      assert.strictEqual(asked.left, Infinity)
    }),
  )

  it.effect("tell what is left after each", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(T0)
      const { made } = yield* processes(1)
      for (let left = 99; left >= 0; left--) {
        const { standing } = yield* made[0]!.admit(starter, "standard")
        assert.strictEqual(standing.remaining, left)
      }
    }),
  )

  it.effect("keep a fifth more for captures and refunds, and give them that alone", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(T0)
      const { made } = yield* processes(2)
      assert.strictEqual(yield* accepted(made[0], 150), 100)
      assert.strictEqual(yield* accepted(made[1], 15, starter, "reserve"), 15)
      assert.strictEqual(yield* accepted(made[0], 15, starter, "reserve"), 5)
      assert.strictEqual(yield* accepted(made[1], 10), 0)
      assert.strictEqual(yield* accepted(made[0], 10, anAccount({ n: 2 })), 10)
    }),
  )

  it.effect("serve an account whose plan changes while its requests wait, one plan at a time", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(T0)
      const { made } = yield* processes(1)
      const moved = { ...starter, plan: "pro" as const }
      const answers = yield* Effect.all(
        Array.from({ length: 40 }, (_, n) =>
          made[0]!.admit(n < 20 ? starter : moved, n % 4 === 0 ? "reserve" : "standard"),
        ),
        { concurrency: "unbounded" },
      )
      assert.isTrue(answers.every(({ refusal }) => refusal === null))
      assert.strictEqual((yield* made[0]!.admit(moved, "standard")).standing.limit, 1_000)
    }),
  )

  it.effect("fail while the leases cannot be reached, and go on afterwards", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(T0)
      const { asked, made } = yield* processes(1)
      asked.fails = true
      const failed = yield* Effect.flip(made[0]!.admit(starter, "standard"))
      assert.strictEqual(failed._tag, "StoreUnavailable")
      asked.fails = false
      assert.strictEqual(yield* accepted(made[0], 120), 100)
    }),
  )

  it.effect("of two processes accept no more than the limit and at least 95% of it", () =>
    Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(
          fc.constantFrom("starter" as const, "starter" as const, "pro" as const),
          fc.array(
            fc.record({
              process: fc.nat({ max: 1 }),
              share: fc.integer({ min: 1, max: 60 }),
            }),
            { maxLength: 12 },
          ),
          (plan, bursts) =>
            Effect.runPromise(
              Effect.gen(function* () {
                const { made } = yield* processes(2)
                const account = anAccount({ n: 1, plan })
                const limit = plan === "starter" ? 100 : 1_000
                const burst = (process: number, share: number) =>
                  accepted(made[process], Math.ceil((share * limit) / 100), account)
                let total = 0
                for (const { process, share } of bursts) total += yield* burst(process, share)
                // The remaining requests go to one process.
                total += yield* burst(0, 100)
                assert.isAtMost(total, limit)
                assert.isAtLeast(total, limit * 0.95)
              }).pipe(Effect.scoped, Effect.provide(TestClock.layer())),
            ),
        ),
        { numRuns: 15 },
      ),
    ),
  )
})
