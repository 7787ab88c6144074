import QRCode from "qrcode"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { OPERATIONS } from "../../core/billing/Operation.ts"
import { activeService, type App, startApp } from "../support/app.ts"

let app: App
let shop: string
beforeAll(async () => {
  app = await startApp({ sandbox: true })
  shop = await activeService(app)
})
afterAll(() => app.stop())

const post = (path: string, body: object, once?: string) =>
  app.call("POST", path, {
    key: app.buyer.api_key.key,
    body,
    headers: once === undefined ? {} : { "idempotency-key": once },
  })

const counts = async (): Promise<{ readonly [operation: string]: number }> => {
  const { json } = await app.call("GET", "/v1/usage", { key: app.buyer.api_key.key })
  const operations = json["operations"] as ReadonlyArray<{
    readonly operation: string
    readonly count: number
  }>
  expect(operations.map(({ operation }) => operation)).toEqual([...OPERATIONS])
  return Object.fromEntries(operations.map(({ count, operation }) => [operation, count]))
}

/** Runs the work, and returns how many of each operation were counted. */
const counted = async (work: () => Promise<unknown>) => {
  const before = await counts()
  await work()
  const after = await counts()
  return Object.fromEntries(
    OPERATIONS.map((each) => [each, (after[each] ?? 0) - (before[each] ?? 0)] as const).filter(
      ([, count]) => count !== 0,
    ),
  )
}

const usd = (value: number) => ({ currency: "USD", value })

const QUOTE = { amount: usd(500), settlement_currency: "EUR" }

const order = () => ({ service_id: shop, type: "one_time", amount: usd(500), description: "One" })

/** A delivery that can be replayed. */
const delivery = async (): Promise<string> => {
  const receiver = { url: "http://127.0.0.1:9/hooks", enabled_events: ["kyc.verified"] }
  const endpoint = await post("/v1/webhook-endpoints", receiver)
  const ping = await post(`/v1/webhook-endpoints/${String(endpoint.json["id"])}/test`, {})
  expect(ping.status).toBe(201)
  return String(ping.json["id"])
}

interface Asked {
  readonly path: string
  readonly body: object
  readonly costs: { readonly [operation: string]: number }
}

const ASKED: { readonly [what: string]: () => Promise<Asked> } = {
  "a scan": async () => {
    const image = (await QRCode.toBuffer("https://a.example", { width: 200 })).toString("base64")
    return { path: "/v1/ai/scan-qr", body: { image }, costs: { "scan-qr": 1 } }
  },
  "a question": () =>
    Promise.resolve({
      path: "/v1/ai/nlp-payment",
      body: { query: "pay 5 USD", context: { service_id: shop } },
      costs: { "nlp-payment": 1 },
    }),
  "a question that is carried out": () =>
    Promise.resolve({
      path: "/v1/ai/nlp-payment",
      body: { query: "pay 5 USD", context: { service_id: shop }, execute: true },
      costs: { "nlp-payment": 1, "qr-generation": 1 },
    }),
  "a batch of questions": () =>
    Promise.resolve({
      path: "/v1/ai/nlp-batch",
      body: { queries: ["pay 5 USD", "pay 6 USD", "refund it"] },
      costs: { "nlp-batch": 3 },
    }),
  "a QR code": () =>
    Promise.resolve({
      path: "/v1/payment-intents",
      body: order(),
      costs: { "qr-generation": 1 },
    }),
  "a quote": () =>
    Promise.resolve({ path: "/v1/fx/quotes", body: QUOTE, costs: { "fx-quote": 1 } }),
  "a payment at a quote": async () => {
    const quote = await post("/v1/fx/quotes", {
      ...QUOTE,
      settlement_currency: "USD",
      service_id: shop,
    })
    expect(quote.status).toBe(201)
    const body = { quote_id: quote.json["id"], service_id: shop, description: "At a quote" }
    return { path: "/v1/fx/routes", body, costs: { "fx-route": 1, "qr-generation": 1 } }
  },
  "a delivery's replay": async () => ({
    path: `/v1/webhook-deliveries/${await delivery()}/replay`,
    body: {},
    costs: { "webhook-replay": 1 },
  }),
  "a reset": () =>
    Promise.resolve({ path: "/v1/sandbox/reset", body: {}, costs: { "sandbox-reset": 1 } }),
}

