import { describe, expect, it } from "@effect/vitest"
import { Clock, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { Missed } from "../../../core/dispatch/resolveChannelRequest.ts"
import { CurrentRequest } from "../../../core/idempotency/Reply.ts"
import { keyedRequest } from "../../support/keyedRequest.ts"
import { deleteInstall } from "../../../core/installs/deleteInstall.ts"
import { putInstall } from "../../../core/installs/putInstall.ts"
import { getBalance } from "../../../core/ledger/getBalance.ts"
import { cancelIntent, voidIntent } from "../../../core/payments/endIntent.ts"
import { getIntent } from "../../../core/payments/getIntent.ts"
import { Store } from "../../../core/ports/Store.ts"
import { WallClock } from "../../../core/ports/WallClock.ts"
import type { ServiceAction } from "../../../core/registry/ManifestMachine.ts"
import { moveService } from "../../../core/registry/moveService.ts"
import { DAY, MINUTE, SECOND, toIso } from "../../../core/shared/Timestamp.ts"
import { runDue } from "../../../core/work/runDue.ts"
import { clockAhead } from "../../../simulator/world/processes/ProcessClock.ts"
import { id, T0, uuid } from "../../support/records.ts"
import { makeScript, type Script } from "../../support/scriptedChannels.ts"
import { as, buyer, callback, codeOf, deliver, seller } from "../../support/world.ts"
import { insert, workWorld } from "../work/workWorld.ts"
import { install, opened, pay, service_id, usd } from "./installWorld.ts"

const paying: Script["answer"] = ({ number }) =>
  Effect.succeed({ type: "done", at: T0, trade_no: `trade of ${number}` })
const silent: Script["answer"] = () => Effect.succeed({ type: "unknown", message: "no answer" })
const declining: Script["answer"] = () => Effect.succeed({ type: "refused", message: "declined" })

const world = (script: Script) => workWorld({ script })

describe("a payment within an install's limit", () => {
  it.effect("that is charged after it was given up goes back", () => {
    const script = makeScript()
    script.answer = (call) =>
      call.action === "debit"
        ? Effect.andThen(Effect.sleep("8 minutes"), paying(call))
        : paying(call)
    return Effect.gen(function* () {
      yield* opened
      yield* install()
      const slow = yield* Effect.forkChild(pay(500, { metadata: { order: 1 } }))
      for (const passed of ["330 seconds", "120 seconds"] as const) {
        yield* TestClock.adjust(passed)
        yield* runDue()
      }
      yield* TestClock.adjust("30 seconds")
      expect(yield* Fiber.join(slow)).toMatchObject({ status: "expired" })
      yield* runDue()
      expect(script.calls.map(({ action }) => action)).toStrictEqual(["debit", "refund"])
      const { balances } = yield* getBalance(as(seller))
      expect(JSON.stringify(balances)).not.toContain("500")
    }).pipe(Effect.provide(world(script)))
  })

  it.effect("that a worker charges after another one has given it up goes back", () => {
    const script = makeScript()
    script.answer = silent
    script.asked = () => Effect.succeed({ type: "not_found" })
    return Effect.gen(function* () {
      yield* opened
      yield* install()
      const { id } = yield* pay(500, { metadata: { order: 1 } })
      yield* TestClock.adjust("1 minute")
      script.answer = (call) =>
        call.action === "debit"
          ? Effect.andThen(Effect.sleep("12 minutes"), paying(call))
          : paying(call)
      const stalled = yield* Effect.forkChild(Effect.provideService(runDue(), Missed, new Map()))
      const other = Effect.provideService(runDue(), Missed, new Map<string, number>())
      yield* TestClock.adjust("330 seconds")
      for (let n = 0; n < 37; n += 1) {
        yield* TestClock.adjust("10 seconds")
        yield* other
      }
      expect(yield* getIntent(as(buyer), id)).toMatchObject({ status: "expired" })
      script.asked = paying
      yield* TestClock.adjust("20 seconds")
      yield* Fiber.join(stalled)
      yield* other
      expect(script.calls.map(({ action }) => action)).toStrictEqual(["debit", "debit", "refund"])
      const { balances } = yield* getBalance(as(seller))
      expect(JSON.stringify(balances)).not.toContain("500")
    }).pipe(Effect.provide(world(script)))
  })

  it.effect("that is charged late with the trade of another payment is noted, and answered", () => {
    const script = makeScript()
    const sameTrade = Effect.succeed({ type: "done", at: T0, trade_no: "T-1" } as const)
    script.answer = () => sameTrade
    return Effect.gen(function* () {
      const store = yield* opened
      yield* install()
      expect(yield* pay(500, { metadata: { order: 1 } })).toMatchObject({ status: "completed" })
      script.answer = () => Effect.andThen(Effect.sleep("8 minutes"), sameTrade)
      const slow = yield* Effect.forkChild(pay(500, { metadata: { order: 2 } }))
      for (const passed of ["330 seconds", "120 seconds"] as const) {
        yield* TestClock.adjust(passed)
        yield* runDue()
      }
      yield* TestClock.adjust("30 seconds")
      expect(yield* Fiber.join(slow)).toMatchObject({ status: "expired" })
      const noted = yield* store.listDiscrepancies({
        account_id: seller.id,
        from: T0,
        to: T0 + DAY,
        limit: 9,
      })
      expect(noted.map(({ kind, trade_no }) => [kind, trade_no])).toEqual([
        ["status_mismatch", "T-1"],
      ])
      expect(script.calls.map(({ action }) => action)).toStrictEqual(["debit", "debit"])
    }).pipe(Effect.provide(world(script)))
  })

  it.effect("is completed at once, on the install's mandate and under a number of its own", () => {
    const script = makeScript()
    return Effect.gen(function* () {
      const store = yield* opened
      const { mandate } = yield* install()
      expect(mandate).toMatchObject({ status: "active", channel: "wallet_a" })
      const made = yield* pay(500, { metadata: { order: 1 } })
      expect(made).toMatchObject({
        status: "completed",
        auto_paid: true,
        channel: "wallet_a",
        succeeded_at: toIso(T0),
      })
      expect(made).not.toHaveProperty("deeplink")
      expect(script.charges).toStrictEqual([])
      const [call] = script.calls
      expect(call).toMatchObject({ action: "debit", mandate: mandate?.id, amount: usd(500) })
      const stored = yield* store.find("channel_request", call?.number ?? "")
      expect(stored).toMatchObject({ status: "done", payment_intent: made.id })
      const events = yield* store.list("event", { by: { account_id: seller.id }, limit: 9 })
      expect(events.map(({ data, type }) => [type, data["auto_paid"]])).toStrictEqual([
        ["payment_intent.succeeded", true],
      ])
      const { balances } = yield* getBalance(as(seller))
      expect(JSON.stringify(balances)).toContain("500")
      expect(yield* codeOf(pay(500, { metadata: { order: 1 } }))).toBe("IDEMPOTENCY_KEY_USED")
      expect(script.calls).toHaveLength(1)
    }).pipe(Effect.provide(world(script)))
  })

  it.effect.each([
    ["one unit more", 501, {}, buyer],
    ["another channel", 500, { channel: "wallet_b" }, buyer],
    ["another agent of the account", 500, { payer: { agent_id: "second-agent" } }, buyer],
    ["the seller asks for it", 500, {}, seller],
  ] as const)("asks the person where %s", ([_why, value, said, account]) => {
    const script = makeScript()
    return Effect.gen(function* () {
      yield* opened
      yield* install()
      const made = yield* pay(value, said, account)
      expect(made).toMatchObject({ status: "pending", deeplink: expect.stringContaining("svc://") })
      expect(script.calls).toStrictEqual([])
    }).pipe(Effect.provide(world(script)))
  })

  it.effect("asks the person where the channel is down, on another one", () => {
    const script = makeScript()
    return Effect.gen(function* () {
      yield* opened
      yield* install()
      script.health = (channel) => (channel === "wallet_a" ? "down" : "up")
      expect(yield* pay(500)).toMatchObject({ status: "pending", channel: "wallet_b" })
      expect(script.calls).toStrictEqual([])
    }).pipe(Effect.provide(world(script)))
  })

  it.effect("falls back to its deep link when the channel declines", () => {
    const script = makeScript()
    script.answer = declining
    return Effect.gen(function* () {
      yield* opened
      yield* install()
      const made = yield* pay(500)
      expect(made).toMatchObject({
        status: "pending",
        deeplink: `svc://pay/${made.id}?amount=500&currency=USD&channel=wallet_a`,
      })
      expect(made).not.toHaveProperty("channel_outcome")
      yield* TestClock.adjust(5 * MINUTE)
      expect(yield* getIntent(as(buyer), made.id)).toMatchObject({ status: "expired" })
    }).pipe(Effect.provide(world(script)))
  })

  it.effect("fails where neither the debit nor a link can be made", () => {
    const script = makeScript()
    script.answer = declining
    script.refuse = () => "generation_failed"
    return Effect.gen(function* () {
      yield* opened
      yield* install()
      const metadata = { order: 1 }
      expect(yield* pay(500, { metadata })).toMatchObject({
        status: "failed",
        failure_code: "CHANNEL_ERROR",
      })
      script.answer = paying
      expect(yield* pay(500, { metadata })).toMatchObject({ status: "completed" })
    }).pipe(Effect.provide(world(script)))
  })
})

describe("a debit whose outcome is unknown", () => {
  const unknown = (script: Script) =>
    Effect.gen(function* () {
      yield* opened
      yield* install()
      script.answer = silent
      const made = yield* pay(500, { metadata: { order: 1 } })
      expect(made).toMatchObject({ status: "pending", channel_outcome: "unknown" })
      expect(made).not.toHaveProperty("deeplink")
      return made
    })

  it.effect("is pending, cannot be ended meanwhile, and completes when the channel tells", () => {
    const script = makeScript()
    return Effect.gen(function* () {
      const { id: intent } = yield* unknown(script)
      expect(yield* codeOf(voidIntent(as(buyer), intent))).toBe("INVALID_TRANSITION")
      expect(yield* codeOf(cancelIntent(as(seller), intent))).toBe("INVALID_TRANSITION")
      expect(yield* codeOf(pay(500, { metadata: { order: 1 } }))).toBe("IDEMPOTENCY_KEY_USED")
      yield* TestClock.adjust(10 * MINUTE)
      expect(yield* getIntent(as(buyer), intent)).toMatchObject({ status: "pending" })
      script.asked = paying
      yield* runDue()
      expect(yield* getIntent(as(buyer), intent)).toMatchObject({
        status: "completed",
        auto_paid: true,
      })
      expect(script.calls.filter(({ action }) => action === "debit")).toHaveLength(1)
    }).pipe(Effect.provide(world(script)))
  })

  it.effect("completes by the channel's callback, and the late answer changes nothing", () => {
    const script = makeScript()
    return Effect.gen(function* () {
      const { id: intent } = yield* unknown(script)
      const declined = { out_trade_no: intent, total_amount: "5.00" } as const
      yield* deliver(callback({ ...declined, trade_status: "REJECTED" }))
      expect(yield* getIntent(as(buyer), intent)).toMatchObject({ status: "pending" })
      const message = { out_trade_no: intent, trade_no: "trade-1", total_amount: "5.00" }
      yield* deliver(callback({ ...message, trade_status: "SUCCESS" }))
      const done = yield* getIntent(as(buyer), intent)
      expect(done).toMatchObject({ status: "completed", auto_paid: true })
      script.asked = () => Effect.succeed({ type: "done", at: T0, trade_no: "trade-1" })
      yield* TestClock.adjust(MINUTE)
      yield* runDue()
      expect(yield* getIntent(as(buyer), intent)).toStrictEqual(done)
    }).pipe(Effect.provide(world(script)))
  })

  it.effect("is not given up by a process whose clock is ahead before it has asked a while", () => {
    const script = makeScript()
    return Effect.gen(function* () {
      const { id: intent } = yield* unknown(script)
      script.asked = () => Effect.succeed({ type: "not_found" })
      // To the next process it is later, and the payment's time is over.
      yield* TestClock.adjust(20 * MINUTE)
      yield* runDue()
      const left = yield* getIntent(as(buyer), intent)
      expect(left).toMatchObject({ status: "pending", channel_outcome: "unknown" })
      yield* TestClock.adjust(2 * MINUTE)
      yield* runDue()
      expect(yield* getIntent(as(buyer), intent)).toMatchObject({ status: "expired" })
      expect(script.calls.filter(({ action }) => action === "debit")).toHaveLength(1)
    }).pipe(Effect.provide(world(script)), Effect.provideService(Missed, new Map()))
  })

  it.effect("is given up beside any number of others that the channel does not know", () => {
    const script = makeScript()
    return Effect.gen(function* () {
      const { id: intent } = yield* unknown(script)
      const store = yield* Store
      const [request] = yield* store.list("channel_request", { by: { payment_intent: intent } })
      const payment = yield* store.find("payment_intent", intent)
      if (payment?.status !== "debiting" || request === undefined) {
        return yield* Effect.die("the payment is not being charged")
      }
      const others = Array.from({ length: 1_100 }, (_, n) => 5_000 + n)
      yield* store.commit({
        writes: others.flatMap((n) => [
          insert("payment_intent", {
            ...payment,
            id: id("pi", n),
            version: 1,
            debit_request: id("creq", n),
          }),
          insert("channel_request", {
            ...request,
            id: id("creq", n),
            version: 1,
            payment_intent: id("pi", n),
          }),
        ]),
      })
      script.asked = () => Effect.succeed({ type: "not_found" })
      for (const passed of [20, 10, 60, 120]) {
        yield* TestClock.adjust(passed * MINUTE)
        yield* runDue()
      }
      const open = yield* Effect.filter(others, (n) =>
        Effect.map(store.find("payment_intent", id("pi", n)), (one) => one?.status === "debiting"),
      )
      expect(open).toEqual([])
    }).pipe(Effect.provide(world(script)), Effect.provideService(Missed, new Map()))
  })

  it.effect(
    "is given up though others fill the memory, once another process has ended them",
    () => {
      const script = makeScript()
      const missed = new Map<string, number>()
      return Effect.gen(function* () {
        const { id: intent } = yield* unknown(script)
        const store = yield* Store
        const [request] = yield* store.list("channel_request", { by: { payment_intent: intent } })
        if (request === undefined) return yield* Effect.die("the payment is not being charged")
        const open = {
          ...request,
          id: id("creq", 5_000),
          version: 1,
          payment_intent: id("pi", 5_000),
          due_at: T0 + DAY,
        }
        yield* store.commit({ writes: [insert("channel_request", open)] })
        yield* TestClock.adjust(20 * MINUTE)
        const lately = Number((yield* Clock.Clock).monotonicTimeNanosUnsafe()) / 1e6
        missed.set(open.id, lately)
        for (let n = 1; n < 100_000; n += 1) missed.set(id("creq", 10_000 + n), lately)
        script.asked = () => Effect.succeed({ type: "not_found" })
        yield* runDue()
        expect(missed.has(request.id)).toBe(true)
        expect(missed.get(open.id)).toBe(lately)
        expect(missed.size).toBe(99_986)
        yield* TestClock.adjust(2 * MINUTE)
        yield* runDue()
        expect(yield* getIntent(as(buyer), intent)).toMatchObject({ status: "expired" })
      }).pipe(Effect.provide(world(script)), Effect.provideService(Missed, missed))
    },
  )

  it.effect("is not given up by a process whose clock is set while it asks", () => {
    const script = makeScript()
    let ahead = 0
    return Effect.gen(function* () {
      const { id: intent } = yield* unknown(script)
      script.asked = () => Effect.succeed({ type: "not_found" })
      const clock = yield* Clock.Clock
      const set = clockAhead(clock, () => ahead)
      const wall = { now: Effect.sync(() => set.currentTimeMillisUnsafe()) }
      const workAt = (time: number) =>
        Effect.suspend(() => {
          ahead = time
          return runDue()
        }).pipe(Effect.provideService(Clock.Clock, set), Effect.provideService(WallClock, wall))
      yield* workAt(20 * MINUTE)
      yield* workAt(40 * MINUTE)
      expect(yield* getIntent(as(buyer), intent)).toMatchObject({ status: "pending" })
      yield* TestClock.adjust(2 * MINUTE)
      yield* workAt(40 * MINUTE)
      expect(yield* getIntent(as(buyer), intent)).toMatchObject({ status: "expired" })
    }).pipe(Effect.provide(world(script)), Effect.provideService(Missed, new Map()))
  })

  it.effect("is made again under its number when the channel never heard of it", () => {
    const script = makeScript()
    return Effect.gen(function* () {
      const { id: intent } = yield* unknown(script)
      script.asked = () => Effect.succeed({ type: "not_found" })
      script.answer = paying
      yield* TestClock.adjust(30 * SECOND)
      yield* runDue()
      expect(script.calls).toHaveLength(1)
      yield* TestClock.adjust(30 * SECOND)
      yield* runDue()
      expect(new Set(script.calls.map(({ number }) => number)).size).toBe(1)
      expect(script.calls).toHaveLength(2)
      expect(yield* getIntent(as(buyer), intent)).toMatchObject({ status: "completed" })
    }).pipe(Effect.provide(world(script)))
  })

  it.effect.each([
    ["its time is over", 10 * MINUTE, false],
    ["its mandate has ended", MINUTE, true],
  ] as const)("is not made again when %s", ([_why, after, ends]) => {
    const script = makeScript()
    return Effect.gen(function* () {
      const { id: intent } = yield* unknown(script)
      if (ends) yield* putInstall(as(buyer), service_id, { auto_pay_limit: null })
      for (const passed of [after, 2 * MINUTE]) {
        yield* TestClock.adjust(passed)
        yield* runDue()
      }
      expect(script.calls).toHaveLength(1)
      const { status } = yield* getIntent(as(buyer), intent)
      expect(status).toBe(ends ? "pending" : "expired")
    }).pipe(Effect.provide(world(script)), Effect.provideService(Missed, new Map()))
  })
})

describe("a service that is paused, deprecated or gone", () => {
  const move = (action: ServiceAction) => moveService(as(seller), service_id, action)

  it.effect(
    "leaves mandates as they are, debits nothing meanwhile, and ends what was begun",
    () => {
      const script = makeScript()
      return Effect.gen(function* () {
        const store = yield* opened
        const { mandate } = yield* install()
        script.answer = silent
        const begun = yield* pay(500)
        yield* move("pause")
        expect(yield* store.find("mandate", mandate?.id ?? "")).toMatchObject({ status: "active" })
        expect(yield* codeOf(pay(500))).toBe("NOT_FOUND")
        expect(script.calls).toHaveLength(1)
        script.asked = paying
        yield* TestClock.adjust(30 * SECOND)
        yield* runDue()
        expect(yield* getIntent(as(buyer), begun.id)).toMatchObject({ status: "completed" })
        yield* move("resume")
        script.answer = paying
        expect(yield* pay(500)).toMatchObject({ status: "completed", auto_paid: true })
        expect(script.mandates).toHaveLength(1)
      }).pipe(Effect.provide(world(script)))
    },
  )

  it.effect("can be uninstalled when nothing is left of it, and the channel is told", () => {
    const script = makeScript()
    return Effect.gen(function* () {
      const store = yield* opened
      const { id: installed, mandate } = yield* install()
      yield* move("deprecate")
      expect(yield* codeOf(pay(500))).toBe("SERVICE_NOT_ACTIVE")
      yield* TestClock.adjust(30 * DAY)
      yield* move("delete")
      yield* TestClock.adjust(31 * DAY)
      yield* runDue()
      expect(yield* store.find("service", service_id)).toBeUndefined()
      expect(yield* codeOf(pay(500))).toBe("NOT_FOUND")
      expect(yield* deleteInstall(as(buyer), installed)).toStrictEqual({
        id: installed,
        deleted: true,
      })
      yield* runDue()
      const ended = yield* store.find("mandate", mandate?.id ?? "")
      expect(ended).toMatchObject({ status: "revoked", due_at: null })
      expect(script.calls).toStrictEqual([])
    }).pipe(Effect.provide(world(script)))
  })
})

describe("a debit that is answered with the trade of another payment", () => {
  const same: Script["answer"] = () => Effect.succeed({ type: "done", at: T0, trade_no: "trade-1" })

  const cap = { spend_cap: { amount: usd(1_000), period: "daily" } } as const

  const contradictions = Effect.gen(function* () {
    const query = { account_id: seller.id, from: 0, to: T0 + DAY, limit: 9 } as const
    const found = yield* (yield* Store).listDiscrepancies(query)
    return found.map(({ actual, kind, payment_intent }) => ({ actual, kind, payment_intent }))
  })

  it.effect("fails, is written down once, and is asked after no more", () => {
    const script = makeScript()
    return Effect.gen(function* () {
      yield* opened
      yield* install(cap)
      script.answer = same
      const first = yield* pay(500)
      const metadata = { order: 2 }
      const second = yield* pay(500, { metadata })
      expect(second).toMatchObject({ status: "failed", failure_code: "CHANNEL_ERROR" })
      expect(yield* getIntent(as(buyer), first.id)).toMatchObject({ status: "completed" })
      expect(yield* contradictions).toStrictEqual([
        {
          kind: "status_mismatch",
          payment_intent: second.id,
          actual: "trade trade-1, which pays another payment",
        },
      ])
      yield* TestClock.adjust(DAY)
      yield* runDue()
      expect(script.calls).toHaveLength(2)
      expect(script.questions).toHaveLength(0)
      script.answer = paying
      expect(yield* pay(500, { metadata })).toMatchObject({ status: "completed" })
    }).pipe(Effect.provide(world(script)))
  })

  it.effect("gives its part of the cap back, also where a callback told of it before", () => {
    const script = makeScript()
    return Effect.gen(function* () {
      yield* opened
      yield* install(cap)
      script.answer = same
      yield* pay(500)
      script.answer = silent
      const { id: intent } = yield* pay(500)
      expect(yield* codeOf(pay(500))).toBe("SPEND_CAP_EXCEEDED")
      const message = { out_trade_no: intent, trade_no: "trade-1", total_amount: "5.00" }
      const told = deliver(callback({ ...message, trade_status: "SUCCESS" }))
      expect(yield* codeOf(told)).toBe("CHANNEL_MISMATCH")
      expect(yield* getIntent(as(buyer), intent)).toMatchObject({ status: "pending" })
      script.asked = same
      yield* TestClock.adjust(10 * SECOND)
      yield* runDue()
      expect(yield* getIntent(as(buyer), intent)).toMatchObject({ status: "failed" })
      expect(yield* contradictions).toHaveLength(1)
      script.answer = paying
      expect(yield* pay(500)).toMatchObject({ status: "completed" })
    }).pipe(Effect.provide(world(script)))
  })
})

describe("a crash while a payment is being charged", () => {
  it.effect("has the retry under its key go on with the same payment and the same number", () => {
    const script = makeScript()
    script.answer = () => Effect.die("the process ends here")
    return Effect.gen(function* () {
      yield* opened
      yield* install()
      const first = keyedRequest("retry-1", uuid(777), null)
      yield* Effect.exit(Effect.provideService(pay(500), CurrentRequest, first))
      expect(first.progress.state).toBe("running")
      script.answer = paying
      const again = keyedRequest("retry-1", uuid(778), first.progress.holder)
      const made = yield* Effect.provideService(pay(500), CurrentRequest, again)
      expect(made).toMatchObject({ id: `pi_${first.progress.holder}`, status: "completed" })
      const third = keyedRequest("retry-1", uuid(779), first.progress.holder)
      expect(yield* Effect.provideService(pay(500), CurrentRequest, third)).toStrictEqual(made)
      expect(new Set(script.calls.map(({ number }) => number)).size).toBe(1)
    }).pipe(Effect.provide(world(script)))
  })

  it.effect.each([
    ["the mandate has ended", 0, true],
    ["the payment's time is over", 6 * MINUTE, false],
  ] as const)("has the retry charge nothing when %s", ([_why, after, ends]) => {
    const script = makeScript()
    script.answer = () => Effect.die("the process ends here")
    return Effect.gen(function* () {
      yield* opened
      yield* install()
      const first = keyedRequest("retry-1", uuid(777), null)
      yield* Effect.exit(Effect.provideService(pay(500), CurrentRequest, first))
      if (ends) yield* putInstall(as(buyer), service_id, { auto_pay_limit: null })
      yield* TestClock.adjust(after)
      script.answer = paying
      const again = keyedRequest("retry-1", uuid(778), first.progress.holder)
      const made = yield* Effect.provideService(pay(500), CurrentRequest, again)
      expect(made).toMatchObject({ status: "pending" })
      expect(script.calls).toHaveLength(1)
      yield* TestClock.adjust(MINUTE)
      yield* runDue()
      const { status } = yield* getIntent(as(buyer), made.id)
      expect([status, script.calls.length]).toStrictEqual([ends ? "pending" : "expired", 1])
    }).pipe(Effect.provide(world(script)))
  })

  it.effect("leaves it to a worker where nobody comes back", () => {
    const script = makeScript()
    script.answer = () => Effect.die("the process ends here")
    return Effect.gen(function* () {
      const store = yield* opened
      yield* install()
      yield* Effect.exit(pay(500))
      const [stored] = yield* store.listIntents({ viewer: buyer.id, limit: 9, now: T0 })
      expect(stored).toMatchObject({ status: "debiting" })
      script.asked = paying
      yield* TestClock.adjust(10 * SECOND)
      yield* runDue()
      expect(yield* store.find("payment_intent", stored?.id ?? "")).toMatchObject({
        status: "completed",
      })
    }).pipe(Effect.provide(world(script)))
  })
})
