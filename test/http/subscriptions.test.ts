import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { activeService, type App, startApp } from "../support/app.ts"
import { documentOf, undocumented } from "../support/documented.ts"

type Json = { readonly [key: string]: unknown }

const DAY = 86_400

let app: App
let service: string
beforeAll(async () => {
  app = await startApp({ sandbox: true })
  service = await activeService(app, {
    name: "Every day",
    payment_methods: { subscription: true, cumulative: true },
    pricing: {
      cumulative: { unit: "request", rate: "0.5", billing_cycle: "daily" },
      subscription: [
        { plan_id: "day", name: "A day", amount: 100, currency: "USD", interval: "daily" },
      ],
    },
  })
})
afterAll(() => app.stop())

const keys = () => ({ buyer: app.buyer.api_key.key, seller: app.seller.api_key.key })

const call = async (
  method: string,
  path: string,
  { as = "buyer", body, once }: { as?: "buyer" | "seller"; body?: object; once?: string } = {},
) => {
  const headers = once === undefined ? {} : { "idempotency-key": once }
  const reply = await app.call(method, path, {
    key: keys()[as],
    ...(body !== undefined && { body }),
    headers,
  })
  const [route = ""] = path.split("?")
  if (reply.status >= 400) {
    expect(undocumented(await documentOf(app), method, route, reply)).toBeUndefined()
  }
  return reply
}

const subscribe = (said: object = {}, once?: string) =>
  call("POST", `/v1/service-manifests/${service}/subscribe`, {
    body: { plan_id: "day", ...said },
    ...(once !== undefined && { once }),
  })

const advance = (seconds: number) =>
  app.call("POST", "/v1/sandbox/clock/advance", { body: { seconds } })

const simulate = (payment: unknown, action: string) =>
  app.call("POST", `/v1/sandbox/payment-intents/${String(payment)}/simulate`, {
    key: keys().buyer,
    body: { action },
  })

const get = async (path: string, as: "buyer" | "seller" = "buyer") =>
  (await call("GET", path, { as })).json

const list = async (path: string, as: "buyer" | "seller" = "buyer") => {
  const { data, pagination } = (await get(path, as)) as {
    readonly data: ReadonlyArray<Json>
    readonly pagination: Json
  }
  return { data, pagination }
}

