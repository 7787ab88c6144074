import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { listLog } from "../../../core/accountLog/listLog.ts"
import { deleteInstall } from "../../../core/installs/deleteInstall.ts"
import { putInstall } from "../../../core/installs/putInstall.ts"
import { purgePeriods } from "../../../core/installs/purgePeriods.ts"
import { getInstall, listInstalls } from "../../../core/installs/showInstalls.ts"
import { actOnMandate } from "../../../core/installs/settleMandate.ts"
import { createIntent } from "../../../core/payments/createIntent.ts"
import { voidIntent } from "../../../core/payments/endIntent.ts"
import { agentRecordId } from "../../../core/kyc/agents/Agent.ts"
import { Store } from "../../../core/ports/Store.ts"
import { Vault } from "../../../core/ports/Vault.ts"
import { DAY, MINUTE, SECOND } from "../../../core/shared/Timestamp.ts"
import { runDue } from "../../../core/work/runDue.ts"
import { T0 } from "../../support/records.ts"
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
} from "../../support/world.ts"
import { workWorld } from "../work/workWorld.ts"
import { install, opened, pay, service_id, usd } from "./installWorld.ts"

const cap = (value: number, period: "daily" | "weekly" | "monthly" = "daily") => ({
  spend_cap: { amount: usd(value), period },
})

describe("installing a service", () => {
  it.effect("leaves each change of its limits in the account's log", () =>
    Effect.gen(function* () {
      yield* opened
      yield* install(cap(10_000))
      yield* putInstall(as(buyer), service_id, { ...cap(5_000), channel_preference: "wallet_a" })
      const { data } = yield* listLog(buyer.id, { limit: 2 })
      expect(data.map(({ details }) => details)).toMatchObject([
        {
          auto_pay_limit: "5.00 USD",
          spend_cap: "50.00 USD daily",
          channel_preference: "wallet_a",
        },
        { auto_pay_limit: "5.00 USD", spend_cap: "100.00 USD daily", channel_preference: null },
      ])
    }).pipe(Effect.provide(workWorld())),
  )

  it.effect("makes one install of an agent, which later requests change", () =>
    Effect.gen(function* () {
      yield* opened
      const made = yield* install({ channels: ["wallet_b"] })
      expect(made).toMatchObject({
        service_id,
        agent_id: "buyer-agent",
        auto_pay_limit: usd(500),
        channels: ["wallet_b"],
        mandate: { status: "active", channel: "wallet_b" },
      })
      yield* TestClock.adjust(SECOND)
      const changed = yield* putInstall(as(buyer), service_id, { channel_preference: "wallet_a" })
      expect(changed.id).toBe(made.id)
      expect(changed).toMatchObject({ auto_pay_limit: usd(500), channels: ["wallet_b"] })
      expect(changed.mandate).toMatchObject({ status: "active", channel: "wallet_a" })
      expect(changed.mandate?.id).not.toBe(made.mandate?.id)
      expect(yield* getInstall(as(buyer), made.id)).toStrictEqual(changed)
      const other = yield* putInstall(as(buyer), service_id, { agent_id: "second" })
      const { data, has_more } = yield* listInstalls(as(buyer), { limit: 1 })
      expect(has_more).toBe(true)
      expect([changed.id, other.id]).toContain(data[0]?.id)
      expect(yield* codeOf(getInstall(as(stranger), made.id))).toBe("NOT_FOUND")
      expect(yield* codeOf(deleteInstall(as(seller), made.id))).toBe("NOT_FOUND")
    }).pipe(Effect.provide(workWorld())),
  )

  it.effect("is of the account's own agents, whatever those of other accounts are called", () =>
    Effect.gen(function* () {
      yield* seed()
      const agent_id = "stranger-agent"
      const made = yield* putInstall(as(buyer), service_id, { agent_id })
      expect((yield* listInstalls(as(stranger), { limit: 9 })).data).toEqual([])
      const theirs = yield* putInstall(as(stranger), service_id, {})
      expect(theirs.agent_id).toBe(agent_id)
      expect(theirs.id).not.toBe(made.id)
      yield* deleteInstall(as(buyer), made.id)
      expect(yield* getInstall(as(stranger), theirs.id)).toStrictEqual(theirs)
    }).pipe(Effect.provide(workWorld())),
  )

  it.effect("refuses what is not the caller's, not there or not to be had", () =>
    Effect.gen(function* () {
      yield* seed({ accepted_channels: ["wallet_a", "business_b"] })
      const refusedFor = (said: object) => codeOf(putInstall(as(buyer), service_id, said))
      expect(yield* codeOf(putInstall(as(seller), service_id, {}))).toBe("FORBIDDEN")
      expect(yield* codeOf(putInstall(as(buyer), "nothing", {}))).toBe("NOT_FOUND")
      expect(yield* refusedFor(cap(100))).toBe("PLAN_LIMIT_EXCEEDED")
      expect(yield* refusedFor({ budget_alerts: [50] })).toBe("INVALID_REQUEST")
      expect(yield* refusedFor({ channel_preference: "wallet_b" })).toBe("UNSUPPORTED_CHANNEL")
      expect(yield* refusedFor({ channels: ["wallet_z"] })).toBe("UNSUPPORTED_CHANNEL")
      const yen = { auto_pay_limit: { currency: "THB", value: 5 } }
      expect(yield* refusedFor(yen)).toBe("INVALID_AMOUNT")
      const unlinked = { auto_pay_limit: usd(5), channel_preference: "business_b" }
      expect(yield* refusedFor(unlinked)).toBe("CHANNEL_NO_DEEPLINK")
    }).pipe(Effect.provide(workWorld())),
  )

  it.effect("needs an active service the first time only", () =>
    Effect.gen(function* () {
      const store = yield* opened
      yield* install()
      const service = yield* store.find("service", service_id)
      if (service !== undefined) {
        const paused = { ...service, status: "paused" } as const
        yield* store.commit({ writes: [{ op: "replace", kind: "service", record: paused }] })
      }
      const again = putInstall(as(buyer), service_id, { agent_id: "second" })
      expect(yield* codeOf(again)).toBe("NOT_FOUND")
      expect(yield* install({ auto_pay_limit: usd(1) })).toMatchObject({ auto_pay_limit: usd(1) })
    }).pipe(Effect.provide(workWorld())),
  )

  it.effect("prefers its channel for both flows, unless another is asked for", () =>
    Effect.gen(function* () {
      yield* opened
      yield* putInstall(as(buyer), service_id, { channel_preference: "wallet_b" })
      expect(yield* pay(500)).toMatchObject({ channel: "wallet_b" })
      expect(yield* pay(500, { channel: "wallet_a" })).toMatchObject({ channel: "wallet_a" })
      const request = { service_id, type: "one_time", amount: usd(5), description: "-" } as const
      expect(yield* createIntent(as(buyer), request)).toMatchObject({ channel: "wallet_b" })
      yield* putInstall(as(buyer), service_id, { channel_preference: null, channels: ["wallet_b"] })
      expect(yield* createIntent(as(buyer), request)).toMatchObject({ channel: "wallet_b" })
      expect(yield* createIntent(as(stranger), request)).toMatchObject({ channel: null })
    }).pipe(Effect.provide(workWorld())),
  )
})

