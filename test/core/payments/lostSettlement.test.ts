import { describe, expect, it } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import { TestClock } from "effect/testing"
import type { ChannelOutcome } from "../../../core/gateway/ChannelCall.ts"
import { captureIntent } from "../../../core/payments/captureIntent.ts"
import { createIntent } from "../../../core/payments/createIntent.ts"
import { expireIntent } from "../../../core/payments/expireIntent.ts"
import { resolveChannelRequest } from "../../../core/dispatch/resolveChannelRequest.ts"
import type { Trade } from "../../../core/ports/Channels.ts"
import { Store } from "../../../core/ports/Store.ts"
import { createRefund } from "../../../core/refunds/createRefund.ts"
import { settleRefund } from "../../../core/refunds/refundOutcome.ts"
import { DAY } from "../../../core/shared/Timestamp.ts"
import { aService, T0 } from "../../support/records.ts"
import { makeScript, type Script } from "../../support/scriptedChannels.ts"
import {
  as,
  buyer,
  callback,
  codeOf,
  deliver,
  seed,
  seller,
  walk,
  world,
} from "../../support/world.ts"

const usd = (value: number) => ({ currency: "USD", value })
const request = createIntent(as(buyer), {
  service_id: aService({ n: 1 }).id,
  amount: usd(699),
  description: "Summary of one paper",
  type: "one_time",
  payer_channel: "wallet_a",
})

const done: ChannelOutcome = { type: "done", at: T0, trade_no: "trade-1" }
const refused: ChannelOutcome = { type: "refused", message: "not so" }
const pending: ChannelOutcome = { type: "pending" }
const answering = (script: Script, outcome: ChannelOutcome) => {
  script.answer = () => Effect.succeed(outcome)
  script.asked = script.answer
}

const worked = Effect.gen(function* () {
  yield* TestClock.adjust("1 minute")
  const store = yield* Store
  const now = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
  const due = yield* store.claimDue("channel_request", now, { limit: 50, lease: 1_000 })
  yield* Effect.forEach(due, (found) => resolveChannelRequest(found))
})

const noted = Effect.gen(function* () {
  const query = { account_id: seller.id, from: 0, to: T0 + DAY, limit: 10 }
  const found = yield* (yield* Store).listDiscrepancies(query)
  return found.map(({ actual, expected, kind }) => [kind, expected, actual].join(" "))
})

/** What the seller's books have in each of their accounts. */
const books = Effect.gen(function* () {
  const sums: Record<string, number> = {}
  for (const { amount, ledger_account } of yield* (yield* Store).listBalances(seller.id)) {
    sums[ledger_account] = (sums[ledger_account] ?? 0) + amount
  }
  return Object.fromEntries(Object.entries(sums).filter(([, sum]) => sum !== 0))
})

/** The amounts that the channel was asked to give back, in order. */
const given = ({ calls }: Script) =>
  calls.flatMap(({ action, amount }) => (action === "refund" ? [amount.value] : []))

const authorized = Effect.gen(function* () {
  yield* seed()
  const { id } = yield* request
  yield* walk(id, "AUTHORIZED")
  return id
})

const captured = Effect.tap(authorized, (id) => captureIntent(as(seller), id))

const refund = (payment_intent: string, value: number) =>
  createRefund(as(seller), { payment_intent, amount: usd(value) })

