import { describe, expect, it, test } from "@effect/vitest"
import { Clock, Effect, Result } from "effect"
import { TestClock } from "effect/testing"
import { aChallenge, T0, uuid } from "../../support/records.ts"
import { closeSession } from "../../../core/challenges/closeSession.ts"
import { drawSession } from "../../../core/challenges/drawSession.ts"
import { lookAfterChallenge } from "../../../core/challenges/lookAfterChallenge.ts"
import { openChallenge } from "../../../core/challenges/openChallenge.ts"
import {
  abandonedAt,
  afterDraw,
  closed,
  drawStanding,
  endsAt,
  refundsRest,
  SESSION_LIFETIME,
  USUAL_IDLE,
} from "../../../core/challenges/PaymentSession.ts"
import { defaultCatalog } from "../../../core/channels/Catalog.ts"
import { find } from "../../../core/channels/Channel.ts"
import { challengeId, type PaymentStanding, redeemed } from "../../../core/challenges/Challenge.ts"
import { redeemProof } from "../../../core/challenges/redeemProof.ts"
import { captureIntent } from "../../../core/payments/captureIntent.ts"
import { Store } from "../../../core/ports/Store.ts"
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

describe("a draw", () => {
  test.each<[string, number, number, number, number]>([
    ["next", 5, 5, 0, 25],
    ["next", 5, 25, 20, 25],
    ["used", 5, 5, 5, 25],
    ["used", 5, 5, 20, 25],
    ["used", 5, 5, 25, 25],
    ["skipped", 5, 10, 0, 25],
    ["skipped", 5, 7, 5, 25],
    ["exhausted", 5, 30, 25, 25],
    ["exhausted", 5, 25, 20, 24],
    ["skipped", 25, 30, 10, 25],
  ])("is %s: %i up to %i where %i of %i are drawn", (standing, price, spent, drawn, kept) => {
    expect(drawStanding({ price, spent }, drawn, kept)).toBe(standing)
  })
})

describe("a deposit's rest", () => {
  test.each<[string, boolean]>([
    ["wallet_a", true],
    ["bank_qr_a", true],
    ["bank_qr_b", false],
  ])("of %s is given back: %s", (channel, gives) => {
    expect(refundsRest(find(defaultCatalog, channel))).toBe(gives)
  })

  test("is given back by no channel whose refunds end before a session does", () => {
    const wallet = find(defaultCatalog, "wallet_a")
    if (wallet === undefined) throw new Error("There is no wallet_a.")
    const ending = (window_days: number) => ({
      ...wallet,
      refunds: { ...wallet.refunds, window_days },
    })
    expect([29, 30].map((days) => refundsRest(ending(days)))).toEqual([false, true])
    expect(refundsRest(undefined)).toBe(false)
  })
})

describe("a session's end", () => {
  const at = T0 + 60_000
  test.each<[string, object, number, number]>([
    ["a day after the last draw", {}, at, at + 86_400_000],
    ["as long after it as its seller says", { idle_seconds: 60 }, at, at + 60_000],
    ["within thirty days", {}, T0 + SESSION_LIFETIME - 1, T0 + SESSION_LIFETIME],
  ])("is %s", (_, said, drawnAt, end) => {
    expect(endsAt(aChallenge(said), drawnAt)).toBe(end)
    expect(afterDraw(aChallenge(said), 100, drawnAt).due_at).toBe(end)
  })

  const opened = aChallenge({ idle_seconds: 60 })
  const drawn = afterDraw(opened, 100, at)
  test.each<[string, typeof opened, PaymentStanding | undefined, number | undefined]>([
    ["drawn from", drawn, "paid", at + 60_000],
    ["drawn from, and given back by its seller", drawn, "returned", at + 60_000],
    ["taken and not drawn from", opened, "paid", opened.expires_at + 60_000],
    ["not taken", opened, "authorized", undefined],
    ["not paid", opened, "ended", undefined],
    ["without its payment", drawn, undefined, undefined],
    ["closed", closed(drawn, null, at), "paid", undefined],
    ["no deposit", aChallenge(), "paid", undefined],
    ["what bought something", redeemed(opened, at), "paid", undefined],
  ])("%s", (_, challenge, standing, end) => {
    expect(abandonedAt(challenge, standing)).toBe(end)
  })
})

