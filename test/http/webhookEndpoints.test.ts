import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { ENABLED_NAMES } from "../../core/webhooks/events/Event.ts"
import { type App, startApp } from "../support/app.ts"
import { documentOf, undocumented } from "../support/documented.ts"

let app: App
let buyer: string
beforeAll(async () => {
  app = await startApp({ sandbox: true })
  buyer = app.buyer.api_key.key
})
afterAll(() => app.stop())

const KEY = "hSDwCYkwp1R0i33ctD73Wg2/Og0mOBr066SpjqqbTmo="
const ENDPOINTS = "/v1/webhook-endpoints"
const KEYS = "/v1/merchant/webhook-keys"
const ROTATE = "/v1/merchant/webhook-secrets/rotate"

const endpoint = (said: object = {}) => ({
  url: "https://receiver.example/hooks",
  enabled_events: ["payment_intent.succeeded"],
  ...said,
})

const register = async (said: object = {}, key = app.seller.api_key.key) => {
  const reply = await app.call("POST", ENDPOINTS, { key, body: endpoint(said) })
  expect(reply.status, reply.text).toBe(201)
  return { id: String(reply.json["id"]), secret: String(reply.json["secret"]), shown: reply.json }
}

const documented = async (method: string, path: string, said: object) => {
  const reply = await app.call(method, path, said)
  if (reply.status >= 400) {
    expect(undocumented(await documentOf(app), method, path, reply)).toBeUndefined()
  }
  return reply
}

describe("webhook endpoints", () => {
  test("are created, listed, shown, changed and deleted", async () => {
    const { id, secret, shown } = await register({
      description: "Bookkeeping",
      encryption: { public_key: KEY, key_type: "x25519" },
    })
    const { secret: _, ...endpointShown } = shown
    expect(secret).toMatch(/^whsec_/)
    expect(endpointShown).toMatchObject({
      id: expect.stringMatching(/^we_/),
      url: "https://receiver.example/hooks",
      description: "Bookkeeping",
      enabled_events: ["payment_intent.succeeded"],
      status: "enabled",
      encryption: { key_type: "x25519", enabled: true },
    })
    const read = await documented("GET", `${ENDPOINTS}/${id}`, {})
    expect(read.json).toEqual(endpointShown)
    const listed = await documented("GET", ENDPOINTS, {})
    expect(listed.json).toEqual({ data: [endpointShown], has_more: false })
    const body = { status: "disabled", enabled_events: ["*", "escrow.held"] }
    const changed = await documented("PATCH", `${ENDPOINTS}/${id}`, { body })
    expect(changed.json).toMatchObject({ ...body, disabled_reason: "requested" })
    const deleted = await documented("DELETE", `${ENDPOINTS}/${id}`, {})
    expect([deleted.status, deleted.json]).toEqual([200, { id, deleted: true }])
    expect((await app.call("GET", `${ENDPOINTS}/${id}`)).status).toBe(404)
  })

  test("take every name that there is, and no other", async () => {
    const { shown } = await register({ enabled_events: ["*", ...ENABLED_NAMES] })
    expect(shown["enabled_events"]).toEqual(["*", ...ENABLED_NAMES])
    const wrong = [[], ["payment_intent.*"], ["payment_intent"], ["ping", "ping"], ["PING"], "ping"]
    for (const enabled_events of wrong) {
      const body = endpoint({ enabled_events })
      const { json, status } = await documented("POST", ENDPOINTS, { body })
      expect([status, String(json["field"]).split(".")[0]]).toEqual([422, "enabled_events"])
    }
  })

  test.each([
    [{ url: "http://receiver.example/hooks" }, "INVALID_URL", "url"],
    [{ url: "https://169.254.169.254/latest" }, "INVALID_URL", "url"],
    [{ url: 7 }, "INVALID_URL", "url"],
    [{ url: undefined }, "MISSING_REQUIRED_FIELD", "url"],
    [{ enabled_events: undefined }, "MISSING_REQUIRED_FIELD", "enabled_events"],
    [{ enabled_events: [] }, "INVALID_REQUEST", "enabled_events"],
    [{ description: "a\u0007" }, "INVALID_REQUEST", "description"],
    [{ encryption: { public_key: "AAAA" } }, "INVALID_PUBLIC_KEY", "encryption.public_key"],
    [
      { encryption: { public_key: Buffer.alloc(32).toString("base64") } },
      "INVALID_PUBLIC_KEY",
      "encryption.public_key",
    ],
    [
      { encryption: { public_key: KEY, key_type: "rsa" } },
      "INVALID_REQUEST",
      "encryption.key_type",
    ],
  ])("refuse %j", async (said, code, field) => {
    const { json, status } = await documented("POST", ENDPOINTS, { body: endpoint(said) })
    expect([status, json["code"], json["field"]]).toEqual([422, code, field])
  })

  test("are told that no events at all are wrong, rather than missing", async () => {
    const { id } = await register()
    for (const [method, path] of [
      ["POST", ENDPOINTS],
      ["PATCH", `${ENDPOINTS}/${id}`],
    ] as const) {
      const body = method === "POST" ? endpoint({ enabled_events: [] }) : { enabled_events: [] }
      const { json, status } = await documented(method, path, { body })
      expect([status, json["code"], json["field"]]).toEqual([
        422,
        "INVALID_REQUEST",
        "enabled_events",
      ])
      expect(json["message"]).toContain("enabled_events is not valid")
      expect(json["message"]).not.toContain("required")
    }
  })

  test("of another account read as absent", async () => {
    const { id } = await register()
    for (const [method, body] of [["GET"], ["PATCH", {}], ["DELETE"]] as const) {
      const reply = await documented(method, `${ENDPOINTS}/${id}`, { key: buyer, body })
      expect([reply.status, reply.json["code"]]).toEqual([404, "NOT_FOUND"])
    }
    const body = { reason: "mine now", endpoint_id: id }
    expect((await documented("POST", ROTATE, { key: buyer, body })).status).toBe(404)
  })

  test("are created once under one key, with the same secret", async () => {
    const said = { body: endpoint(), headers: { "idempotency-key": "one-endpoint" } }
    const first = await app.call("POST", ENDPOINTS, said)
    const second = await app.call("POST", ENDPOINTS, said)
    expect(first.status).toBe(201)
    expect(second.text).toBe(first.text)
    expect(second.headers.get("idempotent-replayed")).toBe("true")
  })
})

