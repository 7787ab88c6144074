import { request } from "node:http"
import { connect } from "node:net"
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest"
import { makeGuard } from "../../../adapters/mcp/guard.ts"
import { activeService, aManifest, type App, startApp } from "../../support/app.ts"

let app: App
let service: string
beforeAll(async () => {
  app = await startApp({
    mcp: {
      sessions: { most: 3, mostOfHolder: 3, idleFor: 60_000, longest: 600_000 },
      subscriptions: 4,
    },
  })
  service = await activeService(app)
})
afterAll(() => app.stop())

type Headers = { readonly [name: string]: string }

interface Answer {
  readonly status: number
  readonly headers: { readonly [name: string]: string | ReadonlyArray<string> | undefined }
  readonly text: string
}

/** A request exactly as it is said, with any `Host`. */
const send = (
  method: string,
  body: string | Buffer | undefined,
  headers: Headers = {},
  path = "/mcp",
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const json = { "content-type": "application/json" }
    const all = { ...(body !== undefined && json), ...headers }
    const sent = request({ host: "127.0.0.1", port: app.port, method, path, headers: all })
    sent.on("error", reject)
    sent.on("response", (answer) => {
      let text = ""
      answer.setEncoding("utf8").on("data", (part: string) => (text += part))
      answer.on("end", () => {
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text })
      })
    })
    sent.end(body)
  })

const LIST = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" })

const callOf = (said: object = {}) =>
  JSON.stringify({
    jsonrpc: "2.0",
    id: 7,
    method: "tools/call",
    params: { name: `${service}__pay_one_time`, arguments: { manifest_id: service, ...said } },
  })

const key = () => ({ authorization: `Bearer ${app.buyer.api_key.key}` })

const errorOf = ({ text }: Answer) =>
  (JSON.parse(text) as { readonly error: { readonly code: number; readonly data?: object } }).error

describe("where a request was meant for", () => {
  const guard = makeGuard("https://pay.example:8443/api", "0.0.0.0")
  const rows: ReadonlyArray<readonly [string | undefined, string | undefined, boolean]> = [
    ["pay.example", undefined, true],
    ["PAY.example:8443", undefined, true],
    ["localhost:4020", undefined, true],
    ["127.0.0.1", undefined, true],
    ["[::1]:4020", undefined, true],
    ["pay.example", "https://pay.example", true],
    ["pay.example", "https://pay.example:8443", true],
    [undefined, undefined, false],
    ["", undefined, false],
    ["evil.example", undefined, false],
    ["pay.example.evil.example", undefined, false],
    ["evil.example:4020", undefined, false],
    ["localhost.evil.example", undefined, false],
    ["evil@localhost", undefined, false],
    ["localhost:4020:80", undefined, false],
    ["localhost/", undefined, false],
    ["127.0.0.2", undefined, false],
    ["192.168.1.7:4020", undefined, false],
    ["pay.example", "https://evil.example", false],
    ["pay.example", "null", false],
    ["pay.example", "", false],
    ["pay.example", "https://pay.example@evil.example", false],
    ["pay.example", "https://pay.example.evil.example", false],
    ["pay.example", "chrome-extension://pay.example", false],
    ["localhost", "file://localhost", false],
  ]
  it.each(rows)("host %j, origin %j: %s", (host, origin, passes) => {
    expect(guard({ host, origin }) === undefined).toBe(passes)
  })

  it("an IPv6 address that is listened on counts", () => {
    expect(
      makeGuard("http://a.example", "fd00::1")({ host: "[fd00::1]:4020", origin: undefined }),
    ).toBeUndefined()
  })

  it.each<Headers>([
    { host: "evil.example" },
    { host: "evil.example", origin: "http://evil.example" },
    { origin: "http://evil.example" },
    { origin: "null" },
  ])("comes before everything else: %j", async (headers) => {
    const large = "x".repeat(1_000_000)
    for (const [method, body] of [
      ["POST", LIST],
      ["POST", large],
      ["GET", undefined],
      ["PUT", "{}"],
    ] as const) {
      const answer = await send(method, body, { ...key(), ...headers })
      expect(answer.status).toBe(403)
      expect(errorOf(answer).data).toMatchObject({ code: "FORBIDDEN" })
    }
  })

  it("is this machine by any of its names, or the service's public address", async () => {
    for (const host of ["localhost", `127.0.0.1:${app.port}`, "[::1]:80", "payport.test"]) {
      expect((await send("POST", LIST, { host })).status).toBe(200)
      expect((await send("POST", LIST, { host, origin: `http://${host}` })).status).toBe(200)
    }
  })
})

