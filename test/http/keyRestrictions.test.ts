import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { AddressGate } from "../../adapters/shared/addresses/AddressGate.ts"
import { networksOf } from "../../adapters/shared/addresses/ClientAddress.ts"
import {
  activeService,
  ADMIN_KEY,
  type App,
  callTool,
  type Reply,
  startApp,
} from "../support/app.ts"

let app: App
let service: string
let other: string
beforeAll(async () => {
  const gate = new AddressGate({ proxies: networksOf(["127.0.0.0/8", "::1"]), limits: null })
  app = await startApp({ sandbox: true, gate })
  // Plans limit how many keys an account has.
  for (const { id } of [app.seller, app.buyer]) {
    await app.call("PATCH", `/v1/accounts/${id}`, { key: ADMIN_KEY, body: { plan: "enterprise" } })
  }
  const pricing = {
    one_time: [{ amount: 1, currency: "USD", label: "Once" }],
    cumulative: { unit: "request", rate: "0.25", billing_cycle: "monthly" },
    subscription: [
      { plan_id: "pro", name: "Pro", amount: 900, currency: "USD", interval: "monthly" },
    ],
  }
  const payment_methods = { one_time: true, subscription: true, cumulative: true }
  service = await activeService(app, { pricing, payment_methods })
  other = await activeService(app, { name: "Another", pricing, payment_methods })
})
afterAll(() => app.stop())

type Body = { readonly [field: string]: unknown }

const usd = (value: number) => ({ currency: "USD", value })

/** A key of the buyer's with restrictions, or one that such a key has issued. */
const issue = async (restrictions: Body, by = app.buyer.api_key.key): Promise<string> => {
  const reply = await app.call("POST", "/v1/api-keys", { key: by, body: { restrictions } })
  expect(reply.status, reply.text).toBe(201)
  return String(reply.json["key"])
}

const order = (value: number, said: Body = {}) => ({
  service_id: service,
  type: "one_time",
  amount: usd(value),
  description: "One",
  ...said,
})

const pay = (key: string, value: number, said: Body = {}) =>
  app.call("POST", "/v1/payment-intents", { key, body: order(value, said) })

const outcome = ({ json, status }: Reply) => {
  const error = (typeof json["error"] === "object" ? json["error"] : json) as Body
  const details = error["details"] as Body | undefined
  return [status, error["code"], details?.["restriction"] ?? details?.["cap"]]
}

const FORBIDDEN = (restriction: string) => [403, "FORBIDDEN", restriction]
const OVER = [403, "SPEND_CAP_EXCEEDED", "key"]
const MADE = [201, undefined, undefined]

describe("a key that is restricted to groups of routes", () => {
  test.each<[string, string, string, Body | undefined]>([
    ["read", "GET", "/v1/payment-intents", undefined],
    ["read", "POST", "/v1/access-items/introspect", { type: "access_token", id: "x" }],
    ["pay", "POST", "/v1/payment-intents", { amount: usd(1) }],
    ["pay", "POST", "/v1/fx/quotes", { amount: usd(1), settlement_currency: "USD" }],
    ["pay", "DELETE", "/v1/subscriptions/none", undefined],
    ["refund", "POST", "/v1/refunds", { payment_intent: "none" }],
    ["refund", "POST", "/v1/payment-intents/none/refund", {}],
    ["manage", "POST", "/v1/api-keys", {}],
    ["manage", "POST", "/v1/services", {}],
    ["manage", "GET", "/v1/merchant/webhook-secret", undefined],
    ["manage", "GET", "/v1/sandbox/channels", undefined],
  ])("%s: %s %s", async (group, method, path, body) => {
    for (const routes of ["read", "pay", "refund", "manage"]) {
      const key = await issue({ routes: [routes] })
      const reply = await app.call(method, path, { key, ...(body && { body }) })
      const refused = outcome(reply)[2] === "routes"
      expect([routes, refused], reply.text).toEqual([routes, routes !== group])
    }
  })

  test("does no more in words, nor as a tool", async () => {
    const { json } = await pay(app.buyer.api_key.key, 5)
    const ask = (key: string, query: string) =>
      app.call("POST", "/v1/ai/nlp-payment", { key, body: { query, execute: true } })
    // A buyer's key asks the payee for its money back, which takes the right to pay.
    const words = `Refund the payment ${String(json["id"])} because it never came`
    const refunder = await issue({ routes: ["refund"] })
    expect(outcome(await ask(refunder, words))).toEqual(FORBIDDEN("routes"))
    const payer = await issue({ routes: ["pay"] })
    expect(outcome(await ask(payer, words)).slice(0, 2)).toEqual([409, "REFUND_NOT_ALLOWED"])
    const reader = await issue({ routes: ["read"] })
    expect(outcome(await ask(reader, "Pay $0.01"))).toEqual(FORBIDDEN("routes"))
    expect((await tool(reader, `${service}__pay_one_time`, {})).status).toBe(403)
  })
})

