import { describe, expect, it } from "@effect/vitest"
import { Effect, Exit, Layer } from "effect"
import { TestClock } from "effect/testing"
import type { TradeStatus } from "../../../core/gateway/ChannelCallback.ts"
import { cancelIntent, voidIntent } from "../../../core/payments/endIntent.ts"
import { Documents } from "../../../core/ports/Documents.ts"
import { Sandbox, SIMULATED_ACTIONS, type SimulatedAction } from "../../../core/ports/Sandbox.ts"
import { MINUTE, SECOND } from "../../../core/shared/Timestamp.ts"
import { Store, StoreUnavailable } from "../../../core/ports/Store.ts"
import { runDue } from "../../../core/work/runDue.ts"
import { anIntent } from "../../support/records.ts"
import { codeOf } from "../../support/world.ts"
import {
  buyer,
  callBack,
  capture,
  later,
  makeLine,
  oneTime,
  request,
  sandboxWorld,
  seller,
  simulate,
  statusOf,
  storage,
  stranger,
} from "./sandboxWorld.ts"

const books = Effect.flatMap(Documents, (documents) =>
  documents.page("sandbox_charge", { prefix: "", after: "", limit: 99 }),
)

const charge = Effect.map(books, ([document]) => document?.body as { readonly state: string })

const say = (intent: string, trade_status: TradeStatus, trade_no = "hand-made-1") =>
  callBack({
    channel: "wallet_a",
    out_trade_no: intent,
    trade_no,
    total_amount: "6.99",
    trade_status,
  })

describe("a simulated payment", () => {
  it.effect("is scanned, authorized, captured and settled after two seconds", () => {
    const line = makeLine()
    return Effect.gen(function* () {
      const { id, qr } = yield* request()
      expect(qr?.qr_data).toBe(`svc://pay/${id}?channel=wallet_a`)
      expect(yield* books).toEqual([])
      expect(yield* simulate(id, "scan")).toMatchObject({ status: "scanning" })
      expect(yield* simulate(id, "authorize")).toMatchObject({
        status: "authorized",
        payer: { human_id: "wallet_a_payer", wallet_id: "wallet_a_wallet" },
      })
      expect(yield* capture(id)).toMatchObject({ status: "captured" })
      yield* later(2 * SECOND - 1)
      expect(yield* statusOf(id)).toBe("captured")
      yield* later(1)
      expect(yield* statusOf(id)).toBe("succeeded")
      expect(line.sent.map(({ status }) => status)).toEqual([200, 200, 200])
    }).pipe(Effect.provide(sandboxWorld(line)))
  })

  it.effect("is paid as far as the flow can go", () =>
    Effect.gen(function* () {
      const { id } = yield* request()
      expect(yield* simulate(id, "pay")).toMatchObject({ status: "authorized" })
      expect(yield* codeOf(simulate(id, "pay"))).toBe("INVALID_TRANSITION")
      yield* capture(id)
      expect(yield* simulate(id, "pay")).toMatchObject({ status: "succeeded" })
      const link = yield* oneTime
      expect(yield* simulate(link.id, "pay")).toMatchObject({ status: "completed" })
    }).pipe(Effect.provide(sandboxWorld())),
  )

  it.effect("of a deep link waits for nothing but the wallet", () =>
    Effect.gen(function* () {
      const { id } = yield* oneTime
      expect(yield* simulate(id, "authorize")).toMatchObject({ status: "pending" })
      expect(yield* simulate(id, "settle")).toMatchObject({ status: "completed" })
    }).pipe(Effect.provide(sandboxWorld())),
  )

  it.effect.each([
    ["reject", "PAYMENT_REJECTED"],
    ["insufficient_balance", "INSUFFICIENT_BALANCE"],
    ["close", "CHANNEL_CLOSED"],
  ] as const)("that ends by %s has failed with %s", ([action, failure_code]) =>
    Effect.gen(function* () {
      const { id } = yield* request()
      yield* simulate(id, "scan")
      expect(yield* simulate(id, action)).toMatchObject({ status: "failed", failure_code })
      const link = yield* oneTime
      expect(yield* simulate(link.id, action)).toMatchObject({ status: "failed", failure_code })
    }).pipe(Effect.provide(sandboxWorld())),
  )

  const impossible: ReadonlyArray<readonly [ReadonlyArray<SimulatedAction>, string]> = [
    [[], "settle"],
    [["scan"], "scan settle"],
    [["authorize"], "scan authorize reject insufficient_balance settle pay"],
    [["reject"], SIMULATED_ACTIONS.join(" ")],
    [["close"], SIMULATED_ACTIONS.join(" ")],
  ]
  it.effect.each(impossible)("after %s refuses %s", ([before, refused]) =>
    Effect.gen(function* () {
      const { id } = yield* request()
      for (const action of before) yield* simulate(id, action)
      for (const action of SIMULATED_ACTIONS.filter((name) => refused.split(" ").includes(name))) {
        const code = yield* codeOf(simulate(id, action))
        expect([action, code]).toEqual([action, "INVALID_TRANSITION"])
      }
    }).pipe(Effect.provide(sandboxWorld())),
  )

  it.effect("is nobody's but its participants', and ends with its time", () =>
    Effect.gen(function* () {
      const { id } = yield* request()
      expect(yield* codeOf(simulate(id, "scan", stranger))).toBe("NOT_FOUND")
      expect(yield* codeOf(simulate("pi_1", "scan"))).toBe("NOT_FOUND")
      yield* TestClock.adjust(15 * MINUTE)
      expect(yield* codeOf(simulate(id, "scan"))).toBe("INVALID_TRANSITION")
      expect(yield* books).toEqual([])
    }).pipe(Effect.provide(sandboxWorld())),
  )

  it.effect("at several channels is paid at one, and the others are closed", () =>
    Effect.gen(function* () {
      const { id, channels } = yield* request(2)
      expect(channels?.map(({ channel }) => channel)).toEqual(["wallet_a", "wallet_b"])
      const paid = yield* simulate(id, "pay")
      expect(paid).toMatchObject({ channel: "wallet_a", status: "authorized" })
      yield* runDue()
      const states = (yield* books).map(({ body }) => body as { channel: string; state: string })
      expect(states.map(({ channel, state }) => [channel, state])).toEqual([
        ["wallet_a", "authorized"],
        ["wallet_b", "closed"],
      ])
    }).pipe(Effect.provide(sandboxWorld())),
  )
})

