import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import type { Caller } from "../../../core/accounts/Account.ts"
import { callTool } from "../../../core/agents/callTool.ts"
import { PURCHASE_WINDOW } from "../../../core/agents/answerPurchase.ts"
import type { IntentView } from "../../../core/payments/IntentView.ts"
import { voidIntent } from "../../../core/payments/endIntent.ts"
import { listIntents } from "../../../core/payments/listIntents.ts"
import { Store } from "../../../core/ports/Store.ts"
import { aService, T0 } from "../../support/records.ts"
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

const { id: SERVICE } = aService({ n: 1 })
const NAME = `${SERVICE}__pay_one_time`

type Arguments = { readonly [name: string]: unknown }

const pay = (said: Arguments = {}, caller: Caller = as(buyer)) =>
  Effect.map(callTool(caller, NAME, { manifest_id: SERVICE, ...said }), ({ replayed, view }) => ({
    replayed,
    payment: view as IntentView,
  }))

const bought = (caller: Caller = as(buyer)) =>
  Effect.map(listIntents(caller, { limit: 100 }), ({ data }) => data.length)

const inWorld = Effect.provide(world(makeScript()))

describe("the same purchase", () => {
  const same: ReadonlyArray<readonly [string, Arguments]> = [
    ["again", {}],
    ["in other words", { description: "The very same thing, put differently" }],
    ["with the default amount spelled out", { amount: 699, currency: "USD" }],
    ["with nulls", { amount: null, channel: null, metadata: null, idempotency_key: null }],
    ["with another way back", { return_url: "https://agent.example/back" }],
    ["by whichever channel", { channel: "auto" }],
    ["by the channel that it has anyway", { channel: "wallet_a" }],
    ["with metadata that holds nothing", { metadata: {} }],
    ["for a person who was not named before", { human_id: "hum-2" }],
  ]
  it.effect.each(same)("%s is paid once within a minute", ([, said]) =>
    Effect.gen(function* () {
      yield* seed()
      const first = yield* pay()
      yield* TestClock.setTime(T0 + PURCHASE_WINDOW - 1)
      const second = yield* pay(said)
      expect(first.replayed).toBe(false)
      expect(second).toStrictEqual({ replayed: true, payment: first.payment })
      expect(yield* bought()).toBe(1)
    }).pipe(inWorld),
  )

  it.effect("is found with its currency once the service has prices in several", () =>
    Effect.gen(function* () {
      yield* seed()
      const said = { amount: 42, idempotency_key: "one" }
      const { payment } = yield* pay(said)
      const store = yield* Store
      const before = (yield* store.find("service", SERVICE))!
      const euros = { amount: 900, currency: "EUR", label: "In euros" }
      const pricing = { one_time: [...(before.pricing.one_time ?? []), euros] }
      const record = { ...before, pricing, updated_at: T0 + 1 }
      yield* store.commit({ writes: [{ op: "replace", kind: "service", record }] })
      // The answer of the first call may have been lost.
      expect(yield* Effect.flip(pay(said))).toMatchObject({
        code: "INVALID_AMOUNT",
        field: "currency",
        message: expect.stringContaining("This call has paid nothing."),
      })
      const found = yield* pay({ ...said, currency: "USD" })
      expect(found).toStrictEqual({ replayed: true, payment })
    }).pipe(inWorld),
  )

  it.effect("is answered with the payment as it is then", () =>
    Effect.gen(function* () {
      yield* seed()
      for (const said of [{}, { idempotency_key: "one" }]) {
        const { payment } = yield* pay(said)
        yield* deliver(
          callback({
            out_trade_no: payment.id,
            trade_no: `trade-${payment.id}`,
            total_amount: "6.99",
            trade_status: "SUCCESS",
            payer_id: "hum-1",
            wallet_id: "wal-1",
          }),
        )
        const again = yield* pay(said)
        expect(again).toMatchObject({
          replayed: true,
          payment: { id: payment.id, status: "completed" },
        })
      }
    }).pipe(inWorld),
  )

  it.effect("is another one a minute after the first call, however often it was repeated", () =>
    Effect.gen(function* () {
      yield* seed()
      yield* pay()
      yield* TestClock.setTime(T0 + PURCHASE_WINDOW - 1)
      expect((yield* pay()).replayed).toBe(true)
      yield* TestClock.setTime(T0 + PURCHASE_WINDOW)
      expect((yield* pay()).replayed).toBe(false)
      expect(yield* bought()).toBe(2)
    }).pipe(inWorld),
  )

  it.live("is paid once by twenty calls at once, which all see the payment", () =>
    Effect.gen(function* () {
      yield* seed().pipe(Effect.provide(TestClock.layer()))
      const calls = Array.from({ length: 20 }, (_, n) => pay({ description: `In words ${n}` }))
      const all = yield* Effect.all(calls, { concurrency: "unbounded" })
      expect(new Set(all.map(({ payment }) => payment.id)).size).toBe(1)
      expect(all.filter(({ replayed }) => !replayed)).toHaveLength(1)
      expect(yield* bought()).toBe(1)
    }).pipe(inWorld),
  )

  it.effect("is tried again after a refusal", () =>
    Effect.gen(function* () {
      yield* seed()
      expect(yield* codeOf(pay({ channel: "bank_qr_a" }))).toBe("CHANNEL_UNAVAILABLE")
      expect(yield* codeOf(pay({ channel: "bank_qr_a" }))).toBe("CHANNEL_UNAVAILABLE")
      expect((yield* pay()).replayed).toBe(false)
    }).pipe(inWorld),
  )
})