describe("money that its channel could settle after all", () => {
  it.effect("goes back but for what was refunded before", () => {
    const script = makeScript()
    return Effect.gen(function* () {
      const id = yield* captured
      yield* refund(id, 300)
      yield* walk(id, "SETTLEMENT_FAILED", "SUCCESS", "SUCCESS")
      yield* worked
      expect(given(script)).toEqual([300, 399])
      expect(yield* books).toEqual({})
      expect(yield* noted).toEqual(["late_payment failed SUCCESS"])
    }).pipe(Effect.provide(world(script)))
  })

  for (const [end, amounts] of [
    [done, [300, 399]],
    [refused, [300, 399, 300]],
  ] as const) {
    it.effect(`goes back as a whole where a pending refund is ${end.type} in the end`, () => {
      const script = makeScript()
      return Effect.gen(function* () {
        const id = yield* captured
        answering(script, pending)
        yield* refund(id, 300)
        yield* walk(id, "SETTLEMENT_FAILED", "SUCCESS")
        script.answer = () => Effect.succeed(done)
        script.asked = () => Effect.succeed(end)
        yield* worked
        yield* worked
        expect(given(script)).toEqual(amounts)
        expect(yield* books).toEqual({})
      }).pipe(Effect.provide(world(script)))
    })
  }

  for (const [end, calls, discrepancies] of [
    [done, [300, 399], ["status_mismatch failed SUCCESS"]],
    [
      refused,
      [300, 399, 300, 399],
      ["status_mismatch failed SUCCESS", "late_payment failed SUCCESS"],
    ],
  ] as const) {
    it.effect(`goes back where pending refunds of all of it are ${end.type} in the end`, () => {
      const script = makeScript()
      return Effect.gen(function* () {
        const id = yield* captured
        answering(script, pending)
        yield* refund(id, 300)
        yield* refund(id, 399)
        yield* walk(id, "SETTLEMENT_FAILED", "SUCCESS", "SUCCESS")
        script.answer = () => Effect.succeed(done)
        script.asked = () => Effect.succeed(end)
        yield* worked
        // The channel repeats itself while the parts go back.
        yield* walk(id, "SUCCESS")
        yield* worked
        yield* walk(id, "SUCCESS")
        yield* worked
        expect(given(script)).toEqual(calls)
        expect(yield* books).toEqual({})
        expect((yield* noted).toSorted()).toEqual(discrepancies.toSorted())
      }).pipe(Effect.provide(world(script)))
    })
  }

  for (const [first, value] of [
    ["the refund's failure", 699],
    ["the channel's word", 699],
    ["the refund's failure", 300],
    ["the channel's word", 300],
  ] as const) {
    it.effect(`goes back where a refund of ${value} fails at once, after ${first}`, () => {
      const script = makeScript()
      return Effect.gen(function* () {
        const id = yield* captured
        answering(script, pending)
        yield* refund(id, value)
        yield* walk(id, "SETTLEMENT_FAILED")
        const number = script.calls.at(-1)?.number ?? ""
        const says = Effect.asVoid(walk(id, "SUCCESS"))
        const services = yield* Effect.context<Layer.Success<ReturnType<typeof world>>>()
        const fails = Effect.asVoid(settleRefund(number, refused))
        const [one, other] = first === "the channel's word" ? [says, fails] : [fails, says]
        // The other is stored after it was decided.
        const store = yield* Store
        let isFirst = true
        const commit: Store["Service"]["commit"] = (written) => {
          if (!isFirst) return store.commit(written)
          isFirst = false
          return Effect.andThen(
            Effect.orDie(Effect.provideContext(one, services)),
            store.commit(written),
          )
        }
        yield* Effect.provideService(other, Store, { ...store, commit })
        answering(script, done)
        yield* worked
        const [asked = 0, ...back] = given(script)
        expect(asked).toBe(value)
        expect(back.reduce((sum, part) => sum + part, 0)).toBe(699)
        expect(yield* books).toEqual({})
      }).pipe(Effect.provide(world(script)))
    })
  }

  it.effect("goes back as a whole after a refund that failed", () => {
    const script = makeScript()
    return Effect.gen(function* () {
      const id = yield* captured
      answering(script, refused)
      expect(yield* codeOf(refund(id, 300))).toBe("REFUND_CHANNEL_REJECTED")
      answering(script, done)
      yield* walk(id, "SETTLEMENT_FAILED", "SUCCESS")
      yield* worked
      expect(given(script)).toEqual([300, 699])
    }).pipe(Effect.provide(world(script)))
  })

  it.effect("is only noted where all of it was refunded", () => {
    const script = makeScript()
    return Effect.gen(function* () {
      const id = yield* captured
      yield* refund(id, 699)
      yield* walk(id, "SETTLEMENT_FAILED", "SUCCESS")
      yield* worked
      expect(given(script)).toEqual([699])
      expect(yield* noted).toEqual(["status_mismatch failed SUCCESS"])
    }).pipe(Effect.provide(world(script)))
  })
})

