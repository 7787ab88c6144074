import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { type App, startApp } from "../../../support/app.ts"
import { request, sendRaw } from "../../../support/rawHttp.ts"

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.stop())

const authorized = () => ({ Authorization: `Bearer ${app.seller.api_key.key}` })
const json = () => ({ ...authorized(), "Content-Type": "application/json" })

const post = (body: string | Uint8Array, headers: { readonly [name: string]: string } = {}) =>
  sendRaw(app.port, request("POST /v1/services", { ...json(), ...headers }, body))

const fieldsOf = (body: string) =>
  JSON.parse(body) as { readonly code?: unknown; readonly field?: unknown }

const codeOf = (body: string): unknown => fieldsOf(body).code

describe("the body of a request", () => {
  test.each([
    ["a form", { "Content-Type": "application/x-www-form-urlencoded" }],
    ["text", { "Content-Type": "text/plain" }],
    ["no type", { "Content-Type": "" }],
    ["JSON in another character set", { "Content-Type": "application/json; charset=latin1" }],
    ["a type that only begins like JSON", { "Content-Type": "application/jsonp" }],
    ["a compressed body", { "Content-Encoding": "gzip" }],
    ["an identity encoding", { "Content-Encoding": "identity" }],
  ])("is refused with 415 as %s", async (_name, headers) => {
    const reply = await post("{}", headers)
    expect([reply.status, codeOf(reply.body)]).toEqual([415, "UNSUPPORTED_MEDIA_TYPE"])
  })

  test.each([
    "application/json",
    "Application/JSON",
    "application/json;charset=utf-8",
    `application/json; charset="UTF-8"`,
    "application/vnd.payport+json",
  ])("is read as %s", async (type) => {
    const reply = await post("{}", { "Content-Type": type })
    expect([reply.status, codeOf(reply.body)]).toEqual([422, "MISSING_REQUIRED_FIELD"])
  })

  test("is refused by its announced length before it is sent", async () => {
    const reply = await sendRaw(
      app.port,
      request("POST /v1/services", { ...json(), "Content-Length": "65537" }),
      { untilClosed: true },
    )
    expect([reply.status, codeOf(reply.body), reply.closed]).toEqual([
      413,
      "PAYLOAD_TOO_LARGE",
      true,
    ])
    expect(reply.head).toMatch(/^connection: close$/im)
  })

  test("in chunks is refused at the first byte over the limit", async () => {
    const chunk = `8000\r\n${"x".repeat(0x8000)}\r\n`
    const reply = await sendRaw(
      app.port,
      [
        ...request("POST /v1/services", { ...json(), "Transfer-Encoding": "chunked" }),
        chunk,
        chunk,
        "1\r\nx\r\n",
      ],
      { untilClosed: true },
    )
    expect([reply.status, codeOf(reply.body)]).toEqual([413, "PAYLOAD_TOO_LARGE"])
  })

  test("of exactly the limit is read", async () => {
    const body = `{"name":"${"n".repeat(65_536 - 11)}"}`
    expect(body).toHaveLength(65_536)
    const reply = await post(body)
    expect([reply.status, codeOf(reply.body)]).toEqual([422, "MISSING_REQUIRED_FIELD"])
  })

  test("is answered with 413 while the caller goes on sending", async () => {
    const reply = await sendRaw(
      app.port,
      [
        ...request("POST /v1/services", { ...json(), "Content-Length": String(8_000_000) }),
        Buffer.alloc(8_000_000, "x"),
      ],
      { untilClosed: true },
    )
    expect(reply.status).toBe(413)
  })

  test("is not read from a caller without a key", async () => {
    const reply = await sendRaw(app.port, [
      ...request("POST /v1/services", { "Content-Type": "text/plain", "Content-Length": "10" }),
    ])
    expect([reply.status, codeOf(reply.body)]).toEqual([401, "UNAUTHORIZED"])
    expect(reply.head).toMatch(/^www-authenticate: bearer$/im)
  })

  test("may be absent where every field is optional, and only there", async () => {
    const optional = await sendRaw(app.port, request("POST /v1/api-keys", authorized()))
    const needed = await sendRaw(app.port, request("POST /v1/services", authorized()))
    expect(optional.status).toBe(201)
    expect([needed.status, codeOf(needed.body)]).toEqual([400, "INVALID_JSON"])
  })

  test("that is broken off leaves nothing behind", async () => {
    const reply = await sendRaw(
      app.port,
      [...request("POST /v1/services", { ...json(), "Content-Length": "1000" }), `{"name":`],
      { within: 200 },
    )
    expect(reply.status).toBe(0)
    expect((await app.call("GET", "/healthz")).status).toBe(200)
  })

  test("leaves the connection usable after a refusal", async () => {
    const bad = request("POST /v1/services", json(), "{")
    const good = request("GET /healthz", {})
    const reply = await sendRaw(app.port, [...bad, ...good], { until: '{"status":"ok"}' })
    expect(reply.head).toContain("400 Bad Request")
    expect(reply.body).toContain("HTTP/1.1 200 OK")
  })
})