describe("a subscription over HTTP", () => {
  test("is paid, renewed, left unpaid, paid late and cancelled", async () => {
    const made = await subscribe({ interval: "daily" }, "subscribe-1")
    expect([made.status, made.json["status"]]).toEqual([201, "active"])
    expect((await subscribe({ interval: "daily" }, "subscribe-1")).text).toBe(made.text)
    const id = String(made.json["id"])
    const first = await get(`/v1/invoices/${String(made.json["latest_invoice"])}`)
    expect(first).toMatchObject({ status: "open", subscription: id, amount: { value: 100 } })
    await simulate(first["payment_intent"], "pay")
    expect(await get(`/v1/invoices/${String(first["id"])}`)).toMatchObject({ status: "paid" })
    const paidTwice = await call("POST", `/v1/invoices/${String(first["id"])}/pay`, { body: {} })
    expect([paidTwice.status, paidTwice.json["code"]]).toEqual([409, "INVALID_TRANSITION"])

    await advance(DAY)
    const open = await list(`/v1/invoices?service_id=${service}&status=open`)
    expect(open.pagination).toEqual({ total: 1, limit: 20, offset: 0 })
    const path = `/v1/invoices/${String(open.data[0]?.["id"])}/pay`
    expect((await call("POST", path, { as: "seller", body: {} })).status).toBe(403)
    await advance(7 * DAY)
    expect(await get(`/v1/subscriptions/${id}`)).toMatchObject({ status: "past_due" })

    for (const { id: invoice } of (await list("/v1/invoices?status=open&limit=100")).data) {
      const payment = await call("POST", `/v1/invoices/${String(invoice)}/pay`, { body: {} })
      expect(payment.status).toBe(201)
      expect(payment.json).toMatchObject({ status: "pending", invoice })
      const again = await call("POST", `/v1/invoices/${String(invoice)}/pay`, { body: {} })
      expect(again.json["id"]).toBe(payment.json["id"])
      await simulate(payment.json["id"], "pay")
    }
    expect(await get(`/v1/subscriptions/${id}`)).toMatchObject({ status: "active" })
    const kept = await call("DELETE", `/v1/subscriptions/${id}`)
    expect(kept.json).toMatchObject({ status: "active", cancel_at_period_end: true })
    const gone = await call("DELETE", `/v1/subscriptions/${id}?now=true`, { as: "seller" })
    expect(gone.json).toMatchObject({ status: "cancelled", cancel_reason: "requested" })
    expect((await list("/v1/subscriptions?status=cancelled", "seller")).pagination).toMatchObject({
      total: 1,
    })
    expect((await list("/v1/invoices?status=paid&limit=5&offset=8")).data).toHaveLength(1)
  })

  test("has an invoice that its seller voids, once, and nobody else", async () => {
    const payer = { agent_id: "forgiven-agent" }
    const made = await subscribe({ payer })
    const invoice = `/v1/invoices/${String(made.json["latest_invoice"])}`
    const forgive = (as: "buyer" | "seller", once?: string) =>
      call("POST", `${invoice}/void`, { as, body: {}, ...(once !== undefined && { once }) })
    const foreign = await forgive("buyer")
    expect([foreign.status, foreign.json["code"]]).toEqual([403, "FORBIDDEN"])
    const first = await forgive("seller", "void-1")
    expect([first.status, first.json["status"]]).toEqual([200, "void"])
    expect((await forgive("seller", "void-1")).text).toBe(first.text)
    expect((await forgive("seller")).text).toBe(first.text)
    const { id } = made.json["payment"] as Json
    const late = await simulate(id, "pay")
    expect([late.status, late.json["code"]]).toEqual([400, "INVALID_TRANSITION"])
    const pay = await call("POST", `${invoice}/pay`, { body: {} })
    expect([pay.status, pay.json["code"]]).toEqual([409, "INVALID_TRANSITION"])
    await call("DELETE", `/v1/subscriptions/${String(made.json["id"])}?now=true`)
  })

  test("is paid by the agent's install, once, whatever becomes of the answers", async () => {
    const faults = (body: object) =>
      app.call("PUT", "/v1/sandbox/channels/wallet_a/faults", { body })
    await call("POST", `/v1/services/${service}/installs`, {
      body: { auto_pay_limit: { currency: "USD", value: 100 }, channel_preference: "wallet_a" },
    })
    const made = await subscribe({}, "installed-1")
    const payment = { status: "completed", auto_paid: true }
    expect(made.json).toMatchObject({ status: "active", payment })
    expect((await subscribe({}, "installed-1")).text).toBe(made.text)
    const id = String(made.json["id"])
    await faults({ timeout: true })
    await advance(DAY)
    await faults({ timeout: false })
    await advance(DAY)
    await faults({ auto_pay_declines: true })
    await advance(DAY)
    await faults({ auto_pay_declines: false })
    const { data } = await list("/v1/invoices?limit=100")
    const own = data.filter(({ subscription }) => subscription === id)
    expect(own.map(({ status }) => status)).toEqual(["open", "paid", "paid", "paid"])
    const declined = await get(`/v1/payment-intents/${String(own[0]?.["payment_intent"])}`)
    expect(declined).toMatchObject({ status: "pending", deeplink: expect.any(String) })
    await simulate(declined["id"], "pay")
    expect(await get(`/v1/invoices/${String(own[0]?.["id"])}`)).toMatchObject({ status: "paid" })
    await call("DELETE", `/v1/subscriptions/${id}?now=true`)
    await call("DELETE", `/v1/services/${service}/installs`)
  })

  test("refuses what is wrong, in a form that is documented", async () => {
    const refused = async (method: string, path: string, body?: object) => {
      const reply = await call(method, path, body === undefined ? {} : { body })
      return [reply.status, reply.json["code"]]
    }
    const path = `/v1/service-manifests/${service}/subscribe`
    expect(await refused("POST", path, {})).toEqual([422, "MISSING_REQUIRED_FIELD"])
    expect(await refused("POST", path, { plan_id: "x" })).toEqual([422, "INVALID_REQUEST"])
    expect(await refused("POST", path, { plan_id: "day", interval: "hourly" })).toEqual([
      422,
      "INVALID_REQUEST",
    ])
    expect(await refused("POST", path, { plan_id: "day", payer: 7 })).toEqual([
      400,
      "INVALID_PAYER",
    ])
    expect(await refused("GET", "/v1/invoices?status=late")).toEqual([400, "INVALID_QUERY"])
    expect(await refused("GET", "/v1/invoices?limit=0")).toEqual([400, "INVALID_QUERY"])
    expect(await refused("GET", "/v1/invoices?service_id='")).toEqual([400, "INVALID_QUERY"])
    expect(await refused("GET", "/v1/invoices?subscription=x")).toEqual([400, "INVALID_QUERY"])
    expect(await refused("GET", "/v1/subscriptions?offset=-1")).toEqual([400, "INVALID_QUERY"])
    expect(await refused("DELETE", "/v1/subscriptions/sub_x?now=1")).toEqual([400, "INVALID_QUERY"])
    expect(await refused("GET", "/v1/subscriptions/sub_x")).toEqual([404, "NOT_FOUND"])
    expect(await refused("GET", "/v1/invoices/inv_x")).toEqual([404, "NOT_FOUND"])
    expect(await refused("POST", "/v1/invoices/inv_x/pay", {})).toEqual([404, "NOT_FOUND"])
  })
})

