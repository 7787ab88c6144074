import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { activeService, ADMIN_KEY, type App, startApp } from "../support/app.ts"

/** One cent more than an unverified payer may pay at a time. */
const TOO_MUCH = { currency: "USD", value: 1_001 }

/** Claims about the payer's level, in every place that could be read by mistake. */
const CLAIM = { kyc_level: "business", level: "business", current_kyc_level: "business" }

let app: App
let shop: string
let key: string
beforeAll(async () => {
  app = await startApp({ sandbox: true })
  shop = await activeService(app, {
    payment_methods: { one_time: true, subscription: true },
    pricing: {
      one_time: [{ amount: 1_001, currency: "USD", label: "7 days" }],
      subscription: [
        {
          plan_id: "dear",
          name: "Dear",
          amount: 1_001,
          currency: "USD",
          interval: "monthly",
          features: [],
        },
      ],
    },
  })
  const body = { name: "Unverified", kind: "buyer", agent_id: "novice", plan: "enterprise" }
  const opened = await app.call("POST", "/v1/accounts", { key: ADMIN_KEY, body })
  key = (opened.json["api_key"] as { readonly key: string }).key
})
afterAll(() => app.stop())

const post = (path: string, body: object) => app.call("POST", path, { key, body })

const payer = () => ({ agent_id: "novice", ...CLAIM })

const order = () => ({
  service_id: shop,
  amount: TOO_MUCH,
  description: "One",
  payer: payer(),
  ...CLAIM,
})

const tool = (name: string, given: object, claim: object = CLAIM) =>
  post("/mcp", {
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: {
      name: `${shop}__${name}`,
      arguments: { manifest_id: shop, ...given, ...claim },
      ...CLAIM,
    },
  })

const DOORS: { readonly [door: string]: () => ReturnType<typeof post> } = {
  "POST /v1/payment-intents": () =>
    post("/v1/payment-intents", { ...order(), type: "one_time", metadata: CLAIM }),
  "POST /v1/payments/one-time": () => post("/v1/payments/one-time", order()),
  "POST /v1/payments": () => post("/v1/payments", order()),
  "POST /v1/payments, as a question": () => post("/v1/payments", { amount: TOO_MUCH, ...CLAIM }),
  "POST /v1/fx/routes": async () => {
    const quoted = await post("/v1/fx/quotes", {
      amount: TOO_MUCH,
      settlement_currency: "USD",
      service_id: shop,
      payer: payer(),
      ...CLAIM,
    })
    expect(quoted.status).toBe(201)
    const said = { service_id: shop, description: "One", payer: payer() }
    return post("/v1/fx/routes", { quote_id: quoted.json["id"], ...said, ...CLAIM })
  },
  "POST /v1/service-manifests/{id}/subscribe": () =>
    post(`/v1/service-manifests/${shop}/subscribe`, {
      plan_id: "dear",
      payer: payer(),
      ...CLAIM,
    }),
  "POST /v1/ai/nlp-payment, carried out": () =>
    post("/v1/ai/nlp-payment", {
      query: "pay 10.01 USD",
      context: { service_id: shop, payer: payer(), ...CLAIM },
      execute: true,
      ...CLAIM,
    }),
  "the tool pay_one_time": () => tool("pay_one_time", { amount: 1_001 }),
  "the tool pay_subscribe": () => tool("pay_subscribe", { plan_id: "dear" }),
}

/** The tools without a claim. */
const PLAIN_TOOLS: typeof DOORS = {
  "the tool pay_one_time": () => tool("pay_one_time", { amount: 1_001 }, {}),
  "the tool pay_subscribe": () => tool("pay_subscribe", { plan_id: "dear" }, {}),
}

describe("what a payer may pay at a time", () => {
  test.each(Object.keys(DOORS))("holds at %s, whatever level is claimed", async (door) => {
    const reply = await DOORS[door]?.()
    // A tool refuses arguments that it does not know.
    const isTool = door.startsWith("the tool")
    if (isTool) expect(reply?.text).toMatch(/kyc_level\W+is not a known field/)
    const plain = isTool ? await PLAIN_TOOLS[door]?.() : reply
    expect(plain?.text).toContain("INSUFFICIENT_KYC")
    expect(reply?.text).not.toContain('"current_kyc_level":"business"')
    for (const list of ["payment-intents", "subscriptions", "invoices"]) {
      const { json } = await app.call("GET", `/v1/${list}`, { key })
      expect(json["data"], list).toEqual([])
    }
    const { json } = await app.call("GET", "/v1/kyc/agents/novice", { key })
    expect(json["level"]).toBe("anonymous")
  })

  test("is paid to the cent", async () => {
    const body = { ...order(), amount: { currency: "USD", value: 1_000 } }
    expect((await post("/v1/payments/one-time", body)).status).toBe(201)
  })
})