describe("webhook keys", () => {
  test("are registered, listed newest first and deleted", async () => {
    const said = { public_key: KEY, key_type: "x25519" }
    const one = await documented("POST", KEYS, { body: { ...said, label: "one" } })
    const two = await documented("POST", KEYS, { body: said })
    expect([one.status, Object.keys(one.json)]).toEqual([
      201,
      ["id", "key_type", "fingerprint", "label", "created_at"],
    ])
    const listed = await documented("GET", KEYS, {})
    expect(listed.json).toEqual({ data: [two.json, one.json], has_more: false })
    const path = `${KEYS}/${String(two.json["id"])}`
    expect((await documented("DELETE", path, { key: buyer })).status).toBe(404)
    expect((await documented("DELETE", path, {})).json).toEqual({
      id: two.json["id"],
      deleted: true,
    })
    expect((await documented("DELETE", path, {})).status).toBe(404)
  })

  test.each([
    [{ public_key: undefined }, "MISSING_REQUIRED_FIELD"],
    [{ public_key: "" }, "MISSING_REQUIRED_FIELD"],
    [{ public_key: 32 }, "INVALID_PUBLIC_KEY"],
    [{ public_key: Buffer.alloc(32).toString("base64") }, "INVALID_PUBLIC_KEY"],
    [{ public_key: Buffer.alloc(31, 1).toString("base64") }, "INVALID_PUBLIC_KEY"],
    [{ key_type: "rsa" }, "INVALID_REQUEST"],
    [{ label: "x".repeat(129) }, "INVALID_REQUEST"],
  ])("refuse %j", async (said, code) => {
    const { json, status } = await documented("POST", KEYS, { body: { public_key: KEY, ...said } })
    expect([status, json["code"]]).toEqual([422, code])
  })
})

describe("a rotation", () => {
  test.each([
    [{}, "MISSING_REQUIRED_FIELD"],
    [{ reason: "r", grace_period_seconds: -1 }, "INVALID_REQUEST"],
    [{ reason: "r", grace_period_seconds: 604_801 }, "INVALID_REQUEST"],
    [{ reason: "r", grace_period_seconds: 1.5 }, "INVALID_REQUEST"],
    [{ reason: "r", grace_period_seconds: "60" }, "INVALID_REQUEST"],
    [{ reason: "x".repeat(257) }, "INVALID_REQUEST"],
    [{ reason: "r", endpoint_id: "" }, "INVALID_REQUEST"],
  ])("refuses %j", async (body, code) => {
    const { json, status } = await documented("POST", ROTATE, { body })
    expect([status, json["code"]]).toEqual([422, code])
  })

  test("ends a day later where nothing is said, and is repeated under its key", async () => {
    const shown = async () => (await app.call("GET", "/v1/merchant/webhook-secret")).json["secret"]
    const before = await shown()
    const said = { body: { reason: "yearly" }, headers: { "idempotency-key": "rotate" } }
    const first = await documented("POST", ROTATE, said)
    expect(first.status).toBe(200)
    const { created_at, old_key_expires_at, secret } = first.json
    const grace = Date.parse(String(old_key_expires_at)) - Date.parse(String(created_at))
    expect(grace).toBe(86_400_000)
    expect(await shown()).toBe(secret)
    expect(secret).not.toBe(before)
    expect((await app.call("POST", ROTATE, said)).text).toBe(first.text)
    expect(await shown()).toBe(secret)
  })
})

test("secrets are shown where they are made, by one route and nowhere else", async () => {
  const planted = await register({ encryption: { public_key: KEY } })
  const rotate = async (body: object) => {
    const { json } = await app.call("POST", ROTATE, { body: { reason: "search", ...body } })
    return String(json["secret"])
  }
  const secrets = [
    planted.secret,
    await rotate({ endpoint_id: planted.id }),
    await rotate({ endpoint_id: planted.id }),
    String((await app.call("GET", "/v1/merchant/webhook-secret")).json["secret"]),
    await rotate({}),
  ]
  expect(new Set(secrets).size).toBe(5)
  const paths = [
    ["GET", ENDPOINTS],
    ["GET", `${ENDPOINTS}/${planted.id}`],
    ["PATCH", `${ENDPOINTS}/${planted.id}`],
    ["POST", `${ENDPOINTS}/${planted.id}/test`],
    ["GET", "/v1/webhook-deliveries"],
    ["GET", "/v1/events"],
    ["GET", KEYS],
    ["GET", "/v1/api-keys"],
    ["POST", ROTATE],
    ["GET", "/openapi.json"],
    ["GET", "/metrics"],
    ["DELETE", `${ENDPOINTS}/${planted.id}`],
  ] as const
  const answers: Array<string> = []
  for (const [method, path] of paths) {
    const reply = await app.call(method, path, method === "GET" ? {} : { body: {} })
    answers.push(reply.text)
  }
  const said = [...answers, ...app.lines].join("\n")
  for (const secret of secrets) expect(said).not.toContain(secret)
  expect(said).not.toContain("v1.")
  expect(said).toContain(planted.id)
})