/** Calls a tool; the answer's text where it is one. */
const tool = async (key: string, name: string, args: Body, headers: object = {}) => {
  const answer = await callTool(app, name, args, {
    ...headers,
    authorization: `Bearer ${key}`,
    host: "payport.test",
  })
  return { status: answer.status, text: await answer.text() }
}

test.each<[string, (amount: Body) => Body]>([
  ["restrictions.max_amount.currency", (amount) => ({ max_amount: amount })],
  ["restrictions.budget.amount.currency", (amount) => ({ budget: { amount, period: "daily" } })],
])("a limit in no currency is refused: %s", async (field, limit) => {
  const key = app.buyer.api_key.key
  for (const currency of ["ZZZ", "XTS"]) {
    const body = { restrictions: limit({ currency, value: 500 }) }
    const { json, status } = await app.call("POST", "/v1/api-keys", { key, body })
    const reason = `${currency} is no ISO 4217 currency`
    expect([status, json["code"], json["field"], json["details"]]).toEqual([
      422,
      "INVALID_REQUEST",
      field,
      [{ field, reason }],
    ])
  }
  await issue(limit({ currency: "EUR", value: 500 }))
})

describe("a key that is restricted to services", () => {
  test("pays, reads and lists nothing of others", async () => {
    const key = await issue({ services: [service] })
    const own = await pay(key, 1)
    expect(outcome(own)).toEqual(MADE)
    const elsewhere = await pay(app.buyer.api_key.key, 1, { service_id: other })
    const [mine, foreign] = [own, elsewhere].map(({ json }) => String(json["id"]))
    const get = async (path: string) => outcome(await app.call("GET", path, { key }))
    expect(await get(`/v1/payment-intents/${mine}`)).toEqual([200, undefined, undefined])
    expect(await get(`/v1/payment-intents?service_id=${service}`)).toEqual([
      200,
      undefined,
      undefined,
    ])
    expect(await get("/v1/services?q=weather")).toEqual([200, undefined, undefined])
    for (const path of [
      `/v1/payment-intents/${foreign}`,
      "/v1/payment-intents/pi_01997d3e-8a00-7000-8000-000000000001",
      "/v1/payment-intents",
      `/v1/payment-intents?service_id=${other}`,
      `/v1/services/${other}`,
      "/v1/events",
      "/v1/webhook-endpoints",
      "/v1/audit-log",
    ]) {
      expect([path, ...(await get(path))]).toEqual([path, ...FORBIDDEN("services")])
    }
    const post = async (path: string, body: Body) =>
      outcome(await app.call("POST", path, { key, body }))
    const subscribed = `/v1/service-manifests/${other}/subscribe`
    expect(await post(subscribed, { plan_id: "pro" })).toEqual(FORBIDDEN("services"))
    expect(await post(`/v1/payment-intents/${foreign}/void`, {})).toEqual(FORBIDDEN("services"))
    expect(await post("/v1/payment-intents", order(1, { service_id: other }))).toEqual(
      FORBIDDEN("services"),
    )
    const ended = await app.call("DELETE", `/v1/api-keys/${app.buyer.api_key.id}`, { key })
    expect(outcome(ended)).toEqual(FORBIDDEN("keys"))
    const { json: log } = await app.call("GET", "/v1/audit-log?limit=3", {
      key: app.buyer.api_key.key,
    })
    expect(log["data"]).toContainEqual(
      expect.objectContaining({ action: "api_key.refused", details: { restriction: "keys" } }),
    )
  })

  test("is not about one for a field that the route does not know", async () => {
    const key = await issue({ services: [service] })
    const body = { service_id: service, url: "http://127.0.0.1:9/hooks", enabled_events: ["*"] }
    const reply = await app.call("POST", "/v1/webhook-endpoints", { key, body })
    expect([reply.status, reply.json["code"]]).toEqual([422, "INVALID_REQUEST"])
    const metadata = { service_id: service }
    expect(outcome(await pay(key, 1, { service_id: other, metadata }))).toEqual(
      FORBIDDEN("services"),
    )
  })

  test("does no more in words, nor as a tool", async () => {
    const key = await issue({ services: [service] })
    const body = { query: `Pay $0.01 for ${other}`, execute: true }
    const said = await app.call("POST", "/v1/ai/nlp-payment", { key, body })
    expect(outcome(said)).toEqual(FORBIDDEN("services"))
    const paid = await tool(key, `${other}__pay_one_time`, { manifest_id: service, amount: 1 })
    expect(paid.text).toContain("FORBIDDEN")
    const own = await tool(key, `${service}__pay_one_time`, { manifest_id: service, amount: 1 })
    expect(own.text).toContain("deeplink")
  })
})

