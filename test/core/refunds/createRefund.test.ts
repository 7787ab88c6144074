import { describe, expect, it } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import { TestClock } from "effect/testing"
import type { RefundCallback } from "../../../core/gateway/ChannelCallback.ts"
import { captureIntent } from "../../../core/payments/captureIntent.ts"
import { createIntent } from "../../../core/payments/createIntent.ts"
import { receiveCallback } from "../../../core/dispatch/receiveCallback.ts"
import { resolveChannelRequest } from "../../../core/dispatch/resolveChannelRequest.ts"
import type { ChannelOutcome } from "../../../core/ports/Channels.ts"
import { Store } from "../../../core/ports/Store.ts"
import { createRefund, refundIntent } from "../../../core/refunds/createRefund.ts"
import { getRefund } from "../../../core/refunds/getRefund.ts"
import { listRefunds } from "../../../core/refunds/listRefunds.ts"
import { DAY } from "../../../core/shared/Timestamp.ts"
import { id as idOf } from "../../support/records.ts"
import { makeScript, type Script, SIGNATURE } from "../../support/scriptedChannels.ts"
import { as, buyer, codeOf, seed, seller, stranger, walk, world } from "../../support/world.ts"

const usd = (value: number) => ({ currency: "USD", value })

/** A captured payment of 699, and the channel's answer to what it is asked from then on. */
const paid = Effect.fnUntraced(function* (script: Script, settled = true) {
  const service = yield* seed()
  const { id } = yield* createIntent(as(buyer), {
    service_id: service.id,
    type: "one_time",
    amount: usd(699),
    description: "One answer",
    payer_channel: "wallet_a",
  })
  yield* walk(id, "SCANNED", "AUTHORIZED")
  yield* captureIntent(as(seller), id)
  if (settled) yield* walk(id, "SUCCESS")
  script.calls.length = 0
  return id
})

const answer = (script: Script, outcome: ChannelOutcome) => {
  script.answer = () => Effect.succeed(outcome)
}
const later = { type: "pending" } as const
const done = { type: "done", at: 0, trade_no: "trade-1" } as const
const no = { type: "refused", message: "The wallet is closed." } as const

const refund = (payment_intent: string, value?: number) =>
  createRefund(as(seller), { payment_intent, ...(value !== undefined && { amount: usd(value) }) })

/** Returns the balance of each ledger account, in minor units; debits are positive. */
const balances = Effect.gen(function* () {
  const store = yield* Store
  const totals: { [account: string]: number } = {}
  for (const { amount, ledger_account } of yield* store.listBalances(seller.id)) {
    totals[ledger_account] = (totals[ledger_account] ?? 0) + amount
  }
  return Object.fromEntries(Object.entries(totals).filter(([, amount]) => amount !== 0))
})

/** The channel's callback about a refund. */
const told = (script: Script, said: Partial<RefundCallback> = {}) => {
  const call = script.calls.at(-1)
  const message: RefundCallback = {
    channel: "wallet_a",
    out_trade_no: call?.out_trade_no ?? "",
    out_request_no: call?.number ?? "",
    refund_amount: "2.00",
    refund_status: "SUCCESS",
    ...said,
  }
  const body = new TextEncoder().encode(JSON.stringify(message))
  return receiveCallback(message.channel, body, SIGNATURE)
}

const refundEvents = Effect.gen(function* () {
  const store = yield* Store
  const events = yield* store.claimDue("event", 10 ** 13, { limit: 100, lease: 1 })
  return events.filter(({ type }) => type.startsWith("refund.")).map(({ type }) => type)
})

const workOff = Effect.gen(function* () {
  const store = yield* Store
  const now = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
  const due = yield* store.claimDue("channel_request", now, { limit: 10, lease: 1_000 })
  yield* Effect.forEach(due, resolveChannelRequest)
  return due.length
})

const scenario = (
  title: string,
  test: (script: Script) => Effect.Effect<void, unknown, Layer.Success<ReturnType<typeof world>>>,
) => {
  it.effect(title, () => {
    const script = makeScript()
    return Effect.provide(test(script), world(script))
  })
}