describe("what a POST may hold", () => {
  const deep = `${'{"a":'.repeat(40)}1${"}".repeat(40)}`
  const rows: ReadonlyArray<readonly [string, string | Buffer, number, number]> = [
    ["nothing", "", 400, -32_700],
    ["no JSON", "{", 400, -32_700],
    ["no object", "7", 400, -32_700],
    ["a batch", `[${LIST}]`, 400, -32_600],
    ["an empty batch", " []", 400, -32_600],
    ["bytes that are no UTF-8", Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]), 400, -32_700],
    ["a key that reaches for a prototype", '{"__proto__":{}}', 400, -32_700],
    [
      "a NUL",
      '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"\\u0000"}}',
      400,
      -32_700,
    ],
    ["depth", `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":${deep}}`, 400, -32_700],
    ["no message", '{"hello":"world"}', 400, -32_600],
    ["too much", `{"a":"${"x".repeat(70_000)}"}`, 413, -32_000],
  ]
  it.each(rows)("%s is refused", async (_, body, status, code) => {
    const answer = await send("POST", body)
    expect(answer.status).toBe(status)
    expect(errorOf(answer).code).toBe(code)
    expect(answer.headers["x-request-id"]).toMatch(/^req_/)
  })

  it("is JSON, plain", async () => {
    const types = ["text/plain", "application/jsonp", "application/json; charset=latin1", ""]
    for (const type of types) {
      expect((await send("POST", LIST, { "content-type": type })).status).toBe(415)
    }
    expect((await send("POST", LIST, { "content-encoding": "gzip" })).status).toBe(415)
    expect(
      (await send("POST", LIST, { "content-type": "Application/JSON; charset=UTF-8" })).status,
    ).toBe(200)
  })

  it("does not go on for ever", async () => {
    const impatient = await startApp({ headersTimeout: 1_000, requestTimeout: 2_000 })
    onTestFinished(impatient.stop)
    const socket = connect(impatient.port, "127.0.0.1")
    onTestFinished(() => void socket.destroy())
    socket.on("error", () => undefined)
    let answered = ""
    socket.setEncoding("utf8").on("data", (text: string) => (answered += text))
    socket.write(
      "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n" +
        "Transfer-Encoding: chunked\r\n\r\n",
    )
    const chunk = `4000\r\n${"x".repeat(0x4000)}\r\n`
    const pouring = setInterval(() => socket.writable && socket.write(chunk), 5)
    onTestFinished(() => clearInterval(pouring))
    await expect.poll(() => answered).toContain("413 ")
    await expect.poll(() => socket.closed).toBe(true)
  })

  it("comes by POST; what else there is is said", async () => {
    for (const method of ["PUT", "PATCH", "OPTIONS", "HEAD"]) {
      const answer = await send(method, undefined)
      expect([answer.status, answer.headers["allow"]]).toEqual([405, "POST, GET, DELETE"])
    }
    expect((await send("GET", undefined)).status).toBe(405)
    expect((await send("GET", undefined, {}, "/mcp/more")).status).toBe(404)
  })
})