describe("use over HTTP", () => {
  test("is started, reported once for each key, billed after its cycle and paid", async () => {
    const report = (
      idempotency_key: string,
      quantity: unknown,
      as: "buyer" | "seller" = "seller",
    ) =>
      call("POST", `/v1/services/${service}/usage`, {
        as,
        body: { agent_id: "agent-of-the-buyer", quantity, idempotency_key },
      })
    expect((await report("k", 1)).json["code"]).toBe("USAGE_NOT_STARTED")
    const tab = await call("POST", `/v1/services/${service}/tab`, { body: {} })
    expect([tab.status, tab.json["status"]]).toEqual([201, "open"])
    expect((await report("k", 1, "buyer")).status).toBe(403)
    for (const wrong of [0, -1, "", "1e3", "0.0000001", null, {}, "9".repeat(13)]) {
      expect((await report("wrong", wrong)).status, JSON.stringify(wrong)).toBe(422)
    }
    const first = await report("k-1", "10.5")
    expect((await report("k-1", 10.5)).text).toBe(first.text)
    expect((await report("k-1", 11)).json["code"]).toBe("IDEMPOTENCY_KEY_USED")
    expect((await report("k-2", 2.5)).status).toBe(201)
    const seen = await get(`/v1/services/${service}/tab?agent_id=agent-of-the-buyer`, "seller")
    expect(seen).toMatchObject({ quantity: "13", amount: { value: 6 }, rate: "0.5" })

    await advance(DAY)
    const { data } = await list("/v1/invoices?status=open")
    const mine = data.filter(({ subscription }) => subscription === null)
    expect(mine).toMatchObject([{ lines: [{ quantity: "13" }], amount: { value: 6 } }])
    const intent = await get(`/v1/payment-intents/${String(mine[0]?.["payment_intent"])}`, "seller")
    expect(intent).toMatchObject({ status: "pending", fees: { service: { value: 0 } } })
    await simulate(intent["id"], "pay")
    expect(await get(`/v1/invoices/${String(mine[0]?.["id"])}`)).toMatchObject({ status: "paid" })
    const stopped = await call("DELETE", `/v1/services/${service}/tab`)
    expect(stopped.json["status"]).toBe("closed")
    expect((await call("DELETE", `/v1/services/${service}/tab?agent_id=nobody`)).status).toBe(404)
  })
})