describe("another purchase", () => {
  const others: ReadonlyArray<readonly [string, Arguments]> = [
    ["amount", { amount: 700 }],
    ["channel, as nobody has paid", { channel: "wallet_b" }],
    ["metadata", { metadata: { order: "2" } }],
    ["agent", { agent_id: "another-agent-of-mine" }],
  ]
  it.effect.each(others)("is one with another %s", ([, said]) =>
    Effect.gen(function* () {
      yield* seed()
      const first = yield* pay()
      const second = yield* pay(said)
      expect(second.replayed).toBe(false)
      expect(second.payment.id).not.toBe(first.payment.id)
    }).pipe(inWorld),
  )

  it.effect("is none by another channel once it is paid, and that one is asked for once", () =>
    Effect.gen(function* () {
      yield* seed()
      const first = yield* pay()
      const other = yield* pay({ channel: "wallet_b" })
      expect((yield* pay({ channel: "wallet_b" })).payment.id).toBe(other.payment.id)
      yield* voidIntent(as(buyer), first.payment.id)
      const late = yield* pay({ channel: "wallet_b" })
      expect(late).toMatchObject({ replayed: true, payment: { id: first.payment.id } })
      expect(yield* bought()).toBe(2)
    }).pipe(inWorld),
  )

  it.effect("is one for another person, once, and none for one who is left out", () =>
    Effect.gen(function* () {
      yield* seed()
      const ada = yield* pay({ human_id: "ada" })
      const bob = yield* pay({ human_id: "bob" })
      expect(bob).toMatchObject({ replayed: false, payment: { payer: { human_id: "bob" } } })
      expect((yield* pay({ human_id: "bob" })).payment.id).toBe(bob.payment.id)
      expect((yield* pay({ human_id: "ada" })).payment.id).toBe(ada.payment.id)
      expect((yield* pay()).payment.id).toBe(ada.payment.id)
      expect(yield* bought()).toBe(2)
    }).pipe(inWorld),
  )

  it.effect.each([
    ["person", { human_id: "ada" }, { human_id: "bob" }],
    ["channel", { channel: "wallet_a" }, { channel: "wallet_b" }],
  ] as const)("by another %s has a minute of its own", ([, said, other]) =>
    Effect.gen(function* () {
      yield* seed()
      yield* pay(said)
      yield* TestClock.setTime(T0 + PURCHASE_WINDOW - 1)
      const made = yield* pay(other)
      expect(made.replayed).toBe(false)
      yield* TestClock.setTime(T0 + PURCHASE_WINDOW)
      expect((yield* pay(other)).payment.id).toBe(made.payment.id)
      expect(yield* bought()).toBe(2)
      yield* TestClock.setTime(T0 + 2 * PURCHASE_WINDOW - 1)
      expect((yield* pay(other)).replayed).toBe(false)
    }).pipe(inWorld),
  )

  it.effect("by a channel is looked up once under an idempotency_key", () =>
    Effect.gen(function* () {
      yield* seed()
      const store = yield* Store
      const asked: Array<string> = []
      const counted = Store.of({
        ...store,
        findReply: (account, key) => {
          asked.push(key)
          return store.findReply(account, key)
        },
      })
      const keyed = pay({ channel: "wallet_a", idempotency_key: "one" })
      yield* Effect.provideService(keyed, Store, counted)
      expect(asked).toEqual(["one"])
    }).pipe(inWorld),
  )

  it.effect("is somebody else's", () =>
    Effect.gen(function* () {
      yield* seed()
      const mine = yield* pay()
      const theirs = yield* pay({}, as(stranger))
      expect(theirs.payment.id).not.toBe(mine.payment.id)
      expect(theirs.payment.payer.agent_id).toBe("stranger-agent")
    }).pipe(inWorld),
  )

  it.effect("is one under another idempotency_key, and the same key for a day is the same", () =>
    Effect.gen(function* () {
      yield* seed()
      const one = yield* pay({ idempotency_key: "one" })
      const two = yield* pay({ idempotency_key: "two" })
      const keyless = yield* pay()
      expect(new Set([one, two, keyless].map(({ payment }) => payment.id)).size).toBe(3)
      yield* TestClock.setTime(T0 + 23 * 3_600_000)
      const again = yield* pay({ idempotency_key: "one" })
      const now = { ...one.payment, status: "expired" }
      expect(again).toStrictEqual({ replayed: true, payment: now })
      expect(yield* codeOf(pay({ idempotency_key: "one", amount: 5 }))).toBe("IDEMPOTENCY_KEY_USED")
    }).pipe(inWorld),
  )
})