describe("the approval of a mandate", () => {
  it.effect("comes by callback; until then the person is asked and the earlier cap holds", () => {
    const script = makeScript()
    return Effect.gen(function* () {
      yield* opened
      const first = yield* install(cap(600))
      script.approve = () => ({
        type: "known",
        status: "pending",
        approval_url: "https://wallet.example/approve",
      })
      const raised = yield* install({ auto_pay_limit: usd(900), ...cap(5_000) })
      expect(raised.mandate).toMatchObject({
        status: "pending",
        approval_url: "https://wallet.example/approve",
      })
      expect(yield* pay(500)).toMatchObject({ status: "pending" })
      expect(yield* codeOf(pay(500))).toBe("SPEND_CAP_EXCEEDED")
      const told = { channel: "wallet_a", mandate_id: raised.mandate?.id ?? "" }
      const wrong = actOnMandate({ ...told, channel: "wallet_b", mandate_status: "ACTIVE" })
      expect(yield* codeOf(wrong)).toBe("CHANNEL_MISMATCH")
      yield* actOnMandate({ ...told, mandate_status: "ACTIVE" })
      yield* actOnMandate({ ...told, mandate_status: "ACTIVE" })
      expect(yield* pay(900)).toMatchObject({ status: "completed" })
      yield* runDue()
      expect(script.revoked).toStrictEqual([{ channel: "wallet_a", mandate_id: first.mandate?.id }])
      yield* actOnMandate({ ...told, mandate_status: "REVOKED" })
      expect(yield* getInstall(as(buyer), raised.id)).toMatchObject({
        mandate: { status: "revoked" },
      })
      expect(yield* pay(900)).toMatchObject({ status: "pending" })
      yield* actOnMandate({ ...told, mandate_status: "ACTIVE" })
      expect(yield* pay(900)).toMatchObject({ status: "pending" })
    }).pipe(Effect.provide(workWorld({ script })))
  })

  it.effect("is asked after where its message is lost, and given up after a month", () => {
    const script = makeScript()
    script.approve = () => ({ type: "unknown", message: "no answer" })
    return Effect.gen(function* () {
      yield* opened
      const { id } = yield* install()
      script.mandated = () => ({ type: "known", status: "pending" })
      yield* TestClock.adjust(MINUTE)
      yield* runDue()
      expect(yield* getInstall(as(buyer), id)).toMatchObject({ mandate: { status: "pending" } })
      for (let day = 0; day < 45; day += 1) {
        yield* TestClock.adjust(DAY)
        yield* runDue()
      }
      expect(yield* getInstall(as(buyer), id)).toMatchObject({ mandate: { status: "revoked" } })
    }).pipe(Effect.provide(workWorld({ script })))
  })

  it.effect("ends with the install, whether or not the channel can be told at once", () => {
    const script = makeScript()
    script.revoke = () => ({ type: "unknown", message: "no answer" })
    return Effect.gen(function* () {
      yield* opened
      const { id, mandate } = yield* install()
      yield* deleteInstall(as(buyer), id)
      expect(yield* codeOf(getInstall(as(buyer), id))).toBe("NOT_FOUND")
      expect(yield* pay(500)).toMatchObject({ status: "pending" })
      yield* runDue()
      script.revoke = () => ({ type: "known", status: "revoked" })
      yield* TestClock.adjust(MINUTE)
      yield* runDue()
      expect(script.revoked.length).toBeGreaterThan(1)
      const stored = yield* (yield* Store).find("mandate", mandate?.id ?? "")
      expect(stored).toMatchObject({ status: "revoked", due_at: null })
    }).pipe(Effect.provide(workWorld({ script })))
  })
})