describe("the channel's books", () => {
  it.effect("let go of held money when the payment is voided or expires", () =>
    Effect.gen(function* () {
      const voided = yield* request()
      yield* simulate(voided.id, "pay")
      yield* voidIntent(seller, voided.id)
      yield* runDue()
      const expired = yield* request()
      yield* simulate(expired.id, "pay")
      yield* later(15 * MINUTE)
      const states = (yield* books).map(({ body }) => (body as { state: string }).state)
      expect(states).toEqual(["released", "released"])
    }).pipe(Effect.provide(sandboxWorld())),
  )

  it.effect("close a charge that nobody has paid, and take no payment of it", () =>
    Effect.gen(function* () {
      const { id } = yield* request()
      yield* cancelIntent(seller, id)
      yield* runDue()
      expect(yield* charge).toMatchObject({ state: "closed" })
      expect(yield* codeOf(simulate(id, "pay"))).toBe("INVALID_TRANSITION")
    }).pipe(Effect.provide(sandboxWorld())),
  )

  it.effect("carry out fifty captures at once as one", () =>
    Effect.gen(function* () {
      const { id } = yield* request()
      yield* simulate(id, "pay")
      const captures = Array.from({ length: 50 }, () => capture(id))
      const running = Effect.all(captures, { concurrency: "unbounded" })
      const [views] = yield* Effect.all([running, TestClock.adjust("1 second")], { concurrency: 2 })
      expect(new Set(views.map(({ status }) => status))).toEqual(new Set(["captured"]))
      const { effects } = (yield* charge) as unknown as { readonly effects: object }
      expect(Object.keys(effects)).toHaveLength(1)
    }).pipe(Effect.provide(sandboxWorld())),
  )

  it.effect("follow a callback that was signed by hand, and the payment goes on from there", () =>
    Effect.gen(function* () {
      const { id } = yield* request()
      yield* say(id, "AUTHORIZED")
      expect(yield* statusOf(id)).toBe("authorized")
      expect(yield* charge).toMatchObject({ state: "authorized", trade_no: "hand-made-1" })
      yield* capture(id)
      yield* later(2 * SECOND)
      expect(yield* statusOf(id)).toBe("succeeded")
    }).pipe(Effect.provide(sandboxWorld())),
  )

  it.effect("give money back that came for a payment after its end", () =>
    Effect.gen(function* () {
      const { id } = yield* request()
      yield* cancelIntent(seller, id)
      yield* runDue()
      yield* say(id, "SUCCESS")
      expect(yield* charge).toMatchObject({ state: "settled" })
      yield* runDue()
      expect(yield* charge).toMatchObject({ state: "settled", refunded: 699 })
      expect(yield* statusOf(id)).toBe("cancelled")
    }).pipe(Effect.provide(sandboxWorld())),
  )

  it.effect("do not reopen a charge for an old message about the same trade", () =>
    Effect.gen(function* () {
      const { id } = yield* request()
      yield* simulate(id, "scan")
      const { trade_no } = (yield* charge) as unknown as { readonly trade_no: string }
      yield* simulate(id, "reject")
      yield* say(id, "AUTHORIZED", trade_no)
      expect(yield* charge).toMatchObject({ state: "rejected" })
    }).pipe(Effect.provide(sandboxWorld())),
  )

  it.effect("forget what a reset erases, and nothing of anybody else's", () =>
    Effect.gen(function* () {
      const mine = yield* request()
      yield* simulate(mine.id, "scan")
      const link = yield* oneTime
      yield* simulate(link.id, "scan")
      expect(yield* (yield* Sandbox).reset(seller)).toEqual({ reset: true })
      expect((yield* books).map(({ id }) => id)).toEqual([`wallet_a:${link.id}`])
      const store = yield* Store
      expect(yield* store.find("payment_intent", mine.id)).toBeUndefined()
      expect(yield* store.find("account", seller.account.id)).toBeDefined()
      yield* (yield* Sandbox).reset(buyer)
      expect(yield* books).toEqual([])
    }).pipe(Effect.provide(sandboxWorld())),
  )

  it.effect("forget the charges of more payments than a page has, of every channel", () =>
    Effect.gen(function* () {
      const documents = yield* Documents
      const store = yield* Store
      const own = Array.from({ length: 501 }, (_, n) => anIntent({ n: n + 1 }))
      yield* store.commit({
        writes: own.map((record) => ({ op: "insert", kind: "payment_intent", record }) as const),
      })
      const [first, last] = [own[0]!.id, own[500]!.id]
      const put = (name: string) =>
        documents.put({ scope: "sandbox_charge", id: name, version: 0, body: {}, due_at: null })
      yield* Effect.forEach([`wallet_a:${first}`, `wallet_b:${last}`, "wallet_a:pi_other"], put)
      yield* (yield* Sandbox).reset(seller)
      expect((yield* books).map(({ id }) => id)).toEqual(["wallet_a:pi_other"])
    }).pipe(Effect.provide(sandboxWorld())),
  )

  it.effect("are forgotten by a repetition of a reset that has failed", () => {
    let failures = 1
    const failing = Layer.effect(
      Documents,
      Effect.map(Documents, (documents) => ({
        ...documents,
        remove: (scope: string, ids: ReadonlyArray<string>) =>
          failures-- > 0
            ? Effect.fail(new StoreUnavailable({ outcome: "not_stored", cause: "It is down." }))
            : documents.remove(scope, ids),
      })),
    )
    const stored = Layer.provideMerge(failing, storage)
    return Effect.gen(function* () {
      const { id } = yield* request()
      yield* simulate(id, "scan")
      const { reset } = yield* Sandbox
      expect(Exit.isFailure(yield* Effect.exit(reset(seller)))).toBe(true)
      yield* reset(seller)
      expect(yield* books).toEqual([])
      expect(yield* (yield* Store).find("payment_intent", id)).toBeUndefined()
    }).pipe(Effect.provide(sandboxWorld(makeLine(), stored)))
  })
})

