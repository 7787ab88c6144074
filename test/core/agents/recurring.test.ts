import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { REPORTED_FOR } from "../../../core/invoices/Tab.ts"
import { lookAfterTab } from "../../../core/invoices/tabs.ts"
import { Store } from "../../../core/ports/Store.ts"
import { callTool } from "../../../core/agents/callTool.ts"
import { toolsOf } from "../../../core/agents/Tool.ts"
import { uninstall } from "../../../core/installs/deleteInstall.ts"
import { putInstall } from "../../../core/installs/putInstall.ts"
import { listInstalls } from "../../../core/installs/showInstalls.ts"
import { voidIntent } from "../../../core/payments/endIntent.ts"
import { listInvoices } from "../../../core/subscriptions/listInvoices.ts"
import { reportUsage } from "../../../core/subscriptions/reportUsage.ts"
import { getTab } from "../../../core/subscriptions/startUsage.ts"
import { aService, T0 } from "../../support/records.ts"
import { makeScript } from "../../support/scriptedChannels.ts"
import { as, buyer, codeOf, seed, seller, stranger, world } from "../../support/world.ts"

const sold = {
  payment_methods: { one_time: true, cumulative: true, subscription: true },
  pricing: {
    one_time: [{ amount: 699, currency: "USD", label: "One answer" }],
    cumulative: { unit: "answer", rate: "2.5", billing_cycle: "monthly" },
    subscription: [
      {
        plan_id: "basic",
        name: "Basic",
        amount: 500,
        currency: "USD",
        interval: "monthly",
        features: [],
      },
      {
        plan_id: "big",
        name: "Big",
        amount: 900,
        currency: "USD",
        interval: "yearly",
        features: [],
      },
    ],
  },
} as const

const { id: SERVICE } = aService({ n: 1 })

type Arguments = { readonly [name: string]: unknown }

const call = (kind: string, said: Arguments = {}) =>
  callTool(as(buyer), `${SERVICE}__${kind}`, { manifest_id: SERVICE, ...said })

const inWorld = Effect.provide(world(makeScript()))

describe("tools of a service that is paid in every way", () => {
  it("come in one order, each with what it needs", () => {
    const tools = toolsOf(aService({ n: 1, ...sold }))
    expect(tools.map(({ name }) => name)).toStrictEqual([
      `${SERVICE}__pay_one_time`,
      `${SERVICE}__pay_cumulative`,
      `${SERVICE}__pay_subscribe`,
    ])
    expect(tools.map(({ inputSchema }) => inputSchema.required)).toStrictEqual([
      ["manifest_id"],
      ["manifest_id"],
      ["manifest_id", "plan_id"],
    ])
    expect(tools[2]?.inputSchema.properties["plan_id"]).toMatchObject({ enum: ["basic", "big"] })
    expect(tools[1]?.description).toContain("monthly at 2.5 minor units of USD")
  })
})

describe("an agreed price", () => {
  it.effect("is what the tools charge, or they buy nothing", () =>
    Effect.gen(function* () {
      yield* seed(sold)
      const basic = { plan_id: "basic", amount: 499, currency: "USD", interval: "monthly" }
      expect(yield* codeOf(call("pay_subscribe", basic))).toBe("INVALID_AMOUNT")
      const inEuros = { plan_id: "basic", currency: "EUR" }
      expect(yield* codeOf(call("pay_subscribe", inEuros))).toBe("INVALID_AMOUNT")
      const half = { plan_id: "basic", amount: 1.5 }
      expect(yield* codeOf(call("pay_subscribe", half))).toBe("INVALID_AMOUNT")
      const dearer = { rate: "2.4", currency: "USD" }
      expect(yield* codeOf(call("pay_cumulative", dearer))).toBe("INVALID_AMOUNT")
      expect(yield* codeOf(call("pay_cumulative", { rate: 2.5 }))).toBe("INVALID_AMOUNT")
      expect((yield* listInvoices(as(buyer), { limit: 10, offset: 0 })).data).toStrictEqual([])
      expect(yield* codeOf(call("pay_cumulative", { unit: "word" }))).toBe("INVALID_AMOUNT")
      const agreedTo = { rate: 2.5, currency: "USD", unit: "answer" }
      expect(yield* call("pay_cumulative", agreedTo)).toMatchObject({
        view: { status: "open" },
      })
      // The number alone would be accepted in any currency.
      const { currency: _, ...unnamed } = { ...basic, amount: 500 }
      const bare = call("pay_subscribe", unnamed)
      expect(yield* codeOf(bare)).toBe("INVALID_REQUEST")
      const agreed = { ...basic, amount: 500 }
      expect(yield* call("pay_subscribe", agreed)).toMatchObject({
        replayed: false,
        view: { amount: { currency: "USD", value: 500 } },
      })
    }).pipe(inWorld),
  )
})