describe("refunding a payment", () => {
  scenario("gives all of it back at once where the channel does", (script) =>
    Effect.gen(function* () {
      const id = yield* paid(script)
      const made = yield* refund(id)
      expect(made).toMatchObject({ status: "succeeded", amount: usd(699), payment_intent: id })
      expect(made).not.toHaveProperty("remaining_refundable")
      expect(made).toMatchObject({ settlement: usd(699), service_fee: usd(3) })
      expect(script.calls).toHaveLength(1)
      expect(script.calls[0]).toMatchObject({ action: "refund", amount: usd(699) })
      expect(yield* getRefund(as(seller), made.id)).toEqual(made)
      const seen = yield* getRefund(as(buyer), made.id)
      expect(seen).not.toHaveProperty("settlement")
      expect(yield* codeOf(getRefund(as(stranger), made.id))).toBe("NOT_FOUND")
      expect(yield* refundEvents).toEqual(["refund.succeeded", "refund.succeeded"])
      // The channel's own fee is all that is left.
      expect(yield* balances).toEqual({ channel_fees: -4, fees_due: 4 })
      expect(yield* codeOf(refund(id))).toBe("REFUND_EXCEEDS_PAYMENT")
      expect(script.calls).toHaveLength(1)
    }),
  )

  scenario("gives 200 of 699 back and leaves 499", (script) =>
    Effect.gen(function* () {
      const id = yield* paid(script)
      answer(script, later)
      const made = yield* refundIntent(as(seller), id, {
        amount: usd(200),
        reason: "Not delivered",
      })
      expect(made).toMatchObject({
        status: "pending",
        reason: "Not delivered",
        remaining_refundable: usd(499),
      })
      expect((yield* balances)["refunds"]).toBe(-200)
      answer(script, done)
      yield* TestClock.adjust("1 second")
      script.asked = () => Effect.succeed(done)
      expect(yield* workOff).toBe(1)
      expect(script.questions.at(-1)?.number).toBe(script.calls[0]?.number)
      expect(script.calls).toHaveLength(1)
      expect(yield* getRefund(as(seller), made.id)).toMatchObject({ status: "succeeded" })
      const rest = yield* refund(id)
      expect(rest).toMatchObject({ amount: usd(499), remaining_refundable: usd(0) })
      expect(yield* balances).toEqual({ channel_fees: -4, fees_due: 4 })
      const { data, has_more } = yield* listRefunds(as(seller), { payment_intent: id, limit: 20 })
      expect(data.map((one) => one.id)).toEqual([rest.id, made.id])
      expect(has_more).toBe(false)
      expect((yield* listRefunds(as(seller), { limit: 1 })).has_more).toBe(true)
      expect((yield* listRefunds(as(buyer), { limit: 20 })).data).toEqual([])
    }),
  )

  scenario("makes what the channel rejects refundable again", (script) =>
    Effect.gen(function* () {
      const id = yield* paid(script)
      const before = yield* balances
      answer(script, no)
      expect(yield* codeOf(refund(id, 200))).toBe("REFUND_CHANNEL_REJECTED")
      expect(yield* balances).toEqual(before)
      answer(script, later)
      yield* refund(id, 699)
      expect(yield* codeOf(refund(id, 1))).toBe("REFUND_EXCEEDS_PAYMENT")
      script.asked = () => Effect.succeed(no)
      yield* TestClock.adjust("1 second")
      expect(yield* workOff).toBe(1)
      expect(yield* balances).toEqual(before)
      answer(script, done)
      expect(yield* refund(id)).toMatchObject({ status: "succeeded", amount: usd(699) })
      const { data } = yield* listRefunds(as(seller), { payment_intent: id, limit: 20 })
      expect(data.map(({ status }) => status)).toEqual(["succeeded", "failed", "failed"])
      expect(data[1]).toMatchObject({ channel_reason: "The wallet is closed." })
    }),
  )

  scenario("asks nothing of the channel that is not allowed", (script) =>
    Effect.gen(function* () {
      const id = yield* paid(script)
      const open = yield* createIntent(as(buyer), {
        service_id: (yield* seedless).service_id,
        type: "one_time",
        amount: usd(699),
        description: "Another answer",
        payer_channel: "wallet_a",
      })
      const eur = { payment_intent: id, amount: { currency: "EUR", value: 1 } }
      expect(yield* codeOf(createRefund(as(seller), eur))).toBe("INVALID_AMOUNT")
      expect(yield* codeOf(refund(id, 700))).toBe("REFUND_EXCEEDS_PAYMENT")
      expect(yield* codeOf(refund(open.id, 1))).toBe("REFUND_NOT_ALLOWED")
      expect(yield* codeOf(refund(idOf("pi", 77), 1))).toBe("NOT_FOUND")
      expect(yield* codeOf(refund("nonsense", 1))).toBe("NOT_FOUND")
      const by = (account: typeof buyer) => createRefund(as(account), { payment_intent: id })
      expect(yield* codeOf(by(buyer))).toBe("FORBIDDEN")
      expect(yield* codeOf(by(stranger))).toBe("NOT_FOUND")
      yield* TestClock.adjust(365 * DAY + 1)
      expect(yield* codeOf(refund(id, 1))).toBe("REFUND_WINDOW_EXPIRED")
      expect(script.calls).toEqual([])
      expect((yield* listRefunds(as(seller), { limit: 20 })).data).toEqual([])
    }),
  )

  scenario("asks again under the same number when the outcome is unknown", (script) =>
    Effect.gen(function* () {
      const id = yield* paid(script)
      answer(script, { type: "unknown", message: "no answer" })
      const made = yield* refund(id, 200)
      expect(made.status).toBe("pending")
      const number = script.calls[0]?.number
      for (const wait of ["1 second", "5 seconds", "30 seconds"] as const) {
        yield* TestClock.adjust(wait)
        expect(yield* workOff).toBe(1)
      }
      expect(script.calls).toHaveLength(1)
      answer(script, done)
      yield* TestClock.adjust("1 minute")
      expect(yield* workOff).toBe(1)
      expect(script.calls.map((call) => call.number)).toEqual([number, number])
      expect(new Set(script.questions.map((call) => call.number))).toEqual(new Set([number]))
      expect(yield* getRefund(as(seller), made.id)).toMatchObject({ status: "succeeded" })
    }),
  )
})