describe("who may call", () => {
  it("nobody without a key, and the answer says where to read on", async () => {
    const keyless = await send("POST", callOf())
    const wrong = await send("POST", callOf(), { authorization: "Bearer ag_sk_test_x" })
    const basic = await send("POST", callOf(), { authorization: "Basic abc" })
    const metadata = "http://payport.test/.well-known/oauth-protected-resource/mcp"
    expect([keyless.status, wrong.status, basic.status]).toEqual([401, 401, 401])
    expect(keyless.headers["www-authenticate"]).toBe(`Bearer resource_metadata="${metadata}"`)
    expect(wrong.headers["www-authenticate"]).toBe(
      `Bearer error="invalid_token", resource_metadata="${metadata}"`,
    )
    expect(errorOf(keyless)).toMatchObject({ data: { code: "UNAUTHORIZED" } })
    expect(errorOf(wrong)).toMatchObject({ data: { code: "INVALID_API_KEY" } })
    expect(JSON.parse(keyless.text)).toMatchObject({ jsonrpc: "2.0", id: 7 })
  })

  it("is not asked of a list, whatever is sent along", async () => {
    expect((await send("POST", LIST, { authorization: "Bearer nonsense" })).status).toBe(200)
  })

  it.each(["/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/mcp"])(
    "%s says how",
    async (path) => {
      const answer = await send("GET", undefined, {}, path)
      expect(answer.status).toBe(200)
      expect(JSON.parse(answer.text)).toMatchObject({
        resource: "http://payport.test/mcp",
        bearer_methods_supported: ["header"],
      })
      expect((await send("HEAD", undefined, {}, path)).text).toBe("")
      expect((await send("POST", "{}", {}, path)).status).toBe(405)
    },
  )

  it("is never told in the log", async () => {
    await send("POST", callOf({ metadata: { a: 1 } }), key())
    await expect.poll(() => app.lines.join()).toContain('"rpc_method":"tools/call"')
    expect(app.lines.join("\n")).not.toContain(app.buyer.api_key.key)
  })
})

const initialize = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "test", version: "1" },
  },
})

const openSession = async (headers: Headers = {}): Promise<string> => {
  const answer = await send("POST", initialize, headers)
  expect(answer.status).toBe(200)
  return String(answer.headers["mcp-session-id"])
}

const inSession = (session: string, body = LIST, headers: Headers = {}) =>
  send("POST", body, { "mcp-session-id": session, ...headers })

describe("sessions", () => {
  it("are bounded in number, and strangers' go first", async () => {
    const mine = await openSession()
    expect((await inSession(mine, callOf(), key())).status).toBe(200)
    const flood: Array<string> = []
    for (let n = 0; n < 50; n++) flood.push(await openSession())
    expect((await inSession(mine, LIST, key())).status).toBe(200)
    const alive = await Promise.all(flood.map(async (one) => (await inSession(one)).status))
    expect(alive.filter((status) => status === 200).length).toBeLessThanOrEqual(2)
    expect(alive.filter((status) => status === 404).length).toBeGreaterThanOrEqual(48)
  })

  it("belong to the key that they were used with", async () => {
    const session = await openSession(key())
    const other = { authorization: `Bearer ${app.seller.api_key.key}` }
    const remove = (headers: Headers) =>
      send("DELETE", undefined, { "mcp-session-id": session, ...headers })
    expect((await inSession(session, LIST, other)).status).toBe(404)
    expect((await inSession(session)).status).toBe(404)
    expect((await remove(other)).status).toBe(404)
    expect((await inSession(session, LIST, key())).status).toBe(200)
    expect((await remove(key())).status).toBe(200)
  })

  it("that nobody opened are not found, and closed ones neither", async () => {
    for (const made of ["x", "../..", "0".repeat(500)]) {
      expect((await inSession(made)).status).toBe(404)
    }
    const session = await openSession()
    const remove = await send("DELETE", undefined, { "mcp-session-id": session })
    expect(remove.status).toBe(200)
    expect((await inSession(session)).status).toBe(404)
  })

  it("are no right to call", async () => {
    const session = await openSession(key())
    expect((await inSession(session, callOf(), key())).status).toBe(200)
    expect((await inSession(session, callOf())).status).toBe(401)
  })

  it("are not left behind by an initialize that is refused", async () => {
    const bad = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params: {} })
    const answer = await send("POST", bad)
    expect(answer.headers["mcp-session-id"]).toBeUndefined()
    expect(answer.text).not.toContain("at ")
  })
})

const modern = (method: string, params: object, headers: Headers = {}) =>
  send(
    "POST",
    JSON.stringify({
      jsonrpc: "2.0",
      id: 3,
      method,
      params: {
        ...params,
        _meta: {
          "io.modelcontextprotocol/protocolVersion": "2026-07-28",
          "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
          "io.modelcontextprotocol/clientCapabilities": {},
        },
      },
    }),
    { "mcp-protocol-version": "2026-07-28", "mcp-method": method, ...headers },
  )

