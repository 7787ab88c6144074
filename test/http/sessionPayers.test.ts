import { Receipt } from "mppx"
import { Mppx } from "mppx/client"
import { afterAll, beforeAll, expect, test } from "vitest"
import { PaymentDeclined, PaymentUnresolved } from "../../adapters/http/client/entry.ts"
import { type SessionTerms } from "../../adapters/http/paid/402.ts"
import { activeService, type App, startApp } from "../support/app.ts"
import { type Endpoint, newClient, sellSessions } from "../support/sessions.ts"

let app: App
let another: string
let payingAt: ReturnType<typeof sellSessions>["payingAt"]
let walled: ReturnType<typeof sellSessions>["walled"]
beforeAll(async () => {
  app = await startApp({ sandbox: true })
  const service = await activeService(app)
  another = await activeService(app, { name: "Books" })
  ;({ payingAt, walled } = sellSessions(app, service))
})
afterAll(() => app.stop())

const statuses = async (answers: ReadonlyArray<Promise<Response>>) =>
  (await Promise.all(answers)).map(({ status }) => status)

test("free requests draw nothing, and are not mistaken for draws", async () => {
  const free = () => Response.json({ free: true })
  const { close, get, held, orders, sent } = payingAt({ "/papers": walled(), "/free": free })
  for (const path of ["/papers", "/free", "/papers", "/free", "/papers", "/papers"]) {
    expect((await get(path)).status).toBe(200)
  }
  expect(orders).toHaveLength(1)
  // The credential goes once to what may be paid like the rest.
  expect(sent.filter((one) => one === "GET /free paying")).toHaveLength(1)
  await close()
  expect(await held()).toBe(400)
})

test.each<[string, () => Partial<SessionTerms>]>([
  ["two realms", () => ({ realm: "Books" })],
  ["two services in one realm", () => ({ service: another })],
])("%s of an origin get a deposit each", async (_, said) => {
  const { close, get, held, orders } = payingAt({ "/papers": walled(), "/books": walled(said()) })
  for (const path of ["/papers", "/books", "/papers", "/books"]) {
    expect((await get(path)).status).toBe(200)
  }
  expect(orders).toHaveLength(2)
  await close()
  expect(await held()).toBe(400)
})

test("two prices of a realm are drawn from one deposit", async () => {
  const dear = walled({ price: 150, deposit: { currency: "USD", value: 900 } })
  const { close, get, held, orders } = payingAt({ "/papers": walled(), "/dear": dear })
  for (const path of ["/papers", "/dear", "/papers", "/dear"]) {
    expect((await get(path)).status).toBe(200)
  }
  expect(orders).toHaveLength(1)
  await close()
  expect(await held()).toBe(500)
})

test("a session goes on at the new price, and from the old deposit", async () => {
  const endpoints: { [path: string]: Endpoint } = { "/papers": walled() }
  const { close, get, held, orders } = payingAt(endpoints)
  await get("/papers")
  endpoints["/papers"] = walled({ price: 150, deposit: { currency: "USD", value: 800 } })
  expect(Receipt.fromResponse(await get("/papers"))).toMatchObject({ drawn: "250", left: "250" })
  expect(Receipt.fromResponse(await get("/papers"))).toMatchObject({ drawn: "400", left: "100" })
  expect(orders).toHaveLength(1)
  // Too little is left, and a deposit is paid as it is asked for now.
  expect(Receipt.fromResponse(await get("/papers"))).toMatchObject({ drawn: "150", left: "650" })
  expect(orders).toHaveLength(2)
  await close()
  expect(await held()).toBe(550)
})

test("a change of currency begins a session, and both are closed", async () => {
  const endpoints: { [path: string]: Endpoint } = { "/papers": walled() }
  const { close, get, held, orders } = payingAt(endpoints)
  await get("/papers")
  endpoints["/papers"] = walled({ deposit: { currency: "EUR", value: 500 } })
  await expect(get("/papers")).rejects.toMatchObject({ reason: "currency" })
  await close()
  expect(orders).toHaveLength(1)
  expect(await held()).toBe(100)
})