it.effect("a settlement that fails after it has succeeded is noted", () =>
  Effect.gen(function* () {
    const id = yield* captured
    yield* walk(id, "SUCCESS", "SETTLEMENT_FAILED", "SETTLEMENT_FAILED")
    expect(yield* noted).toEqual(["status_mismatch succeeded SETTLEMENT_FAILED"])
  }).pipe(Effect.provide(world(makeScript()))),
)

describe("a hold that its channel does not release", () => {
  /** A payment whose capture of 300 the channel has refused and made, and which has expired. */
  const expired = (script: Script) =>
    Effect.gen(function* () {
      const id = yield* authorized
      answering(script, refused)
      const part = captureIntent(as(seller), id, { amount: usd(300) })
      expect(yield* codeOf(part)).not.toBe("succeeded")
      yield* TestClock.adjust("16 minutes")
      const stored = yield* (yield* Store).find("payment_intent", id)
      if (stored === undefined) return expect.unreachable("the payment is stored")
      yield* expireIntent(stored)
      script.answer = ({ action, amount }) =>
        Effect.succeed(action === "refund" && amount.value <= 300 ? done : refused)
      return id
    })

  const told = (script: Script, said: Partial<Trade>) => {
    const trade = { refunded: 0, trade_no: "trade-1", amount: usd(300), ...said }
    script.known = ({ out_trade_no }) => ({
      type: "known",
      trade: { ...trade, out_trade_no } as Trade,
    })
  }

  for (const [name, said, amounts] of [
    ["the part that it has taken", { status: "paid" }, [300]],
    ["what it has not given back of that", { status: "settled", refunded: 100 }, [200]],
    ["nothing if all of it went back", { status: "settled", refunded: 300 }, []],
    ["all that it should have, of another trade", { status: "paid", trade_no: "T2" }, [699]],
    ["no more than the hold", { status: "paid", amount: usd(900) }, [699]],
  ] as const) {
    it.effect(`gives back ${name}`, () => {
      const script = makeScript()
      return Effect.gen(function* () {
        yield* expired(script)
        told(script, said)
        for (let n = 0; n < 3; n++) yield* worked
        expect(given(script)).toEqual(amounts)
      }).pipe(Effect.provide(world(script)))
    })
  }

  it.effect("is asked again while its books show the hold, but not for ever", () => {
    const script = makeScript()
    return Effect.gen(function* () {
      const id = yield* expired(script)
      told(script, { status: "held", amount: usd(699) })
      for (let n = 0; n < 10; n++) yield* worked
      expect(given(script)).toEqual([])
      told(script, { status: "paid" })
      yield* TestClock.adjust("1 hour")
      for (let n = 0; n < 2; n++) yield* worked
      expect(given(script)).toEqual([300])
      const late = callback({ out_trade_no: id, trade_status: "SUCCESS", total_amount: "3.00" })
      expect(yield* codeOf(deliver(late))).toBe("AMOUNT_MISMATCH")
      expect(yield* noted).toContain("late_payment expired SUCCESS")
      expect(yield* books).toEqual({})
    }).pipe(Effect.provide(world(script)))
  })

  it.effect("is asked for all of it if its books show the hold for hours", () => {
    const script = makeScript()
    return Effect.gen(function* () {
      yield* expired(script)
      told(script, { status: "held", amount: usd(699) })
      for (let n = 0; n < 8; n++) {
        yield* TestClock.adjust("1 hour")
        yield* worked
      }
      expect(given(script)).toEqual([699])
    }).pipe(Effect.provide(world(script)))
  })
})