describe("revision 2026-07-28", () => {
  const resultOf = ({ text }: Answer) =>
    (JSON.parse(text) as { readonly result: { readonly [name: string]: unknown } }).result

  it("discovers the service", async () => {
    expect(resultOf(await modern("server/discover", {}))).toMatchObject({
      resultType: "complete",
      supportedVersions: ["2026-07-28"],
      capabilities: { tools: { listChanged: true } },
      cacheScope: "public",
    })
  })

  it("lists with what a cache has to know", async () => {
    const result = resultOf(await modern("tools/list", {}))
    expect(result).toMatchObject({ resultType: "complete", ttlMs: 0, cacheScope: "public" })
    expect(result["tools"]).toHaveLength(1)
  })

  it("holds headers against the body", async () => {
    const wrong = await modern("tools/list", {}, { "mcp-method": "tools/call" })
    expect([wrong.status, errorOf(wrong).code]).toEqual([400, -32_020])
    const call = { name: `${service}__pay_one_time`, arguments: { manifest_id: service } }
    const named = await modern("tools/call", call, { ...key(), "mcp-name": "another" })
    expect([named.status, errorOf(named).code]).toEqual([400, -32_020])
    const paid = await modern("tools/call", call, { ...key(), "mcp-name": call.name })
    // No stream: it comes as a whole.
    expect(paid.headers["content-length"]).toBe(String(Buffer.byteLength(paid.text)))
    expect(resultOf(paid)).toMatchObject({ structuredContent: { status: "pending" } })
  })

  it("needs a key for a call", async () => {
    const call = { name: `${service}__pay_one_time`, arguments: { manifest_id: service } }
    expect((await modern("tools/call", call, { "mcp-name": call.name })).status).toBe(401)
  })

  it("takes so many listeners and no more", async () => {
    const listen = (headers: Headers = {}) => {
      const sent = request({
        host: "127.0.0.1",
        port: app.port,
        method: "POST",
        path: "/mcp",
        headers: {
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          "mcp-protocol-version": "2026-07-28",
          "mcp-method": "subscriptions/listen",
          ...headers,
        },
      })
      onTestFinished(() => void sent.destroy())
      sent.on("error", () => undefined)
      const said: Array<string> = []
      sent.on("response", (answer) => {
        answer.setEncoding("utf8").on("data", (text: string) => said.push(text))
        answer.on("error", () => undefined)
      })
      sent.end(
        JSON.stringify({
          jsonrpc: "2.0",
          id: 1,
          method: "subscriptions/listen",
          params: {
            notifications: { toolsListChanged: true },
            _meta: {
              "io.modelcontextprotocol/protocolVersion": "2026-07-28",
              "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
              "io.modelcontextprotocol/clientCapabilities": {},
            },
          },
        }),
      )
      return said
    }
    const [one, two] = [listen(), listen()]
    for (const said of [one, two]) {
      await expect.poll(() => said.join("")).toContain("acknowledged")
    }
    // Callers without a key may use half of the streams, whatever they send as a key.
    const nonsense = { authorization: "Bearer nonsense" }
    for (const stranger of [listen(), listen(nonsense)]) {
      await expect.poll(() => stranger.join("")).toContain("without a key are listening")
    }
    for (const said of [listen(key()), listen(key())]) {
      await expect.poll(() => said.join("")).toContain("acknowledged")
    }
    const fifth = listen(key())
    await expect.poll(() => fifth.join("")).toContain("Subscription limit reached")
    // A change that leaves the tools unchanged notifies no stream. A change of the tools notifies
    // both.
    await app.call("POST", "/v1/services", { body: aManifest({ name: "Only a draft" }) })
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    expect(one.join("")).not.toContain("list_changed")
    await activeService(app, { name: "Not only a draft" })
    for (const said of [one, two]) {
      await expect.poll(() => said.join("")).toContain("notifications/tools/list_changed")
    }
  })
})