describe("a spend cap", () => {
  it.effect("bounds both flows, and gets back what ends unpaid", () =>
    Effect.gen(function* () {
      yield* opened
      yield* putInstall(as(buyer), service_id, cap(1_000))
      const first = yield* pay(600)
      expect(yield* codeOf(pay(401))).toBe("SPEND_CAP_EXCEEDED")
      const request = { service_id, type: "one_time", amount: usd(401), description: "-" } as const
      expect(yield* codeOf(createIntent(as(buyer), request))).toBe("SPEND_CAP_EXCEEDED")
      yield* voidIntent(as(buyer), first.id)
      const second = yield* pay(600)
      const rejected = { out_trade_no: second.id, total_amount: "6.00" } as const
      yield* deliver(callback({ ...rejected, trade_status: "REJECTED" }))
      const third = yield* pay(600)
      yield* TestClock.adjust(5 * MINUTE)
      yield* runDue()
      expect(third.status).toBe("pending")
      yield* pay(1_000)
      expect(yield* codeOf(pay(1))).toBe("SPEND_CAP_EXCEEDED")
      yield* TestClock.adjust(DAY)
      expect(yield* pay(1_000)).toMatchObject({ status: "pending" })
    }).pipe(Effect.provide(workWorld())),
  )

  it.effect("counts other currencies at the day's rate, and outlives its install", () =>
    Effect.gen(function* () {
      yield* opened
      const { id } = yield* putInstall(as(buyer), service_id, cap(1_000))
      yield* pay(0, { amount: { currency: "EUR", value: 800 } })
      expect(yield* codeOf(pay(300))).toBe("SPEND_CAP_EXCEEDED")
      yield* deleteInstall(as(buyer), id)
      yield* putInstall(as(buyer), service_id, cap(1_000, "monthly"))
      expect(yield* codeOf(pay(300))).toBe("SPEND_CAP_EXCEEDED")
    }).pipe(Effect.provide(workWorld())),
  )

  it.effect("does not tell the seller how much of it is left", () =>
    Effect.gen(function* () {
      yield* opened
      yield* putInstall(as(buyer), service_id, cap(1_000))
      const refused = yield* Effect.flip(pay(1_001, {}, seller))
      expect(refused).toMatchObject({ code: "SPEND_CAP_EXCEEDED" })
      expect(JSON.stringify(refused)).not.toContain("1000")
      const own = yield* Effect.flip(pay(1_001))
      expect(own).toMatchObject({ details: { spend_cap: cap(1_000).spend_cap, spent: usd(0) } })
    }).pipe(Effect.provide(workWorld())),
  )

  it.effect("tells of each alert once in a period, however often it is crossed", () =>
    Effect.gen(function* () {
      const store = yield* opened
      yield* putInstall(as(buyer), service_id, { ...cap(1_000), budget_alerts: [80, 50] })
      const alerts = Effect.map(
        store.list("event", { by: { account_id: buyer.id, type: "budget.alert" }, limit: 99 }),
        (events) => events.map(({ data }) => [data["percent"], data["spent"]]).toReversed(),
      )
      yield* pay(499)
      expect(yield* alerts).toStrictEqual([])
      const crossing = yield* pay(1)
      expect(yield* alerts).toStrictEqual([[50, usd(500)]])
      yield* voidIntent(as(buyer), crossing.id)
      yield* pay(1)
      yield* pay(400)
      const both = [
        [50, usd(500)],
        [80, usd(900)],
      ]
      expect(yield* alerts).toStrictEqual(both)
      yield* TestClock.adjust(DAY)
      yield* pay(900)
      expect(yield* alerts).toStrictEqual([...both, [50, usd(900)], [80, usd(900)]])
    }).pipe(Effect.provide(workWorld())),
  )

  it.effect("is not passed by 200 payments at once, which tell of each alert once", () =>
    Effect.gen(function* () {
      const store = yield* opened
      yield* putInstall(as(buyer), service_id, { ...cap(1_000), budget_alerts: [10, 50, 100] })
      const codes = yield* Effect.all(
        Array.from({ length: 200 }, () => codeOf(pay(10))),
        { concurrency: "unbounded" },
      )
      expect(codes.filter((code) => code === "succeeded")).toHaveLength(100)
      expect(codes.filter((code) => code === "SPEND_CAP_EXCEEDED")).toHaveLength(100)
      const by = { account_id: buyer.id, type: "budget.alert" } as const
      const percents = (yield* store.list("event", { by })).map(({ data }) =>
        Number(data["percent"]),
      )
      expect(percents.toSorted((a, b) => a - b)).toStrictEqual([10, 50, 100])
    }).pipe(Effect.provide(workWorld())),
  )

  it.effect("forgets its sums and alerts a week after the longest month", () =>
    Effect.gen(function* () {
      yield* opened
      yield* putInstall(as(buyer), service_id, { ...cap(1_000), budget_alerts: [50] })
      yield* pay(600)
      const purgedAt = (at: number) => Effect.andThen(TestClock.setTime(at), purgePeriods())
      const day = Math.floor(T0 / DAY) * DAY
      // The month and the day began on the first, the week on the Monday before.
      expect(yield* purgedAt(day + 35 * DAY - 1)).toBe(0)
      expect(yield* purgedAt(day + 39 * DAY - 1)).toBe(1)
      expect(yield* purgedAt(day + 39 * DAY)).toBe(3)
      expect(yield* purgedAt(day + 99 * DAY)).toBe(0)
    }).pipe(Effect.provide(workWorld())),
  )
})

