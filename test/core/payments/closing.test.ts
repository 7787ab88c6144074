import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { createIntent } from "../../../core/payments/createIntent.ts"
import { voidIntent } from "../../../core/payments/endIntent.ts"
import type { ChannelAction } from "../../../core/gateway/ChannelCall.ts"
import type { Trade, TradeAnswer } from "../../../core/ports/Channels.ts"
import { Store } from "../../../core/ports/Store.ts"
import { HOUR, MINUTE, SECOND } from "../../../core/shared/Timestamp.ts"
import { runDue } from "../../../core/work/runDue.ts"
import { T0 } from "../../support/records.ts"
import { makeScript, type Script } from "../../support/scriptedChannels.ts"
import { as, callback, codeOf, deliver, seed, seller, walk } from "../../support/world.ts"
import { workWorld } from "../work/workWorld.ts"

const amount = { currency: "USD", value: 699 }

const create = (payer_channel?: string) =>
  Effect.flatMap(seed({ accepted_channels: ["wallet_a", "wallet_b"] }), ({ id }) =>
    createIntent(as(seller), {
      service_id: id,
      type: "one_time",
      amount,
      description: "One",
      ...(payer_channel !== undefined && { payer_channel }),
    }),
  )

const at = (milliseconds: number) => Effect.andThen(TestClock.setTime(T0 + milliseconds), runDue())

const known = (said: Pick<Trade, "status">): TradeAnswer => ({
  type: "known",
  trade: { out_trade_no: "", amount, refunded: 0, trade_no: "trade-b", ...said } as Trade,
})

/** Channels that refuse to close any charge. */
const unwilling = () => {
  const script = makeScript()
  const { answer } = script
  script.answer = (call) =>
    call.action === "close"
      ? Effect.succeed({ type: "refused", message: "the payer has authorized it" })
      : answer(call)
  script.asked = script.answer
  return script
}

/** Sets the answer of wallet_b about its charge of the payment. */
const tells = (script: Script, answer: TradeAnswer) => {
  script.known = ({ channel, out_trade_no }) =>
    channel === "wallet_b" && answer.type === "known"
      ? { ...answer, trade: { ...answer.trade, out_trade_no } }
      : { type: "not_found" }
}

const asked = ({ calls }: Script, wanted: ChannelAction) =>
  calls.filter(({ action }) => action === wanted)

describe("the charges that a payer did not choose", () => {
  const script = makeScript()
  it.effect("are closed by their own names, not by the trade that pays", () =>
    Effect.gen(function* () {
      const { id } = yield* create()
      yield* walk(id, "AUTHORIZED")
      yield* runDue()
      expect(script.calls).toMatchObject([{ action: "close", channel: "wallet_b", trade_no: null }])
      yield* voidIntent(as(seller), id)
      yield* runDue()
      expect(asked(script, "release")).toMatchObject([{ channel: "wallet_a", trade_no: "trade-1" }])
    }).pipe(Effect.provide(workWorld({ script }))),
  )
})

describe("a charge that its channel refuses to close", () => {
  const cases = [
    ["held", "release"],
    ["settled", "refund"],
  ] as const
  for (const [status, back] of cases) {
    it.effect(`has been paid: what is ${status} goes back, told of or not`, () => {
      const script = unwilling()
      tells(script, known({ status }))
      return Effect.gen(function* () {
        const { id } = yield* create()
        yield* walk(id, "SCANNED")
        yield* runDue()
        expect(asked(script, back)).toMatchObject([{ channel: "wallet_b", trade_no: "trade-b" }])
        yield* walk(id, "AUTHORIZED")
        yield* at(MINUTE)
        expect(asked(script, back)).toHaveLength(1)
      }).pipe(Effect.provide(workWorld({ script })))
    })
  }

  it.effect("is asked about until the channel's books tell of the payment", () => {
    const script = unwilling()
    tells(script, known({ status: "unpaid" }))
    return Effect.gen(function* () {
      const { id } = yield* create("wallet_b")
      yield* voidIntent(as(seller), id)
      yield* runDue()
      expect(asked(script, "release")).toEqual([])
      tells(script, known({ status: "held" }))
      yield* at(5 * SECOND)
      expect(asked(script, "release")).toHaveLength(1)
    }).pipe(Effect.provide(workWorld({ script })))
  })

  it.effect("is left alone once nobody could pay it any more", () => {
    const script = unwilling()
    tells(script, known({ status: "unpaid" }))
    return Effect.gen(function* () {
      const { id } = yield* create("wallet_b")
      yield* voidIntent(as(seller), id)
      for (let minutes = 0; minutes < 120; minutes += 2) yield* at(minutes * MINUTE)
      expect(asked(script, "close")).toHaveLength(1)
      expect(asked(script, "release")).toEqual([])
      const { length } = script.questions
      expect(length).toBeGreaterThan(2)
      for (let hours = 3; hours < 60; hours += 1) yield* at(hours * HOUR)
      expect(script.questions).toHaveLength(length)
    }).pipe(Effect.provide(workWorld({ script })))
  })
})

describe("a payment whose time is over", () => {
  for (const [status, closings] of [
    ["unpaid", 1],
    ["closed", 0],
  ] as const) {
    it.effect(`is closed at a channel that calls it ${status} still: ${closings}`, () => {
      const script = makeScript()
      tells(script, known({ status }))
      return Effect.gen(function* () {
        yield* create("wallet_b")
        yield* at(15 * MINUTE)
        expect(script.calls).toEqual([])
        for (let minutes = 16; minutes < 60; minutes += 1) yield* at(minutes * MINUTE)
        expect(asked(script, "close")).toHaveLength(closings)
      }).pipe(Effect.provide(workWorld({ script })))
    })
  }

  it.effect("is not touched by a message that is refused", () =>
    Effect.gen(function* () {
      const { id } = yield* create()
      yield* TestClock.adjust(16 * MINUTE)
      const message = callback({ out_trade_no: id, total_amount: "7.99" })
      expect(yield* codeOf(deliver(message))).toBe("AMOUNT_MISMATCH")
      const stored = yield* (yield* Store).find("payment_intent", id)
      expect(stored).toMatchObject({ status: "qr_generated", version: 1 })
    }).pipe(Effect.provide(workWorld({ script: makeScript() }))),
  )
})
