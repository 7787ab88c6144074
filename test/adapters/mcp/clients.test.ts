import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { activeService, type App, enlarge, startApp } from "../../support/app.ts"
import { type Agent, CLIENTS, connected, type ShownTool } from "./clients.ts"

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.stop())

let count = 0
const next = () => ++count

const names = (tools: ReadonlyArray<ShownTool>) => tools.map(({ name }) => name)

const everything = async (agent: Agent): Promise<ReadonlyArray<string>> => {
  const found: Array<string> = []
  let cursor: string | undefined
  do {
    const { nextCursor, tools } = await agent.page(cursor)
    found.push(...names(tools))
    cursor = nextCursor
  } while (cursor !== undefined)
  return found
}

describe.each(CLIENTS)(
  "the client $client in revision $revision",
  ({ client, connect, revision }) => {
    it("speaks that revision", async () => {
      const agent = await connected(connect, app, null)
      expect(agent.revision()).toBe(revision)
    })

    it("lists without a key, and finds tools of active services only", async () => {
      const id = await activeService(app, { name: `Listed by ${client} in ${revision} ${next()}` })
      const agent = await connected(connect, app, null)
      const name = `${id}__pay_one_time`
      expect(await everything(agent)).toContain(name)
      await app.call("PATCH", `/v1/services/${id}/pause`)
      expect(await everything(agent)).not.toContain(name)
      await app.call("PATCH", `/v1/services/${id}/resume`)
      expect(await everything(agent)).toContain(name)
      await app.call("PATCH", `/v1/services/${id}/deprecate`)
      expect(await everything(agent)).not.toContain(name)
    })

    it("pays once by a call, with the deep link and structured content", async () => {
      const id = await activeService(app, { name: `Paid by ${client} in ${revision} ${next()}` })
      const agent = await connected(connect, app)
      // A client that has listed a tool checks its results against the tool's schema.
      await everything(agent)
      const called = await agent.call(`${id}__pay_one_time`, { manifest_id: id })
      expect(called).toMatchObject({
        isError: false,
        structured: {
          service_id: id,
          status: "pending",
          amount: { currency: "USD", value: 699 },
          payer: { agent_id: "agent-of-the-buyer" },
        },
      })
      const { deeplink, id: payment } = called.structured ?? {}
      expect(deeplink).toBe(`svc://pay/${String(payment)}?amount=699&currency=USD&channel=wallet_a`)
      expect(JSON.parse(called.text)).toStrictEqual(called.structured)
      const stored = await app.call("GET", `/v1/payment-intents/${String(payment)}`, {
        key: app.buyer.api_key.key,
      })
      expect(stored.json).toStrictEqual(called.structured)
    })

    it("subscribes, and starts billing by use", async () => {
      const id = await activeService(app, {
        name: `Subscribed by ${client} in ${revision} ${next()}`,
        payment_methods: { cumulative: true, subscription: true },
        pricing: {
          cumulative: { unit: "answer", rate: 2, billing_cycle: "monthly" },
          subscription: [
            { plan_id: "p", name: "P", amount: 500, currency: "USD", interval: "monthly" },
          ],
        },
      })
      const agent = await connected(connect, app)
      const tools = (await everything(agent)).filter((name) => name.startsWith(id))
      expect(tools).toStrictEqual([`${id}__pay_cumulative`, `${id}__pay_subscribe`])
      const args = { manifest_id: id, plan_id: "p" }
      const subscribed = await agent.call(`${id}__pay_subscribe`, args)
      expect(subscribed.structured).toMatchObject({
        service_id: id,
        plan_id: "p",
        status: "active",
        payment: { status: "pending", deeplink: expect.stringContaining("svc://pay/pi_") },
      })
      expect((await agent.call(`${id}__pay_subscribe`, args)).structured).toStrictEqual({
        ...subscribed.structured,
        replayed: true,
      })
      const key = app.buyer.api_key.key
      const sub = String(subscribed.structured?.["id"])
      const stored = await app.call("GET", `/v1/subscriptions/${sub}`, { key })
      const { payment, ...subscription } = subscribed.structured ?? {}
      expect(stored.json).toStrictEqual(subscription)
      const { id: paid } = payment as { readonly id: string }
      const intent = await app.call("GET", `/v1/payment-intents/${paid}`, { key })
      expect(intent.json).toStrictEqual(payment)
      const tab = await agent.call(`${id}__pay_cumulative`, { manifest_id: id })
      expect(tab.structured).toMatchObject({ service_id: id, status: "open", unit: "answer" })
    })

    it("is told why a call was refused as over HTTP", async () => {
      const id = await activeService(app, { name: `Refused by ${client} in ${revision} ${next()}` })
      const agent = await connected(connect, app)
      const body = {
        service_id: id,
        amount: { currency: "USD", value: 0 },
        description: "x",
        payer: { agent_id: "agent-of-the-buyer" },
      }
      const asked = { ...body, amount: { currency: "USD", value: 699_000_000 } }
      const key = app.buyer.api_key.key
      const overHttp = await app.call("POST", "/v1/payments/one-time", { key, body: asked })
      const called = await agent.call(`${id}__pay_one_time`, {
        manifest_id: id,
        amount: 699_000_000,
        description: "x",
      })
      expect(called.isError).toBe(true)
      expect(JSON.parse(called.text)).toStrictEqual(overHttp.json)
      await app.call("PATCH", `/v1/services/${id}/pause`)
      const paused = await agent.call(`${id}__pay_one_time`, { manifest_id: id })
      expect(paused.isError).toBe(true)
      expect(JSON.parse(paused.text)).toMatchObject({
        error: "not_found",
        code: "NOT_FOUND",
      })
    })

    it("may not call without a key", async () => {
      const id = await activeService(app, { name: `Keyless ${client} in ${revision} ${next()}` })
      const agent = await connected(connect, app, null)
      await expect(agent.call(`${id}__pay_one_time`, { manifest_id: id })).rejects.toThrow(
        /401|unauthor/i,
      )
    })

    it("is told that there is no such tool and no such page", async () => {
      const agent = await connected(connect, app)
      await expect(agent.call("pay_everybody", {})).rejects.toMatchObject({ code: -32_602 })
      await expect(agent.page("x")).rejects.toMatchObject({ code: -32_602 })
    })

    it("hears that the list has changed", async () => {
      const agent = await connected(connect, app, null)
      // The stream opens after the client has connected.
      await vi.waitFor(
        async () => {
          await activeService(app, { name: `Heard by ${client} in ${revision} ${next()}` })
          expect(agent.changes()).toBeGreaterThan(0)
        },
        { timeout: 30_000, interval: 1_200 },
      )
      const before = agent.changes()
      const id = await activeService(app, {
        name: `Heard again by ${client} in ${revision} ${next()}`,
      })
      await expect.poll(agent.changes).toBeGreaterThan(before)
      const then = agent.changes()
      await app.call("PATCH", `/v1/services/${id}/pause`)
      await expect.poll(agent.changes).toBeGreaterThan(then)
    })
  },
)

