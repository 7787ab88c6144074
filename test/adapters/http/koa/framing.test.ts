import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest"
import { aManifest, type App, startApp } from "../../../support/app.ts"
import { request, sendRaw } from "../../../support/rawHttp.ts"

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.stop())

/** A server that waits for little. */
const impatient = async () => {
  const own = await startApp({ headersTimeout: 600, requestTimeout: 1_200 })
  onTestFinished(own.stop)
  return own
}

const json = () => ({
  Authorization: `Bearer ${app.seller.api_key.key}`,
  "Content-Type": "application/json",
})

const codeOf = (body: string): unknown => (JSON.parse(body) as { readonly code?: unknown }).code

const POST = "POST / HTTP/1.1\r\nHost: x\r\n"

describe("what is no request", () => {
  test.each([
    ["garbage", "\u0016\u0003\u0001\u0002\u0000\r\n\r\n", 400],
    ["another version", "GET /healthz HTTP/9.9\r\nHost: x\r\n\r\n", 400],
    ["HTTP/2.0", "GET /healthz HTTP/2.0\r\nHost: x\r\n\r\n", 400],
    ["no version", "GET /healthz\r\n\r\n", 400],
    ["no Host", "GET /healthz HTTP/1.1\r\n\r\n", 400],
    ["two hosts", "GET /healthz HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n", 400],
    ["one host twice", "GET /healthz HTTP/1.0\r\nHost: x\r\nhost: x\r\n\r\n", 400],
    ["a host that is none", "GET /healthz HTTP/1.1\r\nHost: x y\r\n\r\n", 400],
    ["a host with a path", "GET /healthz HTTP/1.1\r\nHost: x/y\r\n\r\n", 400],
    ["two keys", `${POST}Authorization: Bearer a\r\nAuthorization: Bearer b\r\n\r\n`, 400],
    ["two media types", `${POST}Content-Type: a/b\r\nContent-Type: c/d\r\n\r\n`, 400],
    ["compressed chunks", `${POST}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`, 400],
    ["chunks of HTTP/1.0", "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400],
    ["a folded header", "GET /healthz HTTP/1.1\r\nHost: x\r\nX: a\r\n b\r\n\r\n", 400],
    ["lengths in a list", `${POST}Content-Length: 1, 1\r\n\r\nx`, 400],
    ["a bad header", "GET /healthz HTTP/1.1\r\nHost: x\r\nbad header: 1\r\n\r\n", 400],
    ["two lengths", `${POST}Content-Length: 1\r\nContent-Length: 2\r\n\r\n`, 400],
    [
      "a length and chunks",
      `${POST}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      400,
    ],
    ["too long a head", `GET / HTTP/1.1\r\nHost: x\r\nX: ${"x".repeat(20_000)}\r\n\r\n`, 431],
    ["too long a path", `GET /${"x".repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431],
  ])("is answered cleanly: %s", async (_name, text, status) => {
    const reply = await sendRaw(app.port, [text], { untilClosed: true })
    expect([reply.status, reply.closed]).toEqual([status, true])
    expect(codeOf(reply.body)).toBe("INVALID_REQUEST")
  })

  test.each([
    ["a byte of zero", "\0"],
    ["the rest of another body", "\n}"],
    ["a head without Host", "GET /healthz HTTP/1.1\r\n\r\n"],
    ["two heads without Host", "GET /healthz HTTP/1.1\r\n\r\nGET /healthz HTTP/1.1\r\n\r\n"],
    ["a head that is too large", `GET / HTTP/1.1\r\nX: ${"x".repeat(70_000)}\r\n\r\n`],
  ])("is refused after the answer of what came before it: %s", async (_name, junk) => {
    const body = JSON.stringify(aManifest({ name: `Whole ${crypto.randomUUID()}` }))
    const whole = request("POST /v1/services", json(), body).map((part) => Buffer.from(part))
    const sent = Buffer.concat([...whole, Buffer.from(junk)])
    const reply = await sendRaw(app.port, [sent], { untilClosed: true })
    expect([reply.status, reply.closed]).toEqual([201, true])
    expect(reply.body).toMatch(/\}HTTP\/1\.1 4(?:00|31) /)
  })

  test("a head that does not end is cut off", async () => {
    const { port } = await impatient()
    const head = "GET /healthz HTTP/1.1\r\nHost: x\r\n"
    const reply = await sendRaw(port, [head], { untilClosed: true })
    expect([reply.status, reply.closed]).toEqual([408, true])
  })

  test("a body that does not end is cut off", async () => {
    const { port, seller } = await impatient()
    const headers = {
      Authorization: `Bearer ${seller.api_key.key}`,
      "Content-Type": "application/json",
      "Content-Length": "100",
    }
    const parts = [...request("POST /v1/services", headers), "{"]
    const reply = await sendRaw(port, parts, { untilClosed: true })
    expect([reply.status, reply.closed]).toEqual([408, true])
  })
})

describe("a request whose body stalls", () => {
  const stalled = (key: string) => ({
    Authorization: `Bearer ${key}`,
    "Content-Type": "application/json",
    "Content-Length": "100",
  })

  test("is answered once by its deadline: 408, though Node would wait for longer", async () => {
    const { port, seller, stop } = await startApp({ intake: { within: 300 } })
    onTestFinished(stop)
    const parts = [...request("POST /v1/services", stalled(seller.api_key.key)), "{"]
    const { body, closed, head, status } = await sendRaw(port, parts, { untilClosed: true })
    expect([status, codeOf(body), closed]).toEqual([408, "INVALID_REQUEST", true])
    expect(head).toMatch(/^connection: close$/im)
  })

  test("gets no second answer after the one that it got before it was whole", async () => {
    const { port } = await impatient()
    const parts = [...request("POST /v1/services", stalled("sk_test_nobody")), "{"]
    const { body, closed, status } = await sendRaw(port, parts, { untilClosed: true })
    expect([status, codeOf(body), closed]).toEqual([401, "INVALID_API_KEY", true])
  })
})

test.each([
  ["an origin", "GET http://other/healthz HTTP/1.1\r\nHost: x\r\n\r\n"],
  ["HTTP/1.0", "GET /healthz HTTP/1.0\r\n\r\n"],
  ["an empty host", "GET /healthz HTTP/1.1\r\nHost:\r\n\r\n"],
  ["an address of IPv6 as its host", "GET /healthz HTTP/1.1\r\nHost: [::1]:80\r\n\r\n"],
])("a request with %s is served", async (_name, text) => {
  expect((await sendRaw(app.port, [text])).status).toBe(200)
})
