import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import Koa from "koa"
import { Receipt } from "mppx"
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest"
import type { Paywall } from "../../adapters/http/paid/402.ts"
import { activeService, type App, startApp } from "../support/app.ts"
import { type Endpoint, newClient, sellSessions } from "../support/sessions.ts"

let app: App
let payingAt: ReturnType<typeof sellSessions>["payingAt"]
let walled: ReturnType<typeof sellSessions>["walled"]
beforeAll(async () => {
  app = await startApp({ sandbox: true })
  ;({ payingAt, walled } = sellSessions(app, await activeService(app)))
})
afterAll(() => app.stop())

/** An endpoint of a server with Koa, whose handler is the given one. */
const atKoa = async (paywall: Paywall, handler: Koa.Middleware): Promise<Endpoint> => {
  const koa = new Koa()
  koa.silent = true
  const answer = koa.use(paywall).use(handler).callback()
  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => {
    server.close().closeAllConnections()
  })
  const { port } = server.address() as AddressInfo
  return ({ headers, method }: Request) =>
    fetch(`http://127.0.0.1:${port}/bad`, { headers, method })
}

test("a handler of Koa that throws keeps the receipt, and runs once", async () => {
  let runs = 0
  const shared = Object.assign(new Error("Bad."), { status: 400, headers: { "X-Why": "bad" } })
  const bad = await atKoa(walled(), () => {
    runs += 1
    throw shared
  })
  const { close, get, held, sent } = payingAt({ "/papers": walled(), "/bad": bad })
  await get("/papers")
  sent.length = 0
  for (const drawn of ["200", "300"]) {
    const answer = await get("/bad")
    expect([answer.status, answer.headers.get("X-Why")]).toEqual([400, "bad"])
    expect(Receipt.fromResponse(answer)).toMatchObject({ drawn })
  }
  expect(sent).toEqual(["GET /bad paying", "GET /bad paying"])
  expect(runs).toBe(2)
  await close()
  expect(await held()).toBe(300)
})

/** A paid endpoint whose handler answers with the given status. */
const answering = (status: number, answered: { runs: number }): Endpoint => {
  const paywall = walled()
  const handler = () => {
    answered.runs += 1
    return new Response(null, { status })
  }
  return (request: Request) => paywall.fetch(request, handler, newClient())
}

const withoutReceipt = (response: Response): Response => {
  const headers = new Headers(response.headers)
  headers.delete("Payment-Receipt")
  return new Response(response.body, { status: response.status, headers })
}

test.each([302, 400, 401, 403])(
  "a request whose paid answer is %s without a receipt is served and drawn once",
  async (status) => {
    const answered = { runs: 0 }
    const bad = answering(status, answered)
    const { close, get, held, sent, way } = payingAt({ "/papers": walled(), "/bad": bad })
    await get("/papers")
    sent.length = 0
    way.pass = (response) => (response.status === status ? withoutReceipt(response) : response)
    expect((await get("/bad")).status).toBe(status)
    expect(sent).toEqual(["GET /bad paying", "GET /bad"])
    expect(answered.runs).toBe(1)
    // Known as paid: it is not sent again.
    expect((await get("/bad")).status).toBe(status)
    expect(sent.slice(2)).toEqual(["GET /bad paying"])
    expect(answered.runs).toBe(2)
    await close()
    expect(await held()).toBe(300)
  },
)

test("new addresses of POST open no payments", async () => {
  const wall = walled({ price: 25, deposit: { currency: "USD", value: 1_000 } })
  const served = (request: Request) => wall.fetch(request, () => Response.json({}), "one client")
  const paths = Array.from({ length: 40 }, (_, n) => `/items/${n}`)
  const { get, orders, sent } = payingAt(Object.fromEntries(paths.map((path) => [path, served])))
  for (const path of paths) expect((await get(path, { method: "POST" })).status).toBe(200)
  expect(orders).toHaveLength(1)
  expect(sent.filter((one) => !one.endsWith("paying"))).toEqual(["POST /items/0"])
})