const bound = {
  service_id: uuid(1),
  amount: { currency: "USD", value: 699 },
  resource: "session reports",
}

const depositedAt = Effect.fnUntraced(function* (
  channel: string,
  currency = "USD",
  said: { readonly idle_seconds?: number } = {},
) {
  yield* seed({ accepted_channels: [channel], default_channel: null })
  const amount = { currency, value: 699 }
  const { payment_intent } = yield* openChallenge(as(seller), { ...bound, amount, ...said })
  const { id, token } = payment_intent
  for (const trade_status of ["SCANNED", "AUTHORIZED"] as const) {
    const payer = { payer_id: "hum-1", wallet_id: "wal-1" }
    yield* deliver({ ...callback({ out_trade_no: id, trade_status, ...payer }), channel })
  }
  const proof = { ...bound, amount, token }
  const draw = (spent: number, said: object = {}, account = seller) =>
    drawSession(as(account), id, { ...proof, price: 100, spent, ...said })
  const close = (said: object = {}, account = seller) =>
    closeSession(as(account), id, { ...proof, ...said })
  const intent = Effect.flatMap(Store, (store) => store.find("payment_intent", id))
  return { id, proof, draw, close, intent }
})

const deposited = Effect.suspend(() => depositedAt("wallet_a"))

const refundsOf = Effect.fnUntraced(function* (payment_intent: string) {
  const store = yield* Store
  return yield* store.list("refund", { by: { payment_intent }, limit: 10 })
})

const plain = () => world(makeScript())
const MANY = 30

