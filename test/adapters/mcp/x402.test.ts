import { x402Client } from "@x402/core/client"
import { isPaymentRequired } from "@x402/core/schemas"
import type { PaymentPayload, PaymentRequired } from "@x402/core/types"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { makeClient, sandboxWallet, x402Buyer } from "../../../adapters/http/client/entry.ts"
import { activeService, aManifest, type App, startApp } from "../../support/app.ts"
import { type Agent, type Called, CLIENTS, connected } from "./clients.ts"

type Json = { readonly [name: string]: unknown }

const NETWORK = "payport:sandbox"
const PAYMENT = "x402/payment"
const RESPONSE = "x402/payment-response"

let app: App
beforeAll(async () => {
  app = await startApp({ sandbox: true })
})
afterAll(() => app.stop())

let count = 0
const PRICED = { pricing: { one_time: [{ amount: 25, currency: "USD", label: "One" }] } }
const aService = () => activeService(app, { name: `Paid by x402 ${++count}`, ...PRICED })

/** The seller registers the service again, with another price. */
const repriced = async (service: string, amount: number) => {
  const { json } = await app.call("GET", `/v1/services/${service}`)
  const pricing = { one_time: [{ amount, currency: "USD", label: "One" }] }
  const again = await app.call("POST", "/v1/services", {
    body: aManifest({ name: json["name"], pricing }),
  })
  expect(again.json["id"]).toBe(service)
}

const toolOf = (service: string) => `${service}__pay_one_time`

const buyerOptions = () => ({ baseUrl: app.url, apiKey: app.buyer.api_key.key })

const aBuyer = () => {
  const budget = { currency: "USD", perCall: 1_000, total: 10_000, mostPayments: 100 }
  const wallet = sandboxWallet(buyerOptions())
  const buyer = x402Buyer(fetch, { payport: buyerOptions(), wallet, budget })
  return { buyer, client: new x402Client().register("payport:*", buyer.scheme) }
}

const responseOf = ({ meta }: Called) =>
  (meta[RESPONSE] ?? null) as { readonly success: boolean; readonly errorReason?: string } | null

/** Reads the payment requirements of a refusal as x402's MCP client does. */
const requiredIn = ({ isError, structured, text }: Called): PaymentRequired => {
  expect(isError, text).toBe(true)
  const said: unknown = structured ?? JSON.parse(text)
  expect(said).toStrictEqual(JSON.parse(text))
  if (!isPaymentRequired(said)) throw new Error(`Nothing is required: ${text}`)
  return said as PaymentRequired
}

const show = (agent: Agent, name: string, args: Json, payment: unknown) =>
  agent.call(name, args, undefined, { [PAYMENT]: payment })

/** Calls a tool as `@x402/mcp` does: again with a payment, where one is required. */
const callPaying = async (
  agent: Agent,
  name: string,
  args: Json,
  { buyer, client }: ReturnType<typeof aBuyer> = aBuyer(),
) => {
  const required = requiredIn(await agent.call(name, args))
  const paymentPayload = await client.createPaymentPayload(required)
  const result = await show(agent, name, args, paymentPayload)
  buyer.afterPayment({ paymentPayload, settleResponse: responseOf(result) })
  return { result, paymentPayload }
}

const paymentOf = ({ payload }: PaymentPayload) => String(payload["payment_intent"])

const ofService = async (service: string) => {
  const path = `/v1/payment-intents?service_id=${service}`
  return (await app.call("GET", path)).json["data"] as ReadonlyArray<Json>
}

const TAKEN = /^(captured|succeeded)$/

const takenOf = async (service: string) =>
  (await ofService(service)).filter(({ status }) => TAKEN.test(String(status))).length

const [, , modern] = CLIENTS
const open = (path: string, key = app.buyer.api_key.key) =>
  connected(modern.connect, app, key, path)