test("a key that may remove an install is told that it is gone, and no other key", async () => {
  const [agent, other] = ["helper-three", "helper-four"]
  const mine = await issue({ agents: [agent] })
  const ofOther = await issue({ agents: [other] })
  const ofService = await issue({ services: [service] })
  const path = `/v1/services/${service}/installs`
  const putting = await app.call("POST", path, { key: mine, body: { agent_id: agent } })
  expect(putting.status).toBe(201)
  const remove = async (key: string, id = String(putting.json["id"])) =>
    outcome(await app.call("DELETE", `/v1/installs/${id}`, { key }))
  expect(await remove(ofOther)).toEqual(FORBIDDEN("agents"))
  expect((await remove(mine))[0]).toBe(200)
  // The answer may have been lost.
  for (const key of [mine, ofService])
    expect((await remove(key)).slice(0, 2)).toEqual([404, "NOT_FOUND"])
  expect(await remove(ofOther)).toEqual(FORBIDDEN("agents"))
  const never = `ins_${String(putting.json["id"]).slice(4).replaceAll(/[0-9]/g, "1")}`
  expect(await remove(mine, never)).toEqual(FORBIDDEN("agents"))
})

test("a key that may remove a listing is told that it is gone, and no other key", async () => {
  const seller = app.seller.api_key.key
  const mine = await issue({ services: [service] }, seller)
  const ofOther = await issue({ services: [other] }, seller)
  const resource = "https://shop.example/reports"
  const body = { service_id: service, resource, amount: usd(25) }
  const listed = await app.call("POST", "/v1/x402/listings", { key: mine, body })
  expect(listed.status).toBe(201)
  const remove = async (key: string) =>
    outcome(await app.call("DELETE", `/v1/x402/listings/${String(listed.json["id"])}`, { key }))
  expect(await remove(ofOther)).toEqual(FORBIDDEN("services"))
  expect((await remove(mine))[0]).toBe(200)
  // The answer may have been lost.
  for (const key of [mine, seller])
    expect((await remove(key)).slice(0, 2)).toEqual([404, "NOT_FOUND"])
  expect(await remove(ofOther)).toEqual(FORBIDDEN("services"))
  const log = await app.call("GET", "/v1/audit-log?limit=100", { key: seller })
  expect(log.text).toContain('"listing.deleted"')
})