describe("where a request goes", () => {
  const status = async (line: string) => {
    const reply = await sendRaw(app.port, request(line, authorized()))
    return [reply.status, reply.body === "" ? "" : codeOf(reply.body)]
  }

  test.each([
    "GET /",
    "GET /v1",
    "GET /v1/nothing",
    "GET /v1/services/",
    "GET //v1/services",
    "GET /V1/services",
    "GET /v1/services/%",
    "GET /v1/services/%zz",
    "GET /v1/services/%FF",
    "GET /v1/services/a%00b",
    "GET /v1/services/%E2%80%AE",
    `GET /v1/services/${"a".repeat(200)}`,
    "GET /v1/services/..%2f..%2fetc",
    "GET /v1/payment-intents/pi_1",
    "GET /v1/payment-intents/pi_01997d3e-8a00-7000-8000-000000000020",
    "GET *",
  ])("%s is 404", async (line) => {
    expect(await status(line)).toEqual([404, "NOT_FOUND"])
  })

  test.each([
    ["PUT /v1/services", "GET, HEAD, POST"],
    ["DELETE /v1/payment-intents/pi_1/capture", "POST"],
    ["OPTIONS /v1/services/x/activate", "PATCH"],
    ["BREW /healthz", ""],
    ["PROPFIND /healthz", "GET, HEAD"],
    ["POST /v1/services/x", "GET, HEAD, DELETE"],
  ])("%s is 405 with what is allowed", async (line, allow) => {
    const reply = await sendRaw(app.port, request(line, authorized()))
    if (allow === "") {
      expect(reply.status).toBe(400)
      return
    }
    expect([reply.status, codeOf(reply.body)]).toEqual([405, "METHOD_NOT_ALLOWED"])
    expect(reply.head).toContain(`Allow: ${allow}\r\n`)
  })

  test("a proxy's absolute target is understood", async () => {
    expect(await status("GET http://payport.test/healthz")).toEqual([200, undefined])
  })

  test("HEAD has the head of GET and no body", async () => {
    const reply = await sendRaw(app.port, request("HEAD /healthz", { Connection: "close" }), {
      untilClosed: true,
    })
    expect([reply.status, reply.body]).toEqual([200, ""])
    expect(reply.head).toMatch(/^content-length: 15$/im)
  })
})

describe("the head of an answer", () => {
  test("names the request as the caller does, or anew", async () => {
    const named = await app.call("GET", "/nothing", { headers: { "x-request-id": "my-request~1" } })
    const long = await app.call("GET", "/nothing", { headers: { "x-request-id": "x".repeat(129) } })
    const blank = await app.call("GET", "/nothing", { headers: { "x-request-id": "two words" } })
    expect(named.headers.get("x-request-id")).toBe("my-request~1")
    expect(long.headers.get("x-request-id")).toMatch(/^req_[0-9a-f-]{36}$/)
    expect(blank.headers.get("x-request-id")).toMatch(/^req_[0-9a-f-]{36}$/)
  })

  test("forbids keeping, and does not say what serves", async () => {
    const { headers } = await app.call("GET", "/healthz")
    expect(headers.get("cache-control")).toBe("no-store")
    expect(headers.get("x-powered-by")).toBeNull()
    expect(headers.get("server")).toBeNull()
  })

  test.each([
    ["an empty one", ""],
    ["one of 256 characters", "k".repeat(256)],
    ["one with a blank", "a b"],
    ["one beyond ASCII", "schl\u00fcssel"],
  ])("an Idempotency-Key is checked: %s", async (_name, key) => {
    const reply = await sendRaw(
      app.port,
      request("POST /v1/api-keys", { ...authorized(), "Idempotency-Key": key }),
    )
    expect([reply.status, codeOf(reply.body)]).toEqual([422, "INVALID_REQUEST"])
    expect(fieldsOf(reply.body).field).toBe("Idempotency-Key")
  })

  test("an Idempotency-Key is echoed, on refusals too", async () => {
    const key = "~".repeat(255)
    const headers = { "idempotency-key": key }
    const made = await app.call("POST", "/v1/api-keys", { headers })
    const refused = await app.call("POST", "/v1/services", { headers, body: {} })
    expect(made.headers.get("idempotency-key")).toBe(key)
    expect(refused.headers.get("idempotency-key")).toBe(key)
    expect(
      (await app.call("GET", "/v1/api-keys", { headers })).headers.get("idempotency-key"),
    ).toBeNull()
  })
})