describe("over a hundred tools", () => {
  const ids: Array<string> = []
  let big: App
  beforeAll(async () => {
    big = await startApp()
    await enlarge(big, big.seller.id)
    for (let n = 0; n < 205; n++) ids.push(await activeService(big, { name: `Service ${n}` }))
    ids.sort()
  })
  afterAll(() => big.stop())

  it.each(CLIENTS)("come in pages to $client in $revision, always in one order", async (row) => {
    const agent = await connected(row.connect, big, null)
    const first = await agent.page()
    expect(first.tools).toHaveLength(100)
    const expected = ids.map((id) => `${id}__pay_one_time`)
    expect(await everything(agent)).toStrictEqual(expected)
    const second = await agent.page(first.nextCursor)
    expect(names(second.tools)).toStrictEqual(expected.slice(100, 200))
    // Tools that are added or removed between two pages do not move the others.
    for (const n of [99, 150]) await big.call("PATCH", `/v1/services/${ids[n]}/pause`)
    const moved = await agent.page(first.nextCursor)
    const left = [...expected.slice(100, 150), ...expected.slice(151, 201)]
    expect(names(moved.tools)).toStrictEqual(left)
    for (const n of [99, 150]) await big.call("PATCH", `/v1/services/${ids[n]}/resume`)
  })
})