/** The service of {@link seed}. */
const seedless = Effect.gen(function* () {
  const store = yield* Store
  const { data } = yield* store.searchServices({
    status: "active",
    viewer: seller.id,
    limit: 1,
    offset: 0,
  })
  return { service_id: data[0]?.id ?? "" }
})

describe("a channel's word about a refund", () => {
  scenario("ends it once, however often it is sent", (script) =>
    Effect.gen(function* () {
      const id = yield* paid(script)
      answer(script, later)
      const made = yield* refund(id, 200)
      yield* told(script)
      const ended = yield* getRefund(as(seller), made.id)
      expect(ended.status).toBe("succeeded")
      const books = yield* balances
      yield* TestClock.adjust("1 hour")
      yield* told(script)
      expect(yield* getRefund(as(seller), made.id)).toEqual(ended)
      expect(yield* balances).toEqual(books)
      expect(yield* refundEvents).toEqual(["refund.succeeded", "refund.succeeded"])
    }),
  )

  scenario("fails it, and the amount can be refunded again", (script) =>
    Effect.gen(function* () {
      const id = yield* paid(script)
      answer(script, later)
      const made = yield* refund(id, 200)
      yield* told(script, { refund_status: "FAILED", failure_reason: "Closed." })
      expect(yield* getRefund(as(seller), made.id)).toMatchObject({
        status: "failed",
        channel_reason: "Closed.",
        remaining_refundable: usd(699),
      })
      // It has said the opposite before.
      yield* told(script)
      expect(yield* getRefund(as(seller), made.id)).toMatchObject({ status: "failed" })
    }),
  )

  scenario("is refused where it is not about what was asked for", (script) =>
    Effect.gen(function* () {
      const id = yield* paid(script)
      answer(script, later)
      const made = yield* refund(id, 200)
      const wrong: ReadonlyArray<readonly [Partial<RefundCallback>, string]> = [
        [{ refund_amount: "2.01" }, "AMOUNT_MISMATCH"],
        [{ currency: "EUR" }, "AMOUNT_MISMATCH"],
        [{ channel: "wallet_b" }, "CHANNEL_MISMATCH"],
        [{ out_request_no: idOf("creq", 77) }, "NOT_FOUND"],
        [{ out_request_no: "nonsense" }, "NOT_FOUND"],
        [{ out_trade_no: idOf("pi", 77) }, "NOT_FOUND"],
      ]
      for (const [said, code] of wrong) expect(yield* codeOf(told(script, said))).toBe(code)
      expect(yield* getRefund(as(seller), made.id)).toMatchObject({ status: "pending" })
    }),
  )
})

describe("a refund of money that is not settled yet", () => {
  scenario("and its settlement come to the same in either order", (script) =>
    Effect.gen(function* () {
      const id = yield* paid(script, false)
      expect(yield* refund(id, 200)).toMatchObject({ status: "succeeded" })
      yield* walk(id, "SUCCESS")
      yield* refund(id)
      expect(yield* balances).toEqual({ channel_fees: -4, fees_due: 4 })
    }),
  )

  for (const outcome of [done, no]) {
    scenario(`leaves nothing when the settlement fails and it is ${outcome.type}`, (script) =>
      Effect.gen(function* () {
        const id = yield* paid(script, false)
        yield* refund(id, 200)
        answer(script, later)
        yield* refund(id, 300)
        yield* walk(id, "SETTLEMENT_FAILED")
        script.asked = () => Effect.succeed(outcome)
        yield* TestClock.adjust("1 second")
        expect(yield* workOff).toBe(1)
        expect(yield* balances).toEqual({})
        expect(yield* codeOf(refund(id, 1))).toBe("REFUND_NOT_ALLOWED")
      }),
    )
  }
})