test("concurrent first requests pay one deposit, and as many as they need", async () => {
  const few = payingAt({ "/papers": walled() })
  expect(await statuses([1, 2, 3].map(() => few.get("/papers")))).toEqual([200, 200, 200])
  expect(few.orders).toHaveLength(1)
  await few.close()
  expect(await few.held()).toBe(300)
  const many = payingAt({ "/papers": walled({ deposit: { currency: "USD", value: 200 } }) })
  const all = Array.from({ length: 9 }, () => many.get("/papers"))
  expect(await statuses(all)).toEqual(Array.from(all, () => 200))
  expect(many.orders).toHaveLength(5)
  await many.close()
  expect(await many.held()).toBe(900)
  const single = payingAt({ "/papers": walled({ deposit: { currency: "USD", value: 100 } }) })
  const each = Array.from({ length: 9 }, () => single.get("/papers"))
  expect(await statuses(each)).toEqual(Array.from(each, () => 200))
  expect(single.orders).toHaveLength(9)
})

test("requests in progress to what is free keep no deposit from being used", async () => {
  const { promise: isFree, resolve: answer } = Promise.withResolvers<void>()
  const free = async () => {
    await isFree
    return Response.json({})
  }
  const paths = [1, 2, 3, 4].map((n) => `/free${n}`)
  const endpoints = Object.fromEntries(paths.map((path) => [path, free]))
  const { get, orders, way } = payingAt({ "/papers": walled(), ...endpoints })
  await get("/papers")
  const { promise: isAsked, resolve: ask } = Promise.withResolvers<void>()
  way.pass = (response) => {
    if (response.status === 402) setTimeout(ask, 100)
    return response
  }
  const all = [...paths, "/papers"].map((path) => get(path))
  // All the deposit is kept for the four, so that the fifth is asked to pay.
  await isAsked
  answer()
  expect(await statuses(all)).toEqual(Array.from(all, () => 200))
  expect(orders).toHaveLength(1)
})

test("where a first request's wallet declines, another one's pays", async () => {
  let asked = 0
  const { get, orders } = payingAt({ "/papers": walled() }, async (order, wallet) => {
    asked += 1
    if (asked === 1) throw new PaymentDeclined("Not now.")
    await wallet.pay(order)
  })
  const all = await Promise.allSettled([get("/papers"), get("/papers"), get("/papers")])
  expect(all.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "fulfilled", "rejected"])
  expect(orders).toHaveLength(2)
})

const lose = () => {
  throw new TypeError("The connection was lost.")
}

test("after a lost first answer the deposit is drawn from at the right sum", async () => {
  const { close, get, held, orders, way } = payingAt({ "/papers": walled() })
  way.pass = (response) => (response.status === 200 ? lose() : response)
  await expect(get("/papers")).rejects.toBeInstanceOf(PaymentUnresolved)
  way.pass = (response) => response
  // The lost answer was drawn.
  expect(Receipt.fromResponse(await get("/papers"))).toMatchObject({ drawn: "200" })
  expect(orders).toHaveLength(1)
  await close()
  expect(await held()).toBe(200)
})

test("after a lost first request nothing is drawn for it", async () => {
  const endpoints: { [path: string]: Endpoint } = { "/papers": walled() }
  const { close, get, held, orders } = payingAt(endpoints, async (order, wallet) => {
    await wallet.pay(order)
    endpoints["/papers"] = lose
  })
  await expect(get("/papers")).rejects.toBeInstanceOf(PaymentUnresolved)
  endpoints["/papers"] = walled()
  expect(Receipt.fromResponse(await get("/papers"))).toMatchObject({ drawn: "100" })
  expect(orders).toHaveLength(1)
  await close()
  expect(await held()).toBe(100)
})

test("a deposit of which it is unknown whether it was paid is closed, too", async () => {
  const { close, get, held } = payingAt({ "/papers": walled() }, async (order, wallet) => {
    await wallet.pay(order)
    throw new TypeError("The wallet's answer was lost.")
  })
  await expect(get("/papers")).rejects.toBeInstanceOf(PaymentUnresolved)
  expect(await held()).toBe(500)
  await close()
  expect(await held()).toBe(0)
})