test("a key that is restricted to agents acts for no other", async () => {
  const agent = "helper-one"
  const key = await issue({ agents: [agent] })
  const payer = { agent_id: agent }
  const mine = await pay(key, 1, { payer })
  expect(outcome(mine)).toEqual(MADE)
  expect(outcome(await pay(key, 1))).toEqual(FORBIDDEN("agents"))
  expect(outcome(await pay(key, 1, { payer: { agent_id: "helper-two" } }))).toEqual(
    FORBIDDEN("agents"),
  )
  const get = async (path: string) => outcome(await app.call("GET", path, { key }))
  expect((await get(`/v1/payment-intents/${String(mine.json["id"])}`))[0]).toBe(200)
  expect((await get(`/v1/kyc/agents/${agent}`))[0]).toBe(200)
  const own = String((await pay(app.buyer.api_key.key, 1)).json["id"])
  for (const path of [
    `/v1/payment-intents/${own}`,
    "/v1/payment-intents",
    `/v1/payment-intents?service_id=${service}`,
    "/v1/kyc/agents/helper-two",
  ]) {
    expect([path, ...(await get(path))]).toEqual([path, ...FORBIDDEN("agents")])
  }
  const acting = await issue({ agents: [app.buyer.agent_id] })
  expect(outcome(await pay(acting, 1))).toEqual(MADE)
})

