import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import type { Trade, TradeAnswer } from "../../../core/ports/Channels.ts"
import { captureIntent } from "../../../core/payments/captureIntent.ts"
import { createIntent } from "../../../core/payments/createIntent.ts"
import { createOneTime } from "../../../core/payments/createOneTime.ts"
import { voidIntent } from "../../../core/payments/endIntent.ts"
import { getIntent } from "../../../core/payments/getIntent.ts"
import { Store } from "../../../core/ports/Store.ts"
import { DAY, HOUR, MINUTE, SECOND } from "../../../core/shared/Timestamp.ts"
import { runDue } from "../../../core/work/runDue.ts"
import { makeScript, type Script } from "../../support/scriptedChannels.ts"
import { T0 } from "../../support/records.ts"
import { as, buyer, seed, seller, walk } from "../../support/world.ts"
import { workWorld } from "../work/workWorld.ts"

const amount = { currency: "USD", value: 699 }
const payer = { payer_id: "hum-9", wallet_id: "wal-9" }
const silent: TradeAnswer = { type: "unknown", message: "It does not answer." }

type Part<T> = T extends unknown ? Partial<T> : never

const knows =
  (said: Part<Trade>) =>
  ({ out_trade_no }: { readonly out_trade_no: string }): TradeAnswer => {
    const trade = { out_trade_no, amount, refunded: 0, trade_no: "trade-1", ...said } as Trade
    return { type: "known", trade }
  }

/** Counts the questions to the channels. */
const counted = (script: Script) => {
  const count = { questions: 0 }
  const answer = (answer: Script["known"]) => {
    script.known = (charge) => {
      count.questions += 1
      return answer(charge)
    }
  }
  answer(() => ({ type: "not_found" }))
  return { count, answer }
}

const script = makeScript()
const { answer, count } = counted(script)
const fresh = Effect.gen(function* () {
  script.calls.length = 0
  count.questions = 0
  answer(() => ({ type: "not_found" }))
  return yield* seed()
})

const request = Effect.flatMap(fresh, ({ id }) =>
  createIntent(as(seller), {
    service_id: id,
    type: "one_time",
    amount,
    description: "One",
    payer_channel: "wallet_a",
  }),
)
const link = Effect.flatMap(fresh, ({ id }) =>
  createOneTime(as(buyer), {
    service_id: id,
    amount,
    description: "One",
    payer: { agent_id: "buyer-agent" },
  }),
)

const at = (milliseconds: number) => Effect.andThen(TestClock.setTime(T0 + milliseconds), runDue())
const seen = (id: string) => getIntent(as(seller), id)
const stored = (id: string) => Effect.flatMap(Store, (store) => store.find("payment_intent", id))
const actions = () => script.calls.map(({ action }) => action)

const inWorld = Effect.provide(workWorld({ script }))

