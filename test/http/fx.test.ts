import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { activeService, type App, startApp } from "../support/app.ts"
import { documentOf, undocumented } from "../support/documented.ts"

let app: App
let service: string
beforeAll(async () => {
  app = await startApp({ sandbox: true })
  service = await activeService(app, {
    name: "Settles in euros",
    settlement_currency: "EUR",
    accepted_channels: ["wallet_a", "wallet_f"],
  })
})
afterAll(() => app.stop())

const post = async (path: string, body: object, once?: string, key = app.buyer.api_key.key) => {
  const headers = once === undefined ? {} : { "idempotency-key": once }
  const reply = await app.call("POST", path, { key, body, headers })
  if (reply.status >= 400) {
    expect(undocumented(await documentOf(app), "POST", path, reply)).toBeUndefined()
  }
  return reply
}

const quote = async () => {
  const body = {
    amount: { currency: "USD", value: 100_000 },
    settlement_currency: "EUR",
    service_id: service,
  }
  const { json, status } = await post("/v1/fx/quotes", body)
  expect(status).toBe(201)
  return json as {
    readonly id: string
    readonly routes: ReadonlyArray<{
      readonly channel: string
      readonly fees: object
      readonly rate: number
      readonly settlement: object
    }>
  }
}

describe("a quote over HTTP", () => {
  test("leaves out a channel on which the amount settles to nothing", async () => {
    const settling = (value: number) =>
      post("/v1/fx/quotes", { amount: { currency: "IDR", value }, settlement_currency: "USD" })
    const { json, status } = await settling(16_400)
    expect(status).toBe(201)
    const routes = json["routes"] as ReadonlyArray<{ settlement: { value: number } }>
    expect(routes.length).toBeGreaterThan(0)
    expect(routes.filter(({ settlement }) => settlement.value === 0)).toEqual([])
    const none = await settling(1)
    expect([none.status, none.json["code"]]).toEqual([400, "INVALID_AMOUNT"])
    const { minimum } = none.json["details"] as { minimum: { value: number } }
    expect((await settling(minimum.value)).status).toBe(201)
    expect((await settling(minimum.value - 1)).status).toBe(400)
  })

  test("becomes one payment, whose retry is the same payment", async () => {
    const { id, routes } = await quote()
    const [best] = routes
    expect(routes.map(({ channel }) => channel)).toEqual(["wallet_a", "wallet_f"])
    const body = { quote_id: id, service_id: service, description: "Seven days" }
    const made = await post("/v1/fx/routes", body, "route-1")
    expect([made.status, made.json["channel"]]).toEqual([201, "wallet_a"])
    expect(made.json["settlement"]).toEqual({ ...best?.settlement, rate: best?.rate })
    expect(made.json).not.toHaveProperty("fees")

    const again = await post("/v1/fx/routes", body, "route-1")
    expect(again.text).toBe(made.text)
    const used = await post("/v1/fx/routes", body, "route-2")
    expect([used.status, used.json["code"]]).toEqual([409, "QUOTE_USED"])
    expect(used.json["details"]).toMatchObject({ payment_intent: made.json["id"] })

    const path = `/v1/payment-intents/${String(made.json["id"])}`
    const seen = async (key: string) => (await app.call("GET", path, { key })).json
    expect((await seen(app.seller.api_key.key))["fees"]).toEqual(best?.fees)
    expect(await seen(app.buyer.api_key.key)).not.toHaveProperty("fees")
  })

  test("is nobody else's, and has an end", async () => {
    const { id } = await quote()
    const body = { quote_id: id, service_id: service, description: "Seven days" }
    const theirs = await post("/v1/fx/routes", body, undefined, app.seller.api_key.key)
    expect([theirs.status, theirs.json["code"]]).toEqual([404, "NOT_FOUND"])
    await app.call("POST", "/v1/sandbox/clock/advance", { body: { seconds: 60 } })
    const late = await post("/v1/fx/routes", body)
    expect([late.status, late.json["code"]]).toEqual([409, "QUOTE_EXPIRED"])
  })

  test("goes with its account's data", async () => {
    const { id } = await quote()
    await app.call("POST", "/v1/sandbox/reset", { key: app.buyer.api_key.key, body: {} })
    const body = { quote_id: id, service_id: service, description: "Seven days" }
    const gone = await post("/v1/fx/routes", body)
    expect([gone.status, gone.json["code"]]).toEqual([404, "NOT_FOUND"])
  })

  test.each([
    [{ amount: { currency: "USD", value: 0 } }, 400, "INVALID_AMOUNT"],
    [{ amount: { currency: "USD", value: 1.5 } }, 400, "INVALID_AMOUNT"],
    [{ amount: undefined }, 400, "INVALID_AMOUNT"],
    [{ settlement_currency: "euro" }, 422, "INVALID_REQUEST"],
    [{ settlement_currency: undefined }, 422, "MISSING_REQUIRED_FIELD"],
    [{ settlement_currency: "USD" }, 422, "INVALID_REQUEST"],
    [{ channels: [] }, 422, "INVALID_REQUEST"],
    [{ channels: ["wallet_a", "wallet_a"] }, 422, "INVALID_REQUEST"],
    [{ channels: ["wallet_z"] }, 422, "UNSUPPORTED_CHANNEL"],
    [{ channels: "wallet_a" }, 422, "INVALID_REQUEST"],
    [{ payer: "somebody" }, 400, "INVALID_PAYER"],
    [{ service_id: "no" }, 404, "NOT_FOUND"],
  ])("with %j is refused with %i %s", async (said, status, code) => {
    const body = {
      amount: { currency: "USD", value: 500 },
      settlement_currency: "EUR",
      service_id: service,
      ...said,
    }
    const reply = await post("/v1/fx/quotes", body)
    expect([reply.status, reply.json["code"]]).toEqual([status, code])
  })
})