describe("a key with a limit of amounts", () => {
  test("pays so much at once, in any currency", async () => {
    const key = await issue({ max_amount: usd(500) })
    expect(outcome(await pay(key, 500))).toEqual(MADE)
    expect(outcome(await pay(key, 501))).toEqual(FORBIDDEN("max_amount"))
    const euros = await pay(key, 0, { amount: { currency: "EUR", value: 499 } })
    expect(outcome(euros)).toEqual(FORBIDDEN("max_amount"))
    const path = `/v1/service-manifests/${service}/subscribe`
    const subscribed = await app.call("POST", path, { key, body: { plan_id: "pro" } })
    expect(outcome(subscribed)).toEqual(FORBIDDEN("max_amount"))
    const tab = await app.call("POST", `/v1/services/${service}/tab`, { key, body: {} })
    expect(outcome(tab)).toEqual(FORBIDDEN("budget"))
  })

  test("pays no more than its budget however many payments are made at once", async () => {
    const key = await issue({ budget: { amount: usd(50), period: "daily" } })
    const replies = await Promise.all(
      Array.from({ length: 30 }, (_, n) =>
        n % 2 === 0
          ? pay(key, 5)
          : app.call("POST", "/v1/payments/one-time", {
              key,
              body: {
                service_id: service,
                amount: usd(5),
                description: "One",
                payer: { agent_id: app.buyer.agent_id },
              },
            }),
      ),
    )
    const outcomes = replies.map(outcome)
    expect(outcomes.filter(([status]) => status === 201)).toHaveLength(10)
    expect(outcomes.filter(([status]) => status !== 201)).toEqual(
      Array.from({ length: 20 }, () => OVER),
    )
    const paid = replies.find(({ status }) => status === 201)
    await app.call("POST", `/v1/payment-intents/${String(paid?.json["id"])}/void`, {
      key,
      body: {},
    })
    expect(outcome(await pay(key, 5))).toEqual(MADE)
    expect(outcome(await pay(key, 1))).toEqual(OVER)
  })

  test("shares it with the keys that it issues, and keeps it when it is rolled", async () => {
    const first = await issue({ budget: { amount: usd(100), period: "total" } })
    const child = await issue({ budget: { amount: usd(90), period: "total" } }, first)
    const heir = await issue({}, first)
    expect(outcome(await pay(child, 60))).toEqual(MADE)
    expect(outcome(await pay(child, 31))).toEqual(OVER)
    expect(outcome(await pay(heir, 41))).toEqual(OVER)
    expect(outcome(await pay(heir, 40))).toEqual(MADE)
    expect(outcome(await pay(first, 1))).toEqual(OVER)
    const { json } = await app.call("GET", "/v1/api-keys", { key: first })
    const own = (json["data"] as ReadonlyArray<Body>).find(({ hint }) =>
      first.startsWith(String(hint)),
    )
    const rolled = await app.call("POST", `/v1/api-keys/${String(own?.["id"])}/roll`, {
      key: first,
      body: {},
    })
    expect(outcome(await pay(String(rolled.json["key"]), 1))).toEqual(OVER)
  })

  test("takes a subscription's first period of it", async () => {
    const key = await issue({ budget: { amount: usd(1_000), period: "monthly" } })
    const path = `/v1/service-manifests/${service}/subscribe`
    const subscribe = (agent_id: string) =>
      app.call("POST", path, { key, body: { plan_id: "pro", payer: { agent_id } } })
    expect(outcome(await subscribe("subscriber-one"))).toEqual(MADE)
    expect(outcome(await subscribe("subscriber-two"))).toEqual(OVER)
    expect(outcome(await pay(key, 100))).toEqual(MADE)
  })

  test("pays no invoice beyond it", async () => {
    const { key } = app.buyer.api_key
    const path = `/v1/service-manifests/${service}/subscribe`
    const payer = { agent_id: "invoiced" }
    expect(outcome(await app.call("POST", path, { key, body: { plan_id: "pro", payer } }))).toEqual(
      MADE,
    )
    const found = await app.call("GET", `/v1/invoices?service_id=${service}&status=open`, { key })
    const invoices = found.json["data"] as ReadonlyArray<Body>
    const invoice = invoices.find(({ agent_id }) => agent_id === "invoiced")
    const paying = `/v1/invoices/${String(invoice?.["id"])}/pay`
    await app.call("POST", `/v1/payment-intents/${String(invoice?.["payment_intent"])}/void`, {
      key,
      body: {},
    })
    const settle = async (restrictions: Body) => {
      const limited = await issue(restrictions)
      return outcome(await app.call("POST", paying, { key: limited, body: {} }))
    }
    expect(await settle({ max_amount: usd(899) })).toEqual(FORBIDDEN("max_amount"))
    expect(await settle({ budget: { amount: usd(899), period: "daily" } })).toEqual(OVER)
    expect(await settle({ budget: { amount: usd(900), period: "daily" } })).toEqual(MADE)
  })

  test("is taken by an invoice once, however often its link is made anew", async () => {
    const { key } = app.buyer.api_key
    const path = `/v1/service-manifests/${other}/subscribe`
    const body = { plan_id: "pro", payer: { agent_id: "asked-often" } }
    const made = await app.call("POST", path, { key, body })
    expect(outcome(made)).toEqual(MADE)
    const drop = (payment: unknown) =>
      app.call("POST", `/v1/payment-intents/${String(payment)}/void`, { key, body: {} })
    await drop((made.json["payment"] as Body)["id"])
    const limited = await issue({ budget: { amount: usd(1_000), period: "total" } })
    const paying = `/v1/invoices/${String(made.json["latest_invoice"])}/pay`
    const settle = () => app.call("POST", paying, { key: limited, body: {} })
    const first = await settle()
    expect(outcome(first)).toEqual(MADE)
    expect(outcome(await pay(limited, 101))).toEqual(OVER)
    await drop(first.json["id"])
    const again = await settle()
    expect(outcome(again)).toEqual(MADE)
    expect(again.json["id"]).not.toBe(first.json["id"])
    expect(outcome(await pay(limited, 101))).toEqual(OVER)
  })

  test("of a day has it anew on the next", async () => {
    const key = await issue({ budget: { amount: usd(5), period: "daily" } })
    expect(outcome(await pay(key, 5))).toEqual(MADE)
    expect(outcome(await pay(key, 1))).toEqual(OVER)
    await app.call("POST", "/v1/sandbox/clock/advance", { body: { seconds: 86_400 } })
    expect(outcome(await pay(key, 5))).toEqual(MADE)
  })
})