describe("a person whose level has fallen", () => {
  it.effect("is charged nothing by itself, and can still lower what was approved", () => {
    const script = makeScript()
    return Effect.gen(function* () {
      const store = yield* opened
      const service = yield* store.find("service", service_id)
      if (service === undefined) throw new Error("the service is there")
      const verifiedOnly = { default_channel: "wallet_d", accepted_channels: ["wallet_d"] }
      yield* store.commit({
        writes: [{ op: "replace", kind: "service", record: { ...service, ...verifiedOnly } }],
      })
      const made = yield* install()
      expect(made.mandate).toMatchObject({ status: "active", channel: "wallet_d" })
      const agent = yield* store.find(
        "agent",
        agentRecordId(buyer.id, "buyer-agent", (yield* Vault).sha256),
      )
      if (agent === undefined) throw new Error("the buyer's agent is verified")
      const record = { ...agent, level: "anonymous", verified: [] } as const
      yield* store.commit({ writes: [{ op: "replace", kind: "agent", record }] })
      expect(yield* codeOf(pay(500))).toBe("CHANNEL_UNAVAILABLE")
      expect(script.calls).toStrictEqual([])
      const lower = putInstall(as(buyer), service_id, { auto_pay_limit: usd(100) })
      expect(yield* lower).toMatchObject({ auto_pay_limit: usd(100), mandate: made.mandate })
      const raise = putInstall(as(buyer), service_id, { auto_pay_limit: usd(501) })
      expect(yield* codeOf(raise)).toBe("CHANNEL_UNAVAILABLE")
    }).pipe(Effect.provide(workWorld({ script })))
  })
})