describe("a tab that is closed", () => {
  const agent_id = "agent-that-stops"
  const path = () => `/v1/services/${service}`
  const start = () => call("POST", `${path()}/tab`, { body: { payer: { agent_id } } })
  const stop = async () => {
    const tab = (await call("DELETE", `${path()}/tab?agent_id=${agent_id}`)).json
    return Date.parse(String(tab["reports_until"])) - DAY * 1_000
  }
  const report = (idempotency_key: string, quantity: number, occurred?: number) =>
    call("POST", `${path()}/usage`, {
      as: "seller",
      body: {
        agent_id,
        quantity,
        idempotency_key,
        ...(occurred !== undefined && { occurred_at: new Date(occurred).toISOString() }),
      },
    })
  const bills = async () => {
    const { data } = await list("/v1/invoices?limit=100")
    return data
      .filter((invoice) => invoice["agent_id"] === agent_id)
      .map(({ amount, lines }) => ({ amount, lines }))
  }
  const bill = (quantity: string, value: number) => ({ lines: [{ quantity }], amount: { value } })

  test("is billed a day later, with what was used before and is reported until then", async () => {
    await start()
    await advance(60)
    const stopped = await stop()
    expect((await report("stopped-1", 3, stopped)).json["code"]).toBe("USAGE_NOT_STARTED")
    expect((await report("stopped-2", 3)).json["code"]).toBe("USAGE_NOT_STARTED")
    expect((await report("stopped-3", 50, stopped - 1_000)).status).toBe(201)
    expect(await get(`${path()}/tab?agent_id=${agent_id}`)).toMatchObject({
      status: "closed",
      quantity: "50",
      amount: { value: 25 },
    })
    await start()
    await advance(60)
    expect((await report("stopped-4", 1, stopped - 1_000)).status).toBe(201)
    expect((await report("stopped-5", 4)).status).toBe(201)
    await stop()
    expect(await bills()).toEqual([])
    await advance(DAY - 60)
    expect((await report("stopped-6", 1, stopped - 1_000)).status).toBe(409)
    expect(await bills()).toMatchObject([bill("51", 26)])
    await advance(DAY)
    expect(await bills()).toMatchObject([bill("4", 2), bill("51", 26)])
  })

  test("rounds its last period up: small use is not free, however often it is closed", async () => {
    const before = (await bills()).length
    for (const n of [1, 2, 3]) {
      await start()
      expect((await report(`small-${n}`, 1)).status).toBe(201)
      await stop()
    }
    await advance(2 * DAY)
    const made = (await bills()).slice(0, -before)
    expect(made).toMatchObject([bill("1", 1), bill("1", 1), bill("1", 1)])
  })
})

describe("a second subscription of an agent to a plan", () => {
  test("is refused while the first one runs, however many are asked for at once", async () => {
    const own = { payer: { agent_id: app.buyer.agent_id } }
    const { data } = await list("/v1/subscriptions?limit=100")
    for (const { id } of data) await call("DELETE", `/v1/subscriptions/${String(id)}?now=true`)
    const asked = await Promise.all(Array.from({ length: 6 }, () => subscribe(own)))
    const made = asked.filter(({ status }) => status === 201)
    expect(made).toHaveLength(1)
    const id = made[0]?.json["id"]
    for (const refused of asked.filter(({ status }) => status !== 201)) {
      expect([refused.status, refused.json["error"]]).toEqual([409, "conflict"])
      expect(refused.json).toMatchObject({
        code: "ALREADY_SUBSCRIBED",
        field: "plan_id",
        details: { subscription: id },
      })
    }
    await call("DELETE", `/v1/subscriptions/${String(id)}?now=true`)
    expect((await subscribe(own)).status).toBe(201)
  })
})
