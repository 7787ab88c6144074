import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { resolveChannelRequest } from "../../../core/dispatch/resolveChannelRequest.ts"
import { captureIntent } from "../../../core/payments/captureIntent.ts"
import { createIntent } from "../../../core/payments/createIntent.ts"
import { getIntent } from "../../../core/payments/getIntent.ts"
import type { ChannelOutcome } from "../../../core/ports/Channels.ts"
import { Store } from "../../../core/ports/Store.ts"
import { createRefund } from "../../../core/refunds/createRefund.ts"
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

const authorized = Effect.fnUntraced(function* (channel = "wallet_a", currency = "USD") {
  const accepted_channels = [channel]
  const service = yield* seed({ accepted_channels, default_channel: null })
  const { id } = yield* createIntent(as(buyer), {
    service_id: service.id,
    type: "one_time",
    amount: { currency, value: 699 },
    description: "Metered work",
    payer_channel: channel,
  })
  for (const trade_status of ["SCANNED", "AUTHORIZED"] as const) {
    yield* deliver(callback({ out_trade_no: id, trade_status, channel, currency }))
  }
  return id
})

const capture = (id: string, value?: number) =>
  captureIntent(as(seller), id, value === undefined ? {} : { amount: usd(value) })

const refuses = (script: Script, message: string) => {
  script.answer = () => Effect.succeed({ type: "refused", message })
}

const unanswered: ChannelOutcome = { type: "unknown", message: "It did not answer." }

/** The sums of all rows of the seller's books, by ledger account. */
const balances = Effect.gen(function* () {
  const sums: { [account: string]: number } = {}
  for (const { amount, ledger_account } of yield* (yield* Store).listBalances(seller.id)) {
    sums[ledger_account] = (sums[ledger_account] ?? 0) + amount
  }
  return Object.fromEntries(Object.entries(sums).filter(([, amount]) => amount !== 0))
})

/** Returns the payer's sums of the day. */
const spentToday = Effect.fnUntraced(function* (id: string) {
  const store = yield* Store
  const intent = yield* store.find("payment_intent", id)
  return yield* store.readCounters(intent?.spending?.counters ?? [])
})