describe.each(CLIENTS)(
  "tools that are paid by x402, by the client $client in revision $revision",
  ({ connect }) => {
    test.each(["/mcp", "/mcp/market"])("sell at %s", async (path) => {
      const service = await aService()
      const agent = await connected(connect, app, app.buyer.api_key.key, `${path}?payment=x402`)
      const market = path !== "/mcp"
      const name = market ? "pay" : toolOf(service)
      const args = market ? { service_id: service } : { manifest_id: service }
      await agent.page()
      const required = requiredIn(await agent.call(name, args))
      expect(required).toMatchObject({
        x402Version: 2,
        error: "payment_required",
        resource: { url: `mcp://tool/${name}` },
        accepts: [
          { scheme: "exact", network: NETWORK, amount: "25", asset: "USD", payTo: service },
        ],
      })
      expect(await ofService(service)).toHaveLength(0)
      const { paymentPayload, result } = await callPaying(agent, name, args)
      expect(result.isError, result.text).toBe(false)
      const id = paymentOf(paymentPayload)
      expect(responseOf(result)).toStrictEqual({
        success: true,
        payer: app.buyer.agent_id,
        transaction: id,
        network: NETWORK,
        amount: "25",
      })
      expect(result.structured).toMatchObject(market ? { payment_id: id, paid: true } : { id })
      expect(String(result.structured?.["status"])).toMatch(TAKEN)
      expect(result.structured).not.toHaveProperty("replayed")
      const again = await show(agent, name, args, paymentPayload)
      expect(again.structured).toMatchObject({ replayed: true })
      expect(responseOf(again)).toStrictEqual(responseOf(result))
      expect(await takenOf(service)).toBe(1)
    })
  },
)

describe.each(["/mcp", "/mcp/market"])("a used payment shown again at %s", (path) => {
  test("is answered again after the price changed, and after the service was paused", async () => {
    const service = await aService()
    const agent = await open(`${path}?payment=x402`)
    const [name, args] =
      path === "/mcp"
        ? ([toolOf(service), { manifest_id: service }] as const)
        : (["pay", { service_id: service }] as const)
    const unused = await aBuyer().client.createPaymentPayload(
      requiredIn(await agent.call(name, args)),
    )
    const { paymentPayload } = await callPaying(agent, name, args)
    await repriced(service, 30)
    const expectAnswered = async () => {
      const again = await show(agent, name, args, paymentPayload)
      expect(again.isError, again.text).toBe(false)
      expect(again.structured).toMatchObject({ replayed: true })
      expect(responseOf(again)).toMatchObject({
        success: true,
        transaction: paymentOf(paymentPayload),
      })
    }
    await expectAnswered()
    const asked = requiredIn(await show(agent, name, args, unused))
    expect(asked).toMatchObject({ error: "invalid_payload", accepts: [{ amount: "30" }] })
    await app.call("PATCH", `/v1/services/${service}/pause`)
    await expectAnswered()
    expect((await show(agent, name, args, unused)).text).toContain("NOT_FOUND")
    expect(await takenOf(service)).toBe(1)
  })
})

describe("the list of an address whose tools are paid by x402", () => {
  test("promises no structured content, and takes nothing that the payment says", async () => {
    const service = await aService()
    const { tools } = await (await open(`/mcp?payment=x402&ids=${service}`)).page()
    const [tool] = tools
    expect(tool).not.toHaveProperty("outputSchema")
    expect(tool?.description).toContain("x402")
    const { properties } = Reflect.get(tool ?? {}, "inputSchema") as { readonly properties: Json }
    expect(Object.keys(properties)).toStrictEqual([
      "manifest_id",
      "amount",
      "currency",
      "description",
      "agent_id",
      "idempotency_key",
    ])
  })

  test("has no other parameter, and no other value", async () => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" })
    const headers = { "Content-Type": "application/json" }
    for (const path of ["?payment=cash", "?payment=x402&payment=x402", "?pays", "/market?ids=x"]) {
      const response = await fetch(`${app.url}/mcp${path}`, { method: "POST", headers, body })
      const { error } = (await response.json()) as { readonly error: Json }
      expect([response.status, error["data"]], path).toMatchObject([400, { code: "INVALID_QUERY" }])
    }
  })
})

