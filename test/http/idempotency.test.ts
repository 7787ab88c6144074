import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { activeService, ADMIN_KEY, type App, startApp } from "../support/app.ts"

let app: App
let service: string
let buyer: string
beforeAll(async () => {
  app = await startApp()
  service = await activeService(app)
  buyer = app.buyer.api_key.key
})
afterAll(() => app.stop())

const intent = (said: object = {}) => ({
  service_id: service,
  type: "one_time",
  amount: { currency: "USD", value: 699 },
  description: "A report",
  ...said,
})

const create = (key: string, body: unknown = intent(), caller = buyer) =>
  app.call("POST", "/v1/payment-intents", {
    key: caller,
    body,
    headers: { "idempotency-key": key },
  })

const count = async () =>
  ((await app.call("GET", "/v1/payment-intents?limit=100")).json["data"] as Array<unknown>).length

describe("a request that is repeated with its key", () => {
  test("gets the first answer, byte for byte, and has no second effect", async () => {
    const before = await count()
    const first = await create("again")
    const second = await create("again")
    expect([first.status, second.status]).toEqual([201, 201])
    expect(second.text).toBe(first.text)
    expect(first.headers.get("idempotent-replayed")).toBeNull()
    expect(second.headers.get("idempotent-replayed")).toBe("true")
    expect(second.headers.get("idempotency-key")).toBe("again")
    expect(second.headers.get("x-request-id")).not.toBe(first.headers.get("x-request-id"))
    expect(await count()).toBe(before + 1)
  })

  test("is the same however its JSON is written", async () => {
    const first = await create(
      "spelling",
      `{"b":1,"service_id":"${service}","type":"one_time",
      "amount":{"value":699,"currency":"USD"},"description":"A report"}`,
    )
    const second = await create(
      "spelling",
      `{"type":"one_time","description":"\\u0041 report",
      "service_id":"${service}","amount":{"currency":"USD","value":6.99e2},"b":1}`,
    )
    expect(second.text).toBe(first.text)
    expect(second.headers.get("idempotent-replayed")).toBe("true")
  })

  test("makes one payment of fifty at once", async () => {
    const before = await count()
    const replies = await Promise.all(Array.from({ length: 50 }, () => create("fifty")))
    const made = replies.filter(({ status }) => status === 201)
    expect(made.length).toBeGreaterThan(0)
    expect(new Set(made.map(({ text }) => text)).size).toBe(1)
    for (const { status, json } of replies) {
      if (status === 201) continue
      expect([status, json["code"]]).toEqual([409, "IDEMPOTENCY_KEY_IN_PROGRESS"])
    }
    expect(await count()).toBe(before + 1)
  })

  test("belongs to its account", async () => {
    const theirs = await create("shared", intent(), app.seller.api_key.key)
    const ours = await create("shared")
    expect(ours.json["id"]).not.toBe(theirs.json["id"])
    expect(ours.headers.get("idempotent-replayed")).toBeNull()
  })

  test("works for every kind of POST", async () => {
    const headers = { "idempotency-key": "every" }
    const account = () =>
      app.call("POST", "/v1/accounts", {
        key: ADMIN_KEY,
        body: { name: "x", kind: "buyer", agent_id: "agent-once" },
        headers,
      })
    const key = () => app.call("POST", "/v1/api-keys", { headers })
    for (const make of [account, key]) {
      const [first, second] = [await make(), await make()]
      expect(first.status).toBe(201)
      expect(second.text).toBe(first.text)
      expect(second.headers.get("idempotent-replayed")).toBe("true")
    }
  })
})

describe("a key that is used again for something else", () => {
  test.each([
    ["another body", () => create("taken", intent({ description: "Another report" }))],
    ["an invalid body", () => create("taken", {})],
    [
      "another route",
      () =>
        app.call("POST", "/v1/api-keys", { key: buyer, headers: { "idempotency-key": "taken" } }),
    ],
  ])("is refused: %s", async (_name, again) => {
    await create("taken")
    const reply = await again()
    expect([reply.status, reply.json["code"]]).toEqual([409, "IDEMPOTENCY_KEY_USED"])
  })
})

describe("a refusal", () => {
  test("that would come again is kept: 422", async () => {
    const first = await create("bad", intent({ description: "" }))
    const second = await create("bad", intent({ description: "" }))
    expect([first.status, second.status]).toEqual([422, 422])
    expect(second.text).toBe(first.text)
    expect(second.headers.get("idempotent-replayed")).toBe("true")
  })

  test("that need not come again leaves the key free: 400, 404", async () => {
    const amount = { currency: "USD", value: 0 }
    expect((await create("free", intent({ amount }))).status).toBe(400)
    expect((await create("free", intent({ service_id: "unknown" }))).status).toBe(404)
    const made = await create("free")
    expect([made.status, made.headers.get("idempotent-replayed")]).toEqual([201, null])
  })
})