describe("a lost callback", () => {
  it.effect("is sent at once when the wallet does the same again, and nothing else is done", () => {
    const line = makeLine()
    return Effect.gen(function* () {
      const { id } = yield* request()
      yield* simulate(id, "scan")
      line.losing = 1
      expect(yield* simulate(id, "pay")).toMatchObject({ status: "scanning" })
      expect(yield* codeOf(simulate(id, "reject"))).toBe("INVALID_TRANSITION")
      expect(yield* simulate(id, "pay")).toMatchObject({ status: "authorized" })
      expect(yield* codeOf(simulate(id, "pay"))).toBe("INVALID_TRANSITION")
      const { length } = line.sent
      yield* later(MINUTE)
      expect(line.sent).toHaveLength(length)
    }).pipe(Effect.provide(sandboxWorld(line)))
  })

  it.effect("is sent again until it is answered", () => {
    const line = makeLine()
    return Effect.gen(function* () {
      const { id } = yield* request()
      line.losing = 3
      expect(yield* simulate(id, "pay")).toMatchObject({ status: "qr_generated" })
      yield* later(5 * SECOND)
      expect(yield* statusOf(id)).toBe("qr_generated")
      yield* later(30 * SECOND)
      yield* later(5 * MINUTE)
      expect(yield* statusOf(id)).toBe("authorized")
      const statuses = line.sent.map(({ body }) => /"trade_status":"(\w+)"/.exec(body)?.[1])
      expect(statuses).toEqual(["SCANNED", "SCANNED", "SCANNED", "SCANNED", "AUTHORIZED"])
      yield* later(6 * MINUTE)
      expect(line.sent).toHaveLength(5)
    }).pipe(Effect.provide(sandboxWorld(line)))
  })

  it.effect("waits no longer because a wallet's action is repeated while it cannot be sent", () => {
    const line = makeLine()
    return Effect.gen(function* () {
      const { id } = yield* request()
      line.losing = 5
      for (let n = 0; n < 5; n++) yield* simulate(id, "pay")
      yield* later(30 * SECOND)
      expect(yield* statusOf(id)).toBe("authorized")
    }).pipe(Effect.provide(sandboxWorld(line)))
  })
})