describe("pay_subscribe", () => {
  it.effect("subscribes once within a minute, however often it is asked", () =>
    Effect.gen(function* () {
      yield* seed(sold)
      const first = yield* call("pay_subscribe", { plan_id: "basic" })
      expect(first).toMatchObject({
        replayed: false,
        view: {
          service_id: SERVICE,
          plan_id: "basic",
          status: "active",
          amount: { currency: "USD", value: 500 },
          payer: { agent_id: "buyer-agent" },
          payment: {
            status: "pending",
            amount: { currency: "USD", value: 500 },
            deeplink: expect.stringContaining("svc://pay/pi_"),
          },
        },
      })
      yield* TestClock.setTime(T0 + 59_999)
      const own = { agent_id: "buyer-agent", interval: "monthly" }
      for (const said of [{}, own, { idempotency_key: null }, { human_id: "ada" }]) {
        const again = yield* call("pay_subscribe", { plan_id: "basic", ...said })
        expect(again).toStrictEqual({ replayed: true, view: first.view })
      }
      const { payment } = first.view as { readonly payment: { readonly id: string } }
      yield* voidIntent(as(buyer), payment.id)
      expect(yield* call("pay_subscribe", { plan_id: "basic" })).toMatchObject({
        replayed: true,
        view: { status: "active", payment: { id: payment.id, status: "voided" } },
      })
      const other = yield* call("pay_subscribe", { plan_id: "big" })
      expect(other.replayed).toBe(false)
    }).pipe(inWorld),
  )

  const bad: ReadonlyArray<readonly [string, Arguments, string]> = [
    ["no plan", {}, "MISSING_REQUIRED_FIELD"],
    ["a plan that is not offered", { plan_id: "huge" }, "INVALID_REQUEST"],
    ["another interval", { plan_id: "basic", interval: "yearly" }, "INVALID_REQUEST"],
    ["no interval", { plan_id: "basic", interval: "hourly" }, "INVALID_REQUEST"],
  ]
  it.effect.each(bad)("%s is refused with a code", ([, said, code]) =>
    Effect.gen(function* () {
      yield* seed(sold)
      expect(yield* codeOf(call("pay_subscribe", said))).toBe(code)
    }).pipe(inWorld),
  )
})

/** What the store finds the tab of the buyer's agent by, once it is open again. */
const STORED = { service_id: SERVICE, agent_id: "buyer-agent", status: "open" } as const

describe("pay_cumulative", () => {
  it.effect("starts counting use, and a call again changes nothing", () =>
    Effect.gen(function* () {
      yield* seed(sold)
      const first = yield* call("pay_cumulative")
      expect(first.view).toMatchObject({
        service_id: SERVICE,
        agent_id: "buyer-agent",
        unit: "answer",
        amount: { currency: "USD", value: 0 },
      })
      yield* TestClock.setTime(T0 + 3_600_000)
      expect((yield* call("pay_cumulative")).view).toStrictEqual(first.view)
      const { data } = yield* listInstalls(as(buyer), { limit: 9 })
      expect(data).toMatchObject([
        { service_id: SERVICE, agent_id: "buyer-agent", auto_pay_limit: null, mandate: null },
      ])
    }).pipe(inWorld),
  )

  it.effect("leaves an install as it is, and comes back after it was removed", () =>
    Effect.gen(function* () {
      yield* seed(sold)
      yield* putInstall(as(buyer), SERVICE, { channel_preference: "wallet_a" })
      yield* call("pay_cumulative")
      const [kept] = (yield* listInstalls(as(buyer), { limit: 9 })).data
      expect(kept).toMatchObject({ channel_preference: "wallet_a" })
      const use = { agent_id: "buyer-agent", quantity: 400, idempotency_key: "use-1" }
      yield* reportUsage(as(seller), SERVICE, use)
      yield* uninstall(as(buyer), SERVICE)
      expect((yield* getTab(as(buyer), SERVICE, {})).status).toBe("closed")
      const again = { ...use, idempotency_key: "use-2" }
      expect(yield* codeOf(reportUsage(as(seller), SERVICE, again))).toBe("USAGE_NOT_STARTED")
      expect((yield* call("pay_cumulative")).view).toMatchObject({
        status: "open",
        amount: { value: 0 },
      })
      const [stored] = yield* (yield* Store).list("tab", { by: STORED, limit: 1 })
      yield* TestClock.adjust(REPORTED_FOR)
      if (stored !== undefined) yield* lookAfterTab(stored)
      const invoices = yield* listInvoices(as(buyer), { limit: 9, offset: 0 })
      expect(invoices.data).toMatchObject([{ amount: { currency: "USD", value: 1_000 } }])
      expect((yield* listInstalls(as(buyer), { limit: 9 })).data).toHaveLength(1)
    }).pipe(inWorld),
  )

  it.effect("is one install and one tab, however many ask at once", () =>
    Effect.gen(function* () {
      yield* seed(sold)
      const calls = Array.from({ length: 8 }, () => call("pay_cumulative"))
      const answers = yield* Effect.all(calls, { concurrency: "unbounded" })
      expect(new Set(answers.map(({ view }) => JSON.stringify(view))).size).toBe(1)
      expect((yield* listInstalls(as(buyer), { limit: 9 })).data).toHaveLength(1)
    }).pipe(inWorld),
  )

  it.effect("is for agents of the caller's own, whatever those of others are called", () =>
    Effect.gen(function* () {
      yield* seed(sold)
      yield* call("pay_cumulative", { agent_id: "stranger-agent" })
      expect((yield* listInstalls(as(buyer), { limit: 9 })).data).toHaveLength(1)
      expect((yield* listInstalls(as(stranger), { limit: 9 })).data).toHaveLength(0)
    }).pipe(inWorld),
  )
})

it.effect("a service has no tool for a way in which it is not paid", () =>
  Effect.gen(function* () {
    yield* seed()
    expect(yield* codeOf(call("pay_cumulative"))).toBe("NOT_FOUND")
    expect(yield* codeOf(call("pay_subscribe", { plan_id: "basic" }))).toBe("NOT_FOUND")
  }).pipe(inWorld),
)