describe("what a call asks for", () => {
  it.effect("is refused where the tool does not know it, with the nearest name", () =>
    Effect.gen(function* () {
      yield* seed()
      const refused = yield* Effect.flip(pay({ amuont: 5 }))
      expect(refused).toMatchObject({
        code: "INVALID_REQUEST",
        field: "amuont",
        details: [{ field: "amuont", reason: "is not a known field; did you mean amount?" }],
      })
      expect(yield* bought()).toBe(0)
    }).pipe(inWorld),
  )

  const prices = [
    { amount: 699, currency: "USD", label: "One answer" },
    { amount: 500, currency: "EUR", label: "One answer in euros" },
  ]
  const rows: ReadonlyArray<readonly [string, Arguments, object, string]> = [
    ["the first price", {}, { currency: "USD", value: 699 }, "Service 1: One answer"],
    [
      "the first price of a currency",
      { currency: "EUR" },
      { currency: "EUR", value: 500 },
      "Service 1: One answer in euros",
    ],
    ["an amount", { amount: 42, currency: "USD" }, { currency: "USD", value: 42 }, "Service 1"],
    [
      "an amount of a currency",
      { amount: 42, currency: "HKD" },
      { currency: "HKD", value: 42 },
      "Service 1",
    ],
    ["its own words", { description: "Mine" }, { currency: "USD", value: 699 }, "Mine"],
  ]
  it.effect.each(rows)("%s", ([, said, amount, description]) =>
    Effect.gen(function* () {
      yield* seed({ pricing: { one_time: prices } })
      const { payment } = yield* pay(said)
      expect(payment).toMatchObject({ amount, description, payer: { agent_id: "buyer-agent" } })
    }).pipe(inWorld),
  )

  const bad: ReadonlyArray<readonly [string, Arguments, string]> = [
    ["no manifest", { manifest_id: undefined }, "MISSING_REQUIRED_FIELD"],
    ["a null manifest", { manifest_id: null }, "MISSING_REQUIRED_FIELD"],
    ["another manifest", { manifest_id: aService({ n: 2 }).id }, "INVALID_REQUEST"],
    ["a manifest that is no text", { manifest_id: 7 }, "INVALID_REQUEST"],
    ["nothing", { amount: 0 }, "INVALID_AMOUNT"],
    ["less than nothing", { amount: -699 }, "INVALID_AMOUNT"],
    ["a fraction", { amount: 6.99 }, "INVALID_AMOUNT"],
    ["a number as text", { amount: "699" }, "INVALID_AMOUNT"],
    ["too much", { amount: 1e13 }, "INVALID_AMOUNT"],
    ["a currency in small letters", { currency: "usd" }, "INVALID_AMOUNT"],
    ["a currency without a price", { currency: "GBP" }, "INVALID_AMOUNT"],
    ["a currency of no channel", { amount: 5, currency: "BRL" }, "INVALID_AMOUNT"],
    ["more than the payer may", { amount: 100_000_000 }, "INSUFFICIENT_KYC"],
    ["a channel that is not accepted", { channel: "wallet_c" }, "CHANNEL_UNAVAILABLE"],
    ["a description of nothing", { description: " " }, "INVALID_REQUEST"],
    ["a description of invisible direction", { description: "a\u202eb" }, "INVALID_REQUEST"],
    ["a key with a blank", { idempotency_key: "a b" }, "INVALID_REQUEST"],
    ["an empty key", { idempotency_key: "" }, "INVALID_REQUEST"],
    ["too long a key", { idempotency_key: "k".repeat(256) }, "INVALID_REQUEST"],
    ["metadata that is no object", { metadata: [1] }, "INVALID_REQUEST"],
    ["too much metadata", { metadata: { a: "x".repeat(5_000) } }, "INVALID_METADATA"],
    ["a way back to nowhere", { return_url: "javascript:alert(1)" }, "INVALID_REQUEST"],
  ]
  it.effect.each(bad)("%s is refused with a code", ([, said, code]) =>
    Effect.gen(function* () {
      yield* seed()
      expect(yield* codeOf(pay(said))).toBe(code)
      expect(yield* bought()).toBe(0)
    }).pipe(inWorld),
  )

  it.effect("a seller's key has to say who pays", () =>
    Effect.gen(function* () {
      yield* seed()
      expect(yield* codeOf(pay({}, as(seller)))).toBe("INVALID_PAYER")
      const { payment } = yield* pay({ agent_id: "buyer-agent" }, as(seller))
      expect(payment.payer.agent_id).toBe("buyer-agent")
    }).pipe(inWorld),
  )

  const absent: ReadonlyArray<readonly [string, string, string]> = [
    ["of no service", `${aService({ n: 9 }).id}__pay_one_time`, "NOT_FOUND"],
    ["of another kind", `${SERVICE}__pay_everybody`, "NOT_FOUND"],
    ["of no id", "x__pay_one_time", "NOT_FOUND"],
    ["that is a service", SERVICE, "NOT_FOUND"],
  ]
  it.effect.each(absent)("a tool %s does not exist", ([, name, code]) =>
    Effect.gen(function* () {
      yield* seed()
      expect(yield* codeOf(callTool(as(buyer), name, {}))).toBe(code)
    }).pipe(inWorld),
  )

  it.effect(
    "a service that is paid otherwise has no such tool, a paused one does not take it",
    () =>
      Effect.gen(function* () {
        yield* seed({ payment_methods: { subscription: true }, pricing: {} })
        expect(yield* codeOf(pay())).toBe("NOT_FOUND")
      }).pipe(inWorld),
  )

  it.effect.each(["paused", "deprecated"] as const)("a %s service takes no call", (status) =>
    Effect.gen(function* () {
      yield* seed({ status, ...(status === "deprecated" && { deprecated_at: T0 }) })
      expect(yield* codeOf(pay())).toBe(status === "paused" ? "NOT_FOUND" : "SERVICE_NOT_ACTIVE")
    }).pipe(inWorld),
  )
})