test("a POST at another price than that of its folder is drawn at its own, once", async () => {
  const dear = walled({ price: 150 })
  const bodies: Array<string> = []
  const endpoint = (request: Request) =>
    dear.fetch(
      request,
      async () => {
        bodies.push(await request.text())
        return Response.json({})
      },
      newClient(),
    )
  const { close, get, held, orders } = payingAt({ "/papers": walled(), "/dear": endpoint })
  await get("/papers")
  const answer = await get("/dear", { method: "POST", body: "one" })
  expect(Receipt.fromResponse(answer)).toMatchObject({ drawn: "250" })
  expect(bodies).toEqual(["one"])
  expect(orders).toHaveLength(1)
  await close()
  expect(await held()).toBe(250)
})

test("a POST is not sent again where its server may not know the credential", async () => {
  const puzzled = (request: Request) =>
    new Response(null, { status: request.headers.has("Authorization") ? 401 : 200 })
  const { close, get, held, sent } = payingAt({ "/papers": walled(), "/other": puzzled })
  await get("/papers")
  sent.length = 0
  expect((await get("/other", { method: "POST" })).status).toBe(401)
  expect(sent).toEqual(["POST /other paying"])
  expect((await get("/other", { method: "POST" })).status).toBe(200)
  expect(sent.slice(1)).toEqual(["POST /other"])
  await close()
  expect(await held()).toBe(100)
})

test("where receipts are hidden, requests cost one 402 in all", async () => {
  const { close, get, held, orders, sent, way } = payingAt({ "/papers": walled() })
  way.pass = withoutReceipt
  for (let n = 0; n < 4; n += 1) expect((await get("/papers")).status).toBe(200)
  expect(orders).toHaveLength(1)
  expect(sent).toEqual(["GET /papers", ...Array.from({ length: 4 }, () => "GET /papers paying")])
  way.pass = (response) => response
  expect(Receipt.fromResponse(await get("/papers"))).toMatchObject({ drawn: "500" })
  await close()
  expect(await held()).toBe(500)
})

test("a deposit that was drawn as a whole without a receipt is closed, too", async () => {
  const wall = walled({ deposit: { currency: "USD", value: 200 } })
  const { close, get, held, orders, way } = payingAt({ "/papers": wall })
  way.pass = withoutReceipt
  for (let n = 0; n < 4; n += 1) expect((await get("/papers")).status).toBe(200)
  expect(orders).toHaveLength(2)
  await close()
  expect(await held()).toBe(400)
})

test("an endpoint that has become a redirect is followed from its next request on", async () => {
  const endpoints: { [path: string]: Endpoint } = { "/papers": walled() }
  const { close, get, held, sent } = payingAt(endpoints)
  await get("/papers")
  endpoints["/papers"] = () => new Response(null, { status: 301, headers: { Location: "/new" } })
  sent.length = 0
  await get("/papers")
  await get("/papers")
  expect(sent).toEqual(["GET /papers paying", "GET /papers"])
  endpoints["/papers"] = walled()
  await close()
  expect(await held()).toBe(100)
})

test.each([
  ["GET", 405, 0],
  ["POST", 200, 100],
])(
  "a deposit at a POST that was redirected is closed where %s is served",
  async (served, status, kept) => {
    const wall = walled()
    const asked = (request: Request) => wall.fetch(request, () => Response.json({}), newClient())
    const papers = (request: Request) =>
      request.method === served ? asked(request) : new Response(null, { status: 405 })
    const url = "https://api.example/papers"
    // A fetch that has followed the redirect. The client sends the credential to where it led.
    const old = async () =>
      Object.defineProperties(await asked(new Request(url, { method: served })), {
        redirected: { value: true },
        url: { value: url },
      })
    const { close, get, held } = payingAt({ "/old": old, "/papers": papers })
    expect((await get("/old", { method: "POST" })).status).toBe(status)
    expect(await held()).toBe(500)
    await close()
    expect(await held()).toBe(kept)
  },
)