describe("a proof that is shown to a tool", () => {
  test("pays where no address asks for it", async () => {
    const service = await aService()
    const asked = requiredIn(
      await (await open("/mcp?payment=x402")).call(toolOf(service), { manifest_id: service }),
    )
    const payment = await aBuyer().client.createPaymentPayload(asked)
    const agent = await open("/mcp")
    await agent.page()
    const paid = await show(agent, toolOf(service), { manifest_id: service }, payment)
    expect(responseOf(paid)).toMatchObject({ success: true })
    const refused = await show(
      agent,
      toolOf(service),
      { manifest_id: service, amount: 26 },
      payment,
    )
    // The tool was listed with an output schema, which this refusal would not match.
    expect(refused.structured).toBeUndefined()
    expect(requiredIn(refused).error).toBe("invalid_payload")
  })

  test("buys once, whatever it is called, in ten calls at once", async () => {
    const service = await aService()
    const name = toolOf(service)
    const args = { manifest_id: service }
    const agent = await open("/mcp?payment=x402")
    const payment = await aBuyer().client.createPaymentPayload(
      requiredIn(await agent.call(name, { manifest_id: service })),
    )
    const results = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        show(agent, name, n % 2 === 0 ? args : { ...args, idempotency_key: `named-${n}` }, payment),
      ),
    )
    expect(
      results.map(({ isError, text }) => [isError, text]).filter(([failed]) => failed),
    ).toEqual([])
    expect(results.filter(({ structured }) => structured?.["replayed"] !== true)).toHaveLength(1)
    expect(results.every((result) => responseOf(result)?.success === true)).toBe(true)
    expect(await takenOf(service)).toBe(1)
  })

  test("takes one payment for one purchase, of several that were begun", async () => {
    const service = await aService()
    const name = toolOf(service)
    const agent = await open("/mcp?payment=x402")
    const required = requiredIn(await agent.call(name, { manifest_id: service }))
    const payments = await Promise.all(
      [1, 2, 3].map(() => aBuyer().client.createPaymentPayload(required)),
    )
    const results = await Promise.all(
      payments.map((each) => show(agent, name, { manifest_id: service }, each)),
    )
    const taken = results.filter((result) => responseOf(result)?.success === true)
    expect(taken).toHaveLength(1)
    expect(new Set(results.map(({ structured }) => structured?.["id"])).size).toBe(1)
    const others = results.filter((result) => !taken.includes(result))
    expect(others.map((result) => responseOf(result)?.errorReason)).toEqual([
      "bought_before",
      "bought_before",
    ])
    expect(await takenOf(service)).toBe(1)
    // Another purchase, by its name, is paid by one of those that were not taken.
    const left = payments.find((each) => paymentOf(each) !== taken[0]?.structured?.["id"])
    const next = await show(agent, name, { manifest_id: service, idempotency_key: "another" }, left)
    expect(responseOf(next)).toMatchObject({ success: true })
    expect(await takenOf(service)).toBe(2)
  })

  test("is the same purchase as one that was made without it", async () => {
    const service = await aService()
    const first = await (await open("/mcp")).call(toolOf(service), { manifest_id: service })
    expect(first.structured).toMatchObject({ status: "pending" })
    const { result } = await callPaying(await open("/mcp?payment=x402"), toolOf(service), {
      manifest_id: service,
    })
    expect(result.structured).toMatchObject({ id: first.structured?.["id"], replayed: true })
    expect(responseOf(result)).toMatchObject({ success: false, errorReason: "bought_before" })
    expect(await takenOf(service)).toBe(0)
  })

  test("is one purchase while nobody knows whether its money was taken", async () => {
    const service = await aService()
    const agent = await open("/mcp?payment=x402")
    const name = toolOf(service)
    const required = requiredIn(await agent.call(name, { manifest_id: service }))
    const [one, other] = await Promise.all([
      aBuyer().client.createPaymentPayload(required),
      aBuyer().client.createPaymentPayload(required),
    ])
    const faults = "/v1/sandbox/channels/wallet_a/faults"
    await app.call("PUT", faults, { body: { timeout: true } })
    const unknown = await show(agent, name, { manifest_id: service }, one)
    await app.call("PUT", faults, { body: { timeout: false } })
    expect(responseOf(unknown)).toMatchObject({
      success: false,
      errorReason: "settlement_pending",
      transaction: paymentOf(one),
    })
    expect(unknown.structured).toMatchObject({ channel_outcome: "unknown" })
    expect(responseOf(await show(agent, name, { manifest_id: service }, other))?.errorReason).toBe(
      "bought_before",
    )
    await app.call("POST", "/v1/sandbox/clock/advance", { body: { seconds: 120 } })
    expect(responseOf(await show(agent, name, { manifest_id: service }, one))).toMatchObject({
      success: true,
      transaction: paymentOf(one),
    })
    expect(await takenOf(service)).toBe(1)
  })

  test("is worth nothing for anything else, or to anybody else", async () => {
    const service = await aService()
    const elsewhere = await aService()
    const name = toolOf(service)
    const agent = await open("/mcp?payment=x402")
    const required = requiredIn(await agent.call(name, { manifest_id: service }))
    const payment = await aBuyer().client.createPaymentPayload(required)
    const [accepted] = required.accepts
    const otherwise = (more: object) => ({ ...payment, accepted: { ...accepted, ...more } })
    const { facilitator } = makeClient(buyerOptions())
    const bound = {
      service_id: service,
      amount: { currency: "USD", value: 25 },
      resource: "https://shop.example/reports/7",
    }
    const begun = (await facilitator.pay(bound)).payment_intent
    const atShop = { payment_intent: begun.id, token: begun.token }
    const unpaid = (await facilitator.pay({ ...bound, resource: `mcp://tool/${name}` }))
      .payment_intent
    const left = { payment_intent: unpaid.id, token: unpaid.token }
    const rows: ReadonlyArray<readonly [string, unknown, string, Json?, string?]> = [
      ["no object", "paid", "invalid_x402_version"],
      ["version 1", { ...payment, x402Version: 1 }, "invalid_x402_version"],
      ["another scheme", otherwise({ scheme: "upto" }), "invalid_payload"],
      ["a lower amount", otherwise({ amount: "2" }), "invalid_payload"],
      ["another amount asked", payment, "invalid_payload", { manifest_id: service, amount: 26 }],
      ["another tool", payment, "invalid_payload", { manifest_id: elsewhere }, toolOf(elsewhere)],
      [
        "a wrong token",
        { ...payment, payload: { ...payment.payload, token: "x" } },
        "invalid_payment_proof",
      ],
      ["a shop's payment", { ...payment, payload: atShop }, "invalid_payment_proof"],
      ["an unpaid payment", { ...payment, payload: left }, "payment_not_authorized"],
      [
        "a bad identifier",
        { ...payment, extensions: { "payment-identifier": { info: { id: "x" } } } },
        "invalid_payment_identifier",
      ],
    ]
    for (const [what, shown, reason, args = { manifest_id: service }, tool = name] of rows) {
      const result = await show(agent, tool, args, shown)
      expect(requiredIn(result).error, what).toBe(reason)
      expect(responseOf(result), what).toMatchObject({ success: false, errorReason: reason })
    }
    // The seller knows the token, and has an agent's name: the payment is the buyer's.
    const thief = await open("/mcp?payment=x402", app.seller.api_key.key)
    const stolen = await show(
      thief,
      name,
      { manifest_id: service, agent_id: app.buyer.agent_id },
      payment,
    )
    expect(requiredIn(stolen).error).toBe("invalid_payment_proof")
    expect(await takenOf(service)).toBe(0)
    expect(responseOf(await show(agent, name, { manifest_id: service }, payment))).toMatchObject({
      success: true,
    })
  })

  test("is refused by tools that take none, and with what the payment says itself", async () => {
    const service = await aService()
    const agent = await open("/mcp?payment=x402")
    const payment = await aBuyer().client.createPaymentPayload(
      requiredIn(await agent.call(toolOf(service), { manifest_id: service })),
    )
    const market = await open("/mcp/market")
    const rows = [
      await show(market, "budget", {}, payment),
      await show(agent, toolOf(service), { manifest_id: service, channel: "wallet_a" }, payment),
      await agent.call(toolOf(service), { manifest_id: service, metadata: { order: "7" } }),
    ]
    for (const { isError, text } of rows) {
      expect([isError, (JSON.parse(text) as Json)["code"]], text).toEqual([true, "INVALID_REQUEST"])
    }
  })

  test("pays what its client names by payment-identifier once, and two names are two", async () => {
    const service = await aService()
    const agent = await open("/mcp?payment=x402")
    const name = toolOf(service)
    const args = { manifest_id: service }
    const required = requiredIn(await agent.call(name, args))
    const pay = async (id: string) => {
      const payment = await aBuyer().client.createPaymentPayload(required)
      const extensions = { "payment-identifier": { info: { required: false, id } } }
      return show(agent, name, args, { ...payment, extensions })
    }
    const first = await pay("purchase_of_today_1")
    const same = await pay("purchase_of_today_1")
    const other = await pay("purchase_of_today_2")
    const outcomes = [first, same, other].map((result) => responseOf(result))
    expect(outcomes).toMatchObject([
      { success: true },
      { success: false, errorReason: "bought_before" },
      { success: true },
    ])
    expect(same.structured).toMatchObject({ id: first.structured?.["id"], replayed: true })
    expect(await takenOf(service)).toBe(2)
  })
})

describe("a buyer's payments for tools", () => {
  test("are shown again until they are answered", async () => {
    const service = await aService()
    const agent = await open("/mcp?payment=x402")
    const name = toolOf(service)
    const { buyer, client } = aBuyer()
    const required = requiredIn(await agent.call(name, { manifest_id: service }))
    const lost = await client.createPaymentPayload(required)
    await show(agent, name, { manifest_id: service }, lost)
    const again = await client.createPaymentPayload(required)
    expect(again.payload).toStrictEqual(lost.payload)
    const settleResponse = responseOf(await show(agent, name, { manifest_id: service }, again))
    expect(settleResponse).toMatchObject({ success: true })
    buyer.afterPayment({ paymentPayload: again, settleResponse })
    const next = await client.createPaymentPayload(required)
    expect(next.payload).not.toStrictEqual(lost.payload)
    expect(await takenOf(service)).toBe(1)
  })
})