describe("metered operations", () => {
  test.each(Object.keys(ASKED))("count %s once, however often its key is sent", async (what) => {
    const ask = ASKED[what]
    if (ask === undefined) throw new Error(what)
    const { body, costs, path } = await ask()
    const once = what.replaceAll(" ", "-")
    const repeated = await counted(async () => {
      const first = await post(path, body, once)
      expect(first.status, first.text).toBeLessThan(300)
      const again = await post(path, body, once)
      expect([again.status, again.text]).toEqual([first.status, first.text])
      expect(again.headers.get("idempotent-replayed")).toBe("true")
      const crowd = await Promise.all([1, 2, 3].map(() => post(path, body, once)))
      expect(crowd.every(({ status }) => status === first.status || status === 409)).toBe(true)
    })
    expect(repeated).toEqual(costs)
  })

  test("count nothing that was refused", async () => {
    const nothing = await counted(async () => {
      const refused = await Promise.all([
        post("/v1/ai/scan-qr", { image: "bm90IGFuIGltYWdl" }, "refused-1"),
        post("/v1/ai/nlp-payment", { query: "" }, "refused-2"),
        post("/v1/ai/nlp-batch", { queries: [] }, "refused-3"),
        post("/v1/fx/quotes", { ...QUOTE, settlement_currency: "XXX" }, "refused-4"),
        post("/v1/fx/routes", { quote_id: "fxq_x", service_id: shop, description: "-" }),
        post("/v1/payment-intents", { ...order(), amount: usd(0) }, "refused-6"),
        post("/v1/payment-intents", { ...order(), amount: usd(1_000_001) }, "refused-7"),
        post("/v1/webhook-deliveries/wd_x/replay", {}, "refused-8"),
      ])
      expect(refused.map(({ status }) => status).filter((status) => status < 400)).toEqual([])
    })
    expect(nothing).toEqual({})
  })

  test("leave a reset sandbox's payers all of their limits", async () => {
    const payers = Array.from({ length: 10 }, (_, n) => ({ payer: { agent_id: `helper ${n}` } }))
    const spend = async (said: object) => {
      const body = { ...order(), amount: usd(1_000), ...said }
      return (await post("/v1/payment-intents", body)).status
    }
    for (const round of ["first", "second"]) {
      expect((await post("/v1/sandbox/reset", {})).status, round).toBe(200)
      for (const payer of payers) expect(await spend(payer)).toBe(201)
      expect(await spend({ payer: { agent_id: "one helper more" } })).toBe(403)
    }
    expect((await post("/v1/sandbox/reset", {})).status).toBe(200)
  })

  test("stay counted when the sandbox is reset, with the QR codes that went", async () => {
    for (let n = 0; n < 3; n += 1) {
      expect((await post("/v1/payment-intents", order())).status).toBe(201)
    }
    const before = await counts()
    expect(before["qr-generation"]).toBeGreaterThanOrEqual(3)
    const resets = await Promise.all([1, 2].map(() => post("/v1/sandbox/reset", {})))
    expect(resets.map(({ status }) => status)).toEqual([200, 200])
    const list = await app.call("GET", "/v1/payment-intents", { key: app.buyer.api_key.key })
    expect(list.json["data"]).toEqual([])
    const resetsBefore = before["sandbox-reset"] ?? 0
    expect(await counts()).toEqual({ ...before, "sandbox-reset": resetsBefore + 2 })
    expect((await post("/v1/payment-intents", order())).status).toBe(201)
    expect((await counts())["qr-generation"]).toBe((before["qr-generation"] ?? 0) + 1)
  })
})
