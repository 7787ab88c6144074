import { once } from "node:events"
import { connect, type Socket } from "node:net"
import { afterEach, describe, expect, test } from "vitest"
import { AddressGate } from "../../adapters/shared/addresses/AddressGate.ts"
import { networksOf } from "../../adapters/shared/addresses/ClientAddress.ts"
import { ADMIN_KEY, type AppOptions, startApp } from "../support/app.ts"

/** No token is refilled within a test: that takes an hour. */
const LIMITS = { perSecond: 1 / 3_600, burst: 10, mostAddresses: 100 }

let app: Awaited<ReturnType<typeof startApp>>
const start = async (proxies: ReadonlyArray<string> = [], options: AppOptions = {}) => {
  const gate = new AddressGate({ limits: LIMITS, proxies: networksOf(proxies) })
  app = await startApp({ gate, ...options })
}
afterEach(() => app.stop())

type Said = Parameters<typeof app.call>[2]

const statuses = async (times: number, method: string, path: string, said: Said) => {
  const found: Array<number> = []
  for (let n = 0; n < times; n++) found.push((await app.call(method, path, said)).status)
  return found
}

const list = { jsonrpc: "2.0", id: 1, method: "tools/list" }
const mcp = { accept: "application/json, text/event-stream" }

const count = (found: ReadonlyArray<number>, status: number) =>
  found.filter((one) => one === status).length

const NONE = { key: null }

/** A request that the console's own page could make, with a cookie that is none. */
const fromConsole = (said: Said = {}, cookie = "payport_console=abc"): Said => ({
  key: null,
  ...said,
  headers: { "x-payport-console": "1", "sec-fetch-site": "same-origin", cookie },
})

describe("what needs no key", () => {
  test.each<[name: string, method: string, path: string, usual: number, said: Said]>([
    ["the document", "GET", "/openapi.json", 200, { key: null }],
    ["the document, with any key", "GET", "/openapi.json", 200, { key: "junk" }],
    ["what is not there", "GET", "/v1/nothing", 404, { key: null }],
    ["the list of tools", "POST", "/mcp", 200, { key: null, body: list, headers: mcp }],
    ["the metadata", "GET", "/.well-known/oauth-protected-resource", 200, { key: null }],
    ["the session before one is begun", "GET", "/console/session", 204, fromConsole({}, "a=b")],
    ["no key to sign in with", "POST", "/console/session", 422, fromConsole({ body: { key: "" } })],
    ["the end of a session that is none", "DELETE", "/console/session", 204, fromConsole()],
    ["a method that no program uses", "PUT", "/oauth/token", 405, { key: null }],
    ["a method that metadata lacks", "POST", "/.well-known/oauth-authorization-server", 405, NONE],
  ])("is limited by address: %s", async (_name, method, path, usual, said) => {
    await start()
    const found = await statuses(15, method, path, said)
    expect([count(found, usual), count(found, 429)]).toEqual([10, 5])
    const { headers, text } = await app.call(method, path, said)
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0)
    expect(text).toMatch(/"RATE_LIMIT_EXCEEDED"|"temporarily_unavailable"/)
    // Keys and probes go on.
    expect((await app.call("GET", "/v1/services")).status).toBe(200)
    expect(count(await statuses(15, "GET", "/healthz", { key: null }), 200)).toBe(15)
  })
})

describe("wrong keys", () => {
  test.each<[name: string, method: string, path: string, usual: number, said: Said]>([
    ["an account's", "GET", "/v1/services", 401, { key: "sk_test_wrong" }],
    ["none where one is needed", "GET", "/v1/services", 401, { key: null }],
    ["the operator's", "POST", "/v1/accounts", 401, { key: "wrong", body: {} }],
    ["for what is not there", "GET", "/v1/nothing", 404, { key: "sk_test_wrong" }],
    ["an agent's", "POST", "/mcp", 200, { key: "wrong", body: list, headers: mcp }],
    ["a channel's", "POST", "/v1/webhooks/channel/wallet_a", 401, { key: null, body: {} }],
    ["of no channel", "POST", "/v1/webhooks/channel/none", 404, { key: "any", body: {} }],
  ])("cost double: %s", async (_name, method, path, usual, said) => {
    await start()
    const found = await statuses(8, method, path, said)
    expect([count(found, usual), count(found, 429)]).toEqual([5, 3])
  })

  test("lock out no key of their address that was right before", async () => {
    await start()
    expect((await app.call("GET", "/v1/services")).status).toBe(200)
    await statuses(20, "GET", "/v1/services", { key: "sk_test_wrong" })
    expect((await app.call("GET", "/v1/services")).status).toBe(200)
    expect((await app.call("GET", "/v1/accounts", { key: ADMIN_KEY })).status).toBe(429)
  })
})

describe("the address", () => {
  const from = (address: string) => ({ key: null, headers: { "x-forwarded-for": address } })

  test("is what a trusted proxy says", async () => {
    await start(["127.0.0.0/8"])
    expect(count(await statuses(15, "GET", "/openapi.json", from("198.51.100.1")), 200)).toBe(10)
    expect(count(await statuses(15, "GET", "/openapi.json", from("198.51.100.2")), 200)).toBe(10)
    const spoofed = from("203.0.113.5, 198.51.100.1")
    expect((await app.call("GET", "/openapi.json", spoofed)).status).toBe(429)
  })

  test("is not what anybody else says", async () => {
    await start()
    await statuses(10, "GET", "/openapi.json", from("198.51.100.1"))
    expect((await app.call("GET", "/openapi.json", from("198.51.100.2"))).status).toBe(429)
  })
})

describe("connections", () => {
  const open = async (): Promise<Socket> => {
    const socket = connect(app.port, "127.0.0.1")
    socket.on("error", () => undefined)
    await once(socket, "connect")
    return socket
  }

  test("that send nothing are closed", async () => {
    await start([], { connections: { silentFor: 30 } })
    const sockets = await Promise.all([open(), open(), open()])
    await Promise.all(sockets.map((socket) => once(socket, "close")))
  })

  test("of one address are closed beyond its share, and room comes back", async () => {
    await start([], { connections: { mostOfAddress: 3 } })
    const [first, ...others] = [await open(), await open(), await open()]
    await once(await open(), "close")
    first.destroy()
    await once(first, "close")
    await expect
      .poll(async () => (await app.call("GET", "/healthz", { key: null })).status)
      .toBe(200)
    for (const socket of others) socket.destroy()
  })

  test("of a trusted proxy have no share", async () => {
    await start(["127.0.0.1"], { connections: { mostOfAddress: 1 } })
    const sockets = [await open(), await open()]
    expect((await app.call("GET", "/healthz", { key: null })).status).toBe(200)
    for (const socket of sockets) socket.destroy()
  })
})