describe("a capture of a part", () => {
  const script = makeScript()
  it.effect("takes so much, once, and everything counts that", () =>
    Effect.gen(function* () {
      const id = yield* authorized()
      expect(yield* spentToday(id)).toEqual(expect.arrayContaining([699]))
      const captured = yield* capture(id, 350)
      expect(captured).toMatchObject({
        status: "captured",
        amount: usd(699),
        captured_amount: usd(350),
        settlement: usd(350),
      })
      expect(script.calls.map(({ action, amount }) => [action, amount])).toEqual([
        ["capture", usd(350)],
      ])
      expect(new Set(yield* spentToday(id))).toEqual(new Set([350]))

      expect(yield* capture(id, 350)).toEqual(captured)
      for (const other of [capture(id), capture(id, 699), capture(id, 349)]) {
        expect(yield* codeOf(other)).toBe("INVALID_TRANSITION")
      }
      expect(script.calls).toHaveLength(1)

      // The callback has to contain the captured amount. Any other amount changes nothing.
      expect(yield* codeOf(walk(id, "SUCCESS"))).toBe("AMOUNT_MISMATCH")
      yield* deliver(callback({ out_trade_no: id, trade_status: "SUCCESS", total_amount: "3.50" }))
      expect(yield* getIntent(as(buyer), id)).toMatchObject({
        status: "succeeded",
        captured_amount: usd(350),
      })
      expect(yield* getIntent(as(buyer), id)).not.toHaveProperty("refunded_amount")
      expect(yield* balances).toMatchObject({ channel_clearing: 350, merchant_wallet: -350 })

      const refund = (value?: number) =>
        createRefund(as(seller), {
          payment_intent: id,
          ...(value !== undefined && { amount: usd(value) }),
        })
      expect(yield* codeOf(refund(351))).toBe("REFUND_EXCEEDS_PAYMENT")
      expect(yield* refund(100)).toMatchObject({ remaining_refundable: usd(250) })
      expect(yield* getIntent(as(buyer), id)).toMatchObject({ refunded_amount: usd(100) })
      expect(yield* refund()).toMatchObject({ amount: usd(250), remaining_refundable: usd(0) })
      expect(yield* getIntent(as(seller), id)).toMatchObject({ refunded_amount: usd(350) })
      // The channel's own fee remains, since it is not refunded.
      expect(yield* balances).toEqual({ channel_fees: -2, fees_due: 2 })
    }).pipe(Effect.provide(world(script))),
  )

  it.effect("races with another: one wins, and the channel is asked for that", () => {
    const script = makeScript()
    return Effect.gen(function* () {
      const id = yield* authorized()
      const values = [100, 200, 300, 400, 699]
      const codes = yield* Effect.forEach(values, (value) => codeOf(capture(id, value)), {
        concurrency: "unbounded",
      })
      expect(codes.filter((code) => code === "succeeded")).toHaveLength(1)
      expect(codes.filter((code) => code === "INVALID_TRANSITION")).toHaveLength(4)
      expect(script.calls).toHaveLength(1)
      const won = usd(values[codes.indexOf("succeeded")] ?? 0)
      expect(script.calls[0]?.amount).toEqual(won)
      const { amount, captured_amount } = yield* getIntent(as(seller), id)
      expect(captured_amount ?? amount).toEqual(won)
    }).pipe(Effect.provide(world(script)))
  })

  it.effect("is repeated under its number with its amount after a crash", () => {
    const script = makeScript()
    script.answer = () => Effect.succeed(unanswered)
    return Effect.gen(function* () {
      const store = yield* Store
      const id = yield* authorized()
      expect(yield* capture(id, 350)).toMatchObject({
        status: "authorized",
        channel_outcome: "unknown",
        settlement: usd(699),
      })
      const [first] = script.calls
      script.answer = () => Effect.succeed({ type: "done", at: 0, trade_no: "trade-1" })
      for (let round = 0; round < 8; round++) {
        yield* TestClock.adjust("1 minute")
        const now = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
        const due = yield* store.claimDue("channel_request", now, { limit: 10, lease: 1_000 })
        yield* Effect.forEach(due, resolveChannelRequest)
      }
      expect(script.calls).toHaveLength(2)
      expect(script.calls[1]).toEqual(first)
      expect(first?.amount).toEqual(usd(350))
      expect(yield* getIntent(as(seller), id)).toMatchObject({ captured_amount: usd(350) })
    }).pipe(Effect.provide(world(script)))
  })

  it.effect("that is refused leaves the whole to be captured", () => {
    const script = makeScript()
    refuses(script, "not now")
    return Effect.gen(function* () {
      const id = yield* authorized()
      expect(yield* codeOf(capture(id, 350))).toBe("CHANNEL_ERROR")
      expect(new Set(yield* spentToday(id))).toEqual(new Set([699]))
      script.answer = makeScript().answer
      const captured = yield* capture(id)
      expect(captured).toMatchObject({ status: "captured", settlement: usd(699) })
      expect(captured).not.toHaveProperty("captured_amount")
    }).pipe(Effect.provide(world(script)))
  })

  it.effect("is asked of no channel that cannot, and what is wrong asks none", () => {
    const script = makeScript()
    return Effect.gen(function* () {
      const id = yield* authorized("business_a")
      expect(yield* codeOf(capture(id, 350))).toBe("INVALID_AMOUNT")
      expect(yield* codeOf(capture(id, 700))).toBe("INVALID_AMOUNT")
      expect(script.calls).toEqual([])
      expect(yield* capture(id, 699)).toMatchObject({ status: "captured" })
    }).pipe(Effect.provide(world(script)))
  })

  it.effect("that the channel could not settle counts nothing any more", () => {
    const script = makeScript()
    return Effect.gen(function* () {
      const id = yield* authorized()
      yield* capture(id, 350)
      const failed = callback({ out_trade_no: id, trade_status: "SETTLEMENT_FAILED" })
      yield* deliver({ ...failed, total_amount: "3.50" })
      expect(yield* getIntent(as(seller), id)).toMatchObject({ status: "failed" })
      expect(new Set(yield* spentToday(id))).toEqual(new Set([0]))
      expect(yield* balances).toEqual({})
    }).pipe(Effect.provide(world(script)))
  })

  it.effect("that its settlement tells of first is a capture and an end in one", () => {
    const script = makeScript()
    script.answer = () => Effect.succeed(unanswered)
    return Effect.gen(function* () {
      const id = yield* authorized()
      yield* capture(id, 350)
      yield* deliver(callback({ out_trade_no: id, trade_status: "SUCCESS", total_amount: "3.50" }))
      expect(yield* getIntent(as(seller), id)).toMatchObject({
        status: "succeeded",
        captured_amount: usd(350),
      })
      expect(new Set(yield* spentToday(id))).toEqual(new Set([350]))
      expect(yield* balances).toMatchObject({ channel_clearing: 350 })
    }).pipe(Effect.provide(world(script)))
  })
})