describe("a key that is restricted to addresses", () => {
  const from = (key: string, forwarded: string) =>
    app.call("GET", "/v1/api-keys", { key, headers: { "x-forwarded-for": forwarded } })

  test("works from those that trusted proxies tell of", async () => {
    const key = await issue({ addresses: ["192.0.2.0/24", "2001:db8::/64"] })
    expect((await from(key, "192.0.2.9")).status).toBe(200)
    expect((await from(key, "2001:db8::9")).status).toBe(200)
    for (const address of [
      "192.0.3.1",
      "2001:db8:0:1::9",
      "192.0.2.9, 198.51.100.1",
      "127.0.0.1",
    ]) {
      expect([address, ...outcome(await from(key, address))]).toEqual([
        address,
        ...FORBIDDEN("addresses"),
      ])
    }
    expect((await tool(key, `${service}__pay_one_time`, { amount: 1 })).status).toBe(403)
    const near = { "x-forwarded-for": "2001:db8::1" }
    expect((await tool(key, `${service}__pay_one_time`, { amount: 1 }, near)).status).toBe(200)
  })

  test("is not asked for with anything else", async () => {
    for (const addresses of [["10.0.0.0/40"], ["example.com"], []]) {
      const body = { restrictions: { addresses } }
      const reply = await app.call("POST", "/v1/api-keys", { body })
      expect([reply.status, reply.json["code"]]).toEqual([422, "INVALID_REQUEST"])
    }
  })
})

describe("a restricted key", () => {
  test("issues none that may do more", async () => {
    const key = await issue({ routes: ["read", "manage"], services: [service] })
    const ask = (restrictions: Body) =>
      app.call("POST", "/v1/api-keys", { key, body: { restrictions } })
    for (const [field, restrictions] of [
      ["routes", { routes: ["pay"] }],
      ["services", { services: [service, other] }],
    ] as const) {
      const { json, status } = await ask(restrictions)
      expect([status, json["field"]]).toEqual([422, `restrictions.${field}`])
    }
    const heir = await issue({}, key)
    expect(outcome(await app.call("GET", `/v1/services/${other}`, { key: heir }))).toEqual(
      FORBIDDEN("services"),
    )
    expect((await app.call("POST", "/v1/api-keys", { key: heir, body: {} })).status).toBe(201)
  })

  test("is not shown the key that another was given under an Idempotency-Key", async () => {
    const given = { body: {}, headers: { "idempotency-key": "the-first" } }
    const owner = { ...given, key: app.buyer.api_key.key }
    const first = await app.call("POST", "/v1/api-keys", owner)
    expect(first.status).toBe(201)
    const key = await issue({ routes: ["manage"] })
    const again = await app.call("POST", "/v1/api-keys", { ...given, key })
    expect(again.json["key"]).toBeUndefined()
    expect(again.status).toBe(409)
  })

  test("ends when its restrictions say, and its log entry tells of them", async () => {
    const expires_at = new Date(Date.now() + 40 * 86_400_000).toISOString()
    const restrictions = { routes: ["read"], expires_at }
    const { json } = await app.call("POST", "/v1/api-keys", { body: { restrictions } })
    expect(json["expires_at"]).toBe(expires_at)
    const log = await app.call("GET", "/v1/audit-log")
    const [entry] = log.json["data"] as ReadonlyArray<{ readonly details: Body }>
    expect(entry?.details["restrictions"]).toBe('{"routes":["read"]}')
  })
})