describe("a session", () => {
  it.effect("takes its deposit with the first draw, and draws each sum once", () =>
    Effect.gen(function* () {
      const { draw, intent } = yield* deposited
      expect(yield* draw(100)).toMatchObject({ drawn: { value: 100 }, left: { value: 599 } })
      expect((yield* intent)?.status).toMatch(/^(captured|succeeded)$/)
      expect(yield* codeOf(draw(100))).toBe("PAYMENT_PROOF_USED")
      expect(yield* codeOf(draw(300))).toBe("PAYMENT_PROOF_INVALID")
      for (const spent of [200, 300, 400, 500, 600]) {
        const all = yield* Effect.all(
          Array.from({ length: MANY }, () => Effect.result(draw(spent))),
          { concurrency: "unbounded" },
        )
        expect(all.filter(Result.isSuccess)).toHaveLength(1)
      }
      expect(yield* codeOf(draw(700))).toBe("PAYMENT_REQUIRED")
    }).pipe(Effect.provide(plain())),
  )

  it.effect("takes no deposit at a channel that would not give the rest back", () =>
    Effect.gen(function* () {
      const { draw, intent } = yield* depositedAt("bank_qr_b", "BRL")
      expect(yield* codeOf(draw(100))).toBe("PAYMENT_PROOF_INVALID")
      expect((yield* intent)?.status).toBe("authorized")
    }).pipe(Effect.provide(plain())),
  )

  it.effect("gives the rest back once, and nothing is drawn afterwards", () =>
    Effect.gen(function* () {
      const { close, draw, id, intent } = yield* deposited
      yield* draw(100)
      const all = yield* Effect.all(
        Array.from({ length: MANY }, (_, n) =>
          n % 2 === 0 ? Effect.result(close()) : Effect.result(draw(200)),
        ),
        { concurrency: "unbounded" },
      )
      expect(all.some(({ _tag }) => _tag === "Success")).toBe(true)
      yield* Effect.result(close())
      const kept = (yield* intent)?.refunded.value ?? 0
      // The draw was stored before the end of the session, or not at all.
      expect([499, 599]).toContain(kept)
      for (const spent of [100, 200, 300, 700]) {
        expect(yield* codeOf(draw(spent))).toMatch(/^PAYMENT_/)
      }
      const [refund] = yield* refundsOf(id)
      expect(refund?.amount.value).toBe(kept)
      // However often it is closed, it is told what became of the rest.
      expect(yield* close()).toEqual({ payment_intent: id, refund: refund?.id })
      expect(yield* refundsOf(id)).toHaveLength(1)
      expect((yield* intent)?.refunded.value).toBe(kept)
    }).pipe(Effect.provide(plain())),
  )

  it.effect("is its seller's, for its own deposit, and for thirty days", () =>
    Effect.gen(function* () {
      const { close, draw } = yield* deposited
      for (const said of [
        { token: "guessed" },
        { resource: "session books" },
        { service_id: uuid(2) },
        { amount: { currency: "USD", value: 698 } },
      ]) {
        expect(yield* codeOf(draw(100, said))).toBe("PAYMENT_PROOF_INVALID")
        expect(yield* codeOf(close(said))).toBe("PAYMENT_PROOF_INVALID")
      }
      for (const account of [buyer, stranger]) {
        expect(yield* codeOf(draw(100, {}, account))).toBe("PAYMENT_PROOF_INVALID")
        expect(yield* codeOf(close({}, account))).toBe("PAYMENT_PROOF_INVALID")
      }
      yield* draw(100)
      yield* TestClock.adjust(SESSION_LIFETIME)
      expect(yield* codeOf(draw(200))).toBe("PAYMENT_REQUIRED")
      expect((yield* close()).refund).toMatch(/^ref_/)
    }).pipe(Effect.provide(plain())),
  )

  it.effect("takes no deposit for a draw that it refuses", () =>
    Effect.gen(function* () {
      const { draw, intent } = yield* deposited
      expect(yield* codeOf(draw(300))).toBe("PAYMENT_PROOF_INVALID")
      expect(yield* codeOf(draw(700, { price: 700 }))).toBe("PAYMENT_REQUIRED")
      expect((yield* intent)?.status).toBe("authorized")
      expect(yield* draw(100)).toMatchObject({ left: { value: 599 } })
    }).pipe(Effect.provide(plain())),
  )

  it.effect("gives all back where the deposit was taken and nothing drawn", () =>
    Effect.gen(function* () {
      const { close, draw, id, intent } = yield* deposited
      // As where a process ends between the capture and the draw.
      yield* captureIntent(as(seller), id)
      expect((yield* close()).refund).toMatch(/^ref_/)
      expect((yield* intent)?.refunded.value).toBe(699)
      expect(yield* codeOf(draw(100))).toBe("PAYMENT_REQUIRED")
    }).pipe(Effect.provide(plain())),
  )

  it.effect("releases what is held where it is closed before a draw, at once", () => {
    const script = makeScript()
    return Effect.gen(function* () {
      const { close, draw, id, intent } = yield* deposited
      const ended = { payment_intent: id, refund: null }
      expect(yield* close()).toEqual(ended)
      expect((yield* intent)?.status).toBe("voided")
      expect(yield* close()).toEqual(ended)
      expect(yield* codeOf(draw(100))).toBe("PAYMENT_REQUIRED")
      expect(yield* refundsOf(id)).toHaveLength(0)
    }).pipe(Effect.provide(world(script)))
  })

  it.effect("either draws or is released where both come at once", () =>
    Effect.gen(function* () {
      const { close, draw, intent } = yield* deposited
      const [drawn, ended] = yield* Effect.all([Effect.result(draw(100)), Effect.result(close())], {
        concurrency: "unbounded",
      })
      expect(Result.isSuccess(drawn) || Result.isSuccess(ended)).toBe(true)
      yield* close()
      const { amount, refunded, status } = (yield* intent) ?? {}
      const back = status === "voided" ? amount?.value : refunded?.value
      expect(back).toBe(Result.isSuccess(drawn) ? 599 : 699)
    }).pipe(Effect.provide(plain())),
  )

  /** Lets a worker do the due work; returns how much there was. */
  const work = Effect.gen(function* () {
    const store = yield* Store
    const now = yield* Clock.currentTimeMillis
    const due = yield* store.claimDue("challenge", now, { limit: 10, lease: 1_000 })
    yield* Effect.forEach(due, lookAfterChallenge)
    return due.length
  })

  it.effect("that nobody draws from or closes is closed, and its rest given back once", () =>
    Effect.gen(function* () {
      const { close, draw, id, intent } = yield* depositedAt("wallet_a", "USD", {
        idle_seconds: 600,
      })
      yield* draw(100)
      yield* TestClock.adjust(599_000)
      // Each draw gives it its time again.
      yield* draw(200)
      yield* TestClock.adjust(599_000)
      expect(yield* work).toBe(0)
      yield* TestClock.adjust(1_000)
      expect(yield* work).toBe(1)
      expect((yield* intent)?.refunded.value).toBe(499)
      const [refund] = yield* refundsOf(id)
      expect(yield* close()).toEqual({ payment_intent: id, refund: refund?.id })
      expect(yield* codeOf(draw(300))).toBe("PAYMENT_REQUIRED")
      yield* TestClock.adjust(600_000)
      yield* work
      expect(yield* refundsOf(id)).toHaveLength(1)
    }).pipe(Effect.provide(plain())),
  )

  it.effect("is closed with nothing to give back where the channel took the deposit back", () =>
    Effect.gen(function* () {
      const { close, draw, id } = yield* depositedAt("wallet_a", "USD", { idle_seconds: 60 })
      yield* draw(100)
      yield* deliver(callback({ out_trade_no: id, trade_status: "SETTLEMENT_FAILED" }))
      yield* TestClock.adjust(60_000)
      expect(yield* work).toBe(1)
      const store = yield* Store
      const record = yield* store.find("challenge", challengeId(id))
      expect([record?.closed_at, record?.rest_refund]).toEqual([T0 + 60_000, null])
      // A session that was handled once is not due again.
      expect(yield* work).toBe(0)
      expect(yield* close()).toEqual({ payment_intent: id, refund: null })
      expect(yield* refundsOf(id)).toEqual([])
    }).pipe(Effect.provide(plain())),
  )

  it.effect("ends after a day where its seller says nothing", () =>
    Effect.gen(function* () {
      const { draw, intent } = yield* deposited
      yield* draw(100)
      yield* TestClock.adjust(USUAL_IDLE * 1_000 - 1)
      expect(yield* work).toBe(0)
      yield* TestClock.adjust(1)
      yield* work
      expect((yield* intent)?.refunded.value).toBe(599)
    }).pipe(Effect.provide(plain())),
  )

  it.effect("goes on where it was drawn from while a worker was about to close it", () =>
    Effect.gen(function* () {
      const { draw, intent } = yield* deposited
      yield* draw(100)
      yield* TestClock.adjust(USUAL_IDLE * 1_000)
      const store = yield* Store
      const now = yield* Clock.currentTimeMillis
      const [claimed] = yield* store.claimDue("challenge", now, { limit: 10, lease: 1_000 })
      yield* draw(200)
      if (claimed !== undefined) yield* lookAfterChallenge(claimed)
      expect((yield* intent)?.refunded.value).toBe(0)
      expect(yield* draw(300)).toMatchObject({ drawn: { value: 300 } })
    }).pipe(Effect.provide(plain())),
  )

  it.effect("whose deposit was taken and never drawn from is given back whole", () =>
    Effect.gen(function* () {
      const { id, intent } = yield* depositedAt("wallet_a", "USD", { idle_seconds: 7_200 })
      // As where a process ends between the capture and the draw.
      yield* captureIntent(as(seller), id)
      yield* TestClock.adjust("2 hours")
      yield* work
      expect((yield* intent)?.refunded.value).toBe(0)
      yield* TestClock.adjust("2 hours")
      yield* work
      expect((yield* intent)?.refunded.value).toBe(699)
    }).pipe(Effect.provide(plain())),
  )

  it.effect("is none where something was bought with the payment", () =>
    Effect.gen(function* () {
      const { close, draw, id, intent, proof } = yield* deposited
      yield* redeemProof(as(seller), id, proof)
      expect(yield* codeOf(draw(100))).toBe("PAYMENT_PROOF_USED")
      expect(yield* codeOf(close())).toBe("PAYMENT_PROOF_USED")
      expect((yield* intent)?.refunded.value).toBe(0)
    }).pipe(Effect.provide(plain())),
  )

  it.effect("buys nothing else with its deposit", () =>
    Effect.gen(function* () {
      const { draw, id, proof } = yield* deposited
      yield* draw(100)
      expect(yield* codeOf(redeemProof(as(seller), id, proof))).toBe("PAYMENT_PROOF_USED")
    }).pipe(Effect.provide(plain())),
  )
})