describe("a payment whose callback never came", () => {
  it.effect("is authorized when the channel says so before it expires", () =>
    Effect.gen(function* () {
      const { id } = yield* request
      answer(knows({ status: "held", payer }))
      yield* at(14 * MINUTE)
      expect(count.questions).toBe(0)
      yield* at(14.5 * MINUTE)
      expect(yield* seen(id)).toMatchObject({
        status: "authorized",
        payer: { human_id: "hum-9", wallet_id: "wal-9" },
      })
      expect(yield* captureIntent(as(seller), id)).toMatchObject({ status: "captured" })
    }).pipe(inWorld),
  )

  it.effect("is completed when the channel says that the link was paid", () =>
    Effect.gen(function* () {
      const { id } = yield* link
      answer(knows({ status: "settled", payer }))
      yield* at(4.5 * MINUTE)
      expect(yield* seen(id)).toMatchObject({ status: "completed", channel_txn_id: "trade-1" })
      yield* at(DAY)
      expect(count.questions).toBe(1)
    }).pipe(inWorld),
  )

  it.effect("is settled, asked after at growing intervals and not before", () =>
    Effect.gen(function* () {
      const { id } = yield* request
      yield* walk(id, "SCANNED", "AUTHORIZED")
      yield* captureIntent(as(seller), id)
      answer(knows({ status: "paid" }))
      for (const [after, questions] of [
        [29 * SECOND, 0],
        [30 * SECOND, 1],
        [59 * SECOND, 1],
        [MINUTE, 2],
        [5 * MINUTE, 3],
        [2 * HOUR, 5],
        [11 * HOUR, 5],
      ] as const) {
        yield* at(after)
        // A late worker asks each due question once.
        yield* runDue()
        expect(count.questions, `after ${after} ms`).toBe(questions)
        expect(yield* seen(id)).toMatchObject({ status: "captured" })
      }
      answer(knows({ status: "settled" }))
      yield* at(12 * HOUR)
      expect(yield* seen(id)).toMatchObject({ status: "succeeded" })
      yield* at(60 * DAY)
      expect(count.questions).toBe(6)
    }).pipe(inWorld),
  )

  it.effect("fails when the captured money could not be settled", () =>
    Effect.gen(function* () {
      const { id } = yield* request
      yield* walk(id, "SCANNED", "AUTHORIZED")
      yield* captureIntent(as(seller), id)
      answer(knows({ status: "closed", reason: "SETTLEMENT_FAILED" }))
      yield* at(MINUTE)
      expect(yield* seen(id)).toMatchObject({ status: "failed", failure_code: "SETTLEMENT_FAILED" })
    }).pipe(inWorld),
  )

  it.effect("fails when the payer rejected it", () =>
    Effect.gen(function* () {
      const { id } = yield* request
      answer(knows({ status: "closed", reason: "REJECTED" }))
      yield* at(14.5 * MINUTE)
      expect(yield* seen(id)).toMatchObject({ status: "failed", failure_code: "PAYMENT_REJECTED" })
    }).pipe(inWorld),
  )

  it.effect("gives up on a channel that is silent for a month", () =>
    Effect.gen(function* () {
      const { id } = yield* request
      yield* walk(id, "SCANNED", "AUTHORIZED")
      yield* captureIntent(as(seller), id)
      answer(() => silent)
      for (let day = 1; day < 40; day++) yield* at(day * DAY)
      expect(count.questions).toBe(36)
      expect(yield* seen(id)).toMatchObject({ status: "captured" })
    }).pipe(inWorld),
  )
})

describe("money of a payment that has ended", () => {
  it.effect("is found by asking, and released", () =>
    Effect.gen(function* () {
      const { id } = yield* request
      yield* at(15 * MINUTE)
      expect(yield* seen(id)).toMatchObject({ status: "expired" })
      answer(knows({ status: "held" }))
      yield* at(16 * MINUTE)
      expect(yield* seen(id)).toMatchObject({ status: "expired" })
      expect(actions()).toEqual(["release"])
      yield* at(DAY)
      expect(count.questions).toBe(1)
      expect(actions()).toEqual(["release"])
    }).pipe(inWorld),
  )

  it.effect("is refunded when a link was paid, however long the channel was away", () =>
    Effect.gen(function* () {
      const { id } = yield* link
      answer(() => silent)
      for (let minutes = 1; minutes < 60; minutes++) yield* at(minutes * MINUTE)
      expect(yield* seen(id)).toMatchObject({ status: "expired" })
      answer(knows({ status: "settled" }))
      yield* at(3 * HOUR)
      expect(actions()).toEqual(["refund"])
      expect((yield* stored(id))?.channel_asks).toBeNull()
    }).pipe(inWorld),
  )

  it.effect("is given back once, whether asked or told first", () =>
    Effect.gen(function* () {
      const { id } = yield* request
      yield* voidIntent(as(seller), id)
      answer(knows({ status: "held" }))
      yield* at(30 * SECOND)
      yield* walk(id, "AUTHORIZED")
      yield* at(2 * MINUTE)
      expect(actions().filter((action) => action === "release")).toHaveLength(1)
    }).pipe(inWorld),
  )

  it.effect("that is back with the payer is not given back again", () =>
    Effect.gen(function* () {
      yield* link
      answer(knows({ status: "settled", refunded: 699 }))
      yield* at(5 * MINUTE)
      answer(knows({ status: "settled", refunded: 699 }))
      yield* at(6 * MINUTE)
      expect(actions()).toEqual([])
    }).pipe(inWorld),
  )
})

describe("what a channel says about another payment", () => {
  it.effect("moves nothing and is written down", () =>
    Effect.gen(function* () {
      const { id } = yield* request
      answer(knows({ status: "held", amount: { currency: "USD", value: 1 } }))
      yield* at(14.5 * MINUTE)
      expect(yield* seen(id)).toMatchObject({ status: "qr_generated" })
      yield* at(15 * MINUTE)
      expect(yield* seen(id)).toMatchObject({ status: "expired" })
      expect(actions()).toEqual([])
    }).pipe(inWorld),
  )
})
