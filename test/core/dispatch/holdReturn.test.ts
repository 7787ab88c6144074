import { describe, expect, it } from "@effect/vitest"
import { Effect, Logger } from "effect"
import { TestClock } from "effect/testing"
import { CurrentReturnHold } from "../../../core/dispatch/holdReturn.ts"
import { resolveChannelRequest } from "../../../core/dispatch/resolveChannelRequest.ts"
import { createIntent } from "../../../core/payments/createIntent.ts"
import { createOneTime } from "../../../core/payments/createOneTime.ts"
import { voidIntent } from "../../../core/payments/endIntent.ts"
import { lookAfterIntent } from "../../../core/payments/lookAfterIntent.ts"
import { Store } from "../../../core/ports/Store.ts"
import { MINUTE } from "../../../core/shared/Timestamp.ts"
import { aService, T0 } from "../../support/records.ts"
import { makeScript } from "../../support/scriptedChannels.ts"
import { as, buyer, callback, deliver, seed, seller, walk, world } from "../../support/world.ts"

const common = {
  service_id: aService({ n: 1 }).id,
  amount: { currency: "USD", value: 699 },
  description: "Summary of one paper",
} as const
const request = createIntent(as(buyer), { ...common, type: "one_time", payer_channel: "wallet_a" })
const oneTime = createOneTime(as(buyer), { ...common, payer: { agent_id: "buyer-agent" } })

const now = Effect.clockWith((clock) => clock.currentTimeMillis)
/** Does the due requests, and returns what they were. */
const work = Effect.gen(function* () {
  const store = yield* Store
  const due = yield* store.claimDue("channel_request", yield* now, { limit: 50, lease: 1_000 })
  yield* Effect.forEach(due, (one) => resolveChannelRequest(one))
  return due.map(({ action }) => action)
})
const holding = (hold: typeof CurrentReturnHold.Service) =>
  Effect.provideService(CurrentReturnHold, hold)
const BEFORE = { type: "created_before", at: T0 + MINUTE } as const

/** Lets the due payments expire. */
const expire = Effect.gen(function* () {
  const store = yield* Store
  const due = yield* store.claimDue("payment_intent", yield* now, { limit: 50, lease: 1_000 })
  yield* Effect.forEach(due, (one) => lookAfterIntent(one))
})

describe("money that would go back after a restore", () => {
  it.effect("waits, is listed with the channel's books, and goes back once it may", () => {
    const script = makeScript()
    const lines: Array<unknown> = []
    const listing = Logger.layer([Logger.make(({ message }) => void lines.push(message))])
    return Effect.gen(function* () {
      yield* seed()
      const { id } = yield* request
      yield* walk(id, "AUTHORIZED")
      script.known = () => ({
        type: "known",
        trade: {
          out_trade_no: id,
          trade_no: "trade-1",
          status: "paid",
          amount: common.amount,
          refunded: 0,
        },
      })
      yield* TestClock.adjust("16 minutes")
      yield* expire
      expect(yield* holding(BEFORE)(work)).toEqual(["release"])
      expect(script.calls).toEqual([])
      expect(lines).toEqual([
        [
          "A return is held.",
          {
            payment_intent: id,
            status: "expired",
            action: "release",
            channel: "wallet_a",
            amount: common.amount,
            channel_says: { status: "paid", amount: common.amount, refunded: 0 },
          },
        ],
      ])
      // It does not keep the worker busy, and is not forgotten.
      expect(yield* holding(BEFORE)(work)).toEqual([])
      yield* TestClock.adjust("15 minutes")
      expect(yield* holding(BEFORE)(work)).toEqual(["release"])
      expect([script.calls, lines.length]).toEqual([[], 2])
      yield* TestClock.adjust("15 minutes")
      expect(yield* work).toEqual(["release"])
      expect(script.calls).toMatchObject([{ action: "release", out_trade_no: id }])
    }).pipe(Effect.provide([world(script), listing]))
  })

  it.effect("waits after a late payment and a void, too", () => {
    const script = makeScript()
    return Effect.gen(function* () {
      yield* seed()
      const late = yield* oneTime
      yield* voidIntent(as(buyer), late.id)
      yield* work
      const paid = { out_trade_no: late.id, trade_no: "T", trade_status: "SUCCESS" } as const
      yield* deliver(callback(paid))
      const held = yield* request
      yield* walk(held.id, "AUTHORIZED")
      yield* voidIntent(as(seller), held.id)
      script.calls.length = 0
      expect((yield* holding(BEFORE)(work)).toSorted()).toEqual(["refund", "release"])
      expect(script.calls).toEqual([])
    }).pipe(Effect.provide(world(script)))
  })

  it.effect("does not wait for a payment that is not held", () => {
    const script = makeScript()
    return Effect.gen(function* () {
      yield* seed()
      yield* TestClock.adjust("1 minute")
      const { id } = yield* request
      yield* walk(id, "AUTHORIZED")
      yield* voidIntent(as(seller), id)
      yield* holding(BEFORE)(work)
      expect(script.calls).toMatchObject([{ action: "release", out_trade_no: id }])
    }).pipe(Effect.provide(world(script)))
  })
})