test("a deposit of which it is unknown whether it was paid is not paid again", async () => {
  const { close, get, held, orders } = payingAt({ "/papers": walled() }, async (order, wallet) => {
    await wallet.pay(order)
    throw new TypeError("The wallet's answer was lost.")
  })
  await expect(get("/papers")).rejects.toBeInstanceOf(PaymentUnresolved)
  expect((await get("/papers")).status).toBe(200)
  expect((await get("/papers")).status).toBe(200)
  expect(new Set(orders).size).toBe(1)
  await close()
  expect(await held()).toBe(200)
})

test("a challenge asks for its deposit of unknown outcome again", async () => {
  let asked = 0
  const { held, orders, payer } = payingAt({ "/papers": walled() }, async (order, wallet) => {
    await wallet.pay(order)
    asked += 1
    if (asked === 1) throw new TypeError("The wallet's answer was lost.")
  })
  const mppx = Mppx.create({ ...payer, polyfill: false })
  const address = "https://api.example/papers"
  const due = await payer.fetch(address)
  await expect(mppx.createCredential(due)).rejects.toBeInstanceOf(PaymentUnresolved)
  const Authorization = await mppx.createCredential(due)
  const response = await payer.fetch(address, { headers: { Authorization } })
  expect(response.status).toBe(200)
  expect(new Set(orders).size).toBe(1)
  await payer.close()
  expect(await held()).toBe(100)
})

test("a deposit that the wallet has not paid yet is not paid twice", async () => {
  let asked = 0
  const { get, orders } = payingAt({ "/papers": walled() }, async (order, wallet) => {
    asked += 1
    if (asked < 3) throw new TypeError("The wallet did not answer.")
    await wallet.pay(order)
  })
  await expect(get("/papers")).rejects.toBeInstanceOf(PaymentUnresolved)
  await expect(get("/papers")).rejects.toBeInstanceOf(PaymentUnresolved)
  expect((await get("/papers")).status).toBe(200)
  expect(asked).toBe(3)
  expect(new Set(orders).size).toBe(1)
})

test("a session that was closed elsewhere is followed by another", async () => {
  const { close, get, held, orders } = payingAt({ "/papers": walled() })
  await get("/papers")
  const [first = ""] = orders
  const refund = { payment_intent: first, amount: { currency: "USD", value: 400 } }
  expect((await app.call("POST", "/v1/refunds", { body: refund })).status).toBe(201)
  expect((await get("/papers")).status).toBe(200)
  expect(orders).toHaveLength(2)
  await close()
  expect(await held()).toBe(200)
})

test("an endpoint of POST alone pays and closes by POST", async () => {
  const wall = walled()
  const posts = (request: Request) =>
    request.method === "POST"
      ? wall.fetch(request, async () => Response.json(await request.text()), newClient())
      : Promise.resolve(new Response(null, { status: 405 }))
  const { close, get, held, orders } = payingAt({
    "/questions": Object.assign(() => Promise.resolve(), wall, { fetch: posts }),
  })
  for (const body of ["one", "two", "three"]) {
    const answer = await get("/questions", { method: "POST", body })
    expect(await answer.json()).toBe(body)
  }
  expect(orders).toHaveLength(1)
  await close()
  expect(await held()).toBe(300)
})

test("endpoints that know no credentials of ours answer as without one", async () => {
  const redirect = () => new Response(null, { status: 302, headers: { Location: "/papers" } })
  const puzzled = (request: Request) =>
    request.headers.has("Authorization")
      ? Response.json({ error: "What is this?" }, { status: 401 })
      : Response.json({ free: true })
  const { get, sent } = payingAt({ "/papers": walled(), "/old": redirect, "/other": puzzled })
  await get("/papers")
  expect((await get("/other")).status).toBe(200)
  sent.length = 0
  expect((await get("/old", { redirect: "follow" })).status).toBe(302)
  expect(sent).toEqual(["GET /old paying", "GET /old"])
})