describe("the account's log", () => {
  const entries = async (action: string) => {
    const { json } = await app.call("GET", "/v1/audit-log?limit=100", {
      key: app.buyer.api_key.key,
    })
    const data = json["data"] as ReadonlyArray<Body>
    return (id: string) => data.filter((one) => one["action"] === action && one["actor"] === id)
  }
  const named = async (restrictions: Body) => {
    const by = app.buyer.api_key.key
    const { json } = await app.call("POST", "/v1/api-keys", { key: by, body: { restrictions } })
    return { id: String(json["id"]), key: String(json["key"]) }
  }

  test("tells what money a restricted key moved, once, and of no other's", async () => {
    const { id, key } = await named({ routes: ["pay"] })
    const headers = { "idempotency-key": "used-once" }
    const body = order(3)
    const { json } = await app.call("POST", "/v1/payment-intents", { key, body, headers })
    await app.call("POST", "/v1/payment-intents", { key, body, headers })
    await pay(app.buyer.api_key.key, 3)
    const used = await entries("api_key.used")
    expect(used(id)).toMatchObject([{ target: json["id"], details: { currency: "USD", value: 3 } }])
    expect(used(app.buyer.api_key.id)).toEqual([])
  })

  test("tells once a day what a restricted key was used for, and from where", async () => {
    const { id, key } = await named({ routes: ["read", "pay"] })
    for (const _ of [1, 2, 3]) await app.call("GET", "/v1/payment-intents", { key })
    await pay(key, 2)
    await tool(key, `${service}__pay_one_time`, { manifest_id: service })
    const seen = await entries("api_key.seen")
    expect(seen(id).map(({ details, target }) => [target, details])).toEqual([
      [id, { group: "pay", address: expect.stringContaining("127.0.0.1") }],
      [id, { group: "read", address: expect.stringContaining("127.0.0.1") }],
    ])
    expect(seen(app.buyer.api_key.id)).toEqual([])
  })

  test("tells what a restricted key was refused for, twenty times a day at most", async () => {
    const limited = await named({ max_amount: usd(5), services: [service], routes: ["pay"] })
    const { key } = limited
    await pay(key, 6)
    await pay(key, 1, { service_id: other })
    await app.call("GET", "/v1/payment-intents", { key })
    await tool(key, `${other}__pay_one_time`, { manifest_id: other })
    const refused = (await entries("api_key.refused"))(limited.id)
    expect(refused.map(({ details }) => (details as Body)["restriction"])).toEqual([
      "services",
      "routes",
      "services",
      "max_amount",
    ])
    const { id, key: spender } = await named({ budget: { amount: usd(1), period: "daily" } })
    const tries = Array.from({ length: 30 }, (_, n) =>
      app.call("POST", "/v1/payment-intents", {
        key: spender,
        body: order(2),
        headers: { "idempotency-key": `try-${n}` },
      }),
    )
    expect((await Promise.all(tries)).map(outcome)).toEqual(tries.map(() => OVER))
    expect((await entries("api_key.refused"))(id)).toHaveLength(20)
    const elsewhere = await named({ addresses: ["192.0.2.0/24"] })
    await app.call("GET", "/v1/payment-intents", { key: elsewhere.key })
    expect((await entries("api_key.refused"))(elsewhere.id)).toMatchObject([
      { details: { restriction: "addresses" } },
    ])
  })
})

// This test is last, since it uses up the channel's rate, and repeats refused requests.
test("a budget holds against 200 racers, under it and under what it has minted", async () => {
  const parent = await issue({ budget: { amount: usd(200), period: "total" } })
  const children = await Promise.all(
    [90, 80, 70].map((value) => issue({ budget: { amount: usd(value), period: "daily" } }, parent)),
  )
  const keys = [parent, ...children]
  const bought = async (n: number): Promise<readonly [key: number, paid: number]> => {
    const by = n % 4
    const key = keys[by] ?? parent
    const value = 1 + (n % 5)
    if (n % 3 !== 0) {
      const { status } = await pay(key, value)
      if (status !== 503) return [by, status === 201 ? value : 0]
      return bought(n)
    }
    const args = { manifest_id: service, amount: value, idempotency_key: `race-${n}` }
    const { text } = await tool(key, `${service}__pay_one_time`, args)
    if (text.includes("CHANNEL_TEMPORARILY_UNAVAILABLE")) return bought(n)
    return [by, text.includes("deeplink") ? value : 0]
  }
  const all = await Promise.all(Array.from({ length: 200 }, (_, n) => bought(n)))
  const sum = (of: (by: number) => boolean) =>
    all.reduce((sofar, [by, paid]) => sofar + (of(by) ? paid : 0), 0)
  expect(sum(() => true)).toBeLessThanOrEqual(200)
  expect(sum(() => true)).toBeGreaterThan(195)
  expect([1, 2, 3].map((n) => sum((by) => by === n) <= 100 - 10 * n)).toEqual([true, true, true])
  const { json } = await app.call("GET", "/v1/api-keys?limit=4", { key: app.buyer.api_key.key })
  const shown = json["data"] as ReadonlyArray<{
    readonly budget_spent: { readonly value: number }
  }>
  expect(shown.at(-1)?.budget_spent.value).toBe(sum(() => true))
})
