import express from "express"
import Koa from "koa"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import {
  ChallengeLimiter,
  type Paywall,
  requirePayment,
  requireSession,
} from "../../adapters/http/paid/402.ts"
import { activeService, type App, startApp } from "../support/app.ts"
import { Listening } from "../support/listening.ts"

describe("the challenges of a minute", () => {
  const RATES = { perClient: 30, inAll: 600 }

  /** How many challenges clients get, each of which asks for so many. */
  const gotBy = (limiter: ChallengeLimiter, clients: ReadonlyArray<string>): number =>
    clients.filter((client) => limiter.take(client, 0) === undefined).length

  const many = (nameOf: (n: number) => string) => Array.from({ length: 700 }, (_, n) => nameOf(n))
  const hex = (n: number) => n.toString(16)

  test.each<[string, (n: number) => string, number]>([
    ["one address", () => "198.51.100.7", 30],
    ["one address, as IPv6 writes it", () => "::ffff:198.51.100.7", 30],
    ["the addresses of one /64", (n) => `2001:db8:1:2::${hex(n)}:${hex(n)}`, 30],
    ["the networks of one /48", (n) => `2001:db8:1:${hex(n)}::1`, 150],
    ["the addresses of one /24", (n) => `198.51.100.${n % 256}`, 150],
    ["one name", () => "customer 7", 30],
    ["many names", (n) => `customer ${n}`, 600],
    ["everywhere", (n) => `2001:db8:${hex(n)}::1`, 600],
  ])("are not all for %s", (_, nameOf, most) => {
    const limiter = new ChallengeLimiter(RATES)
    expect(gotBy(limiter, many(nameOf))).toBe(most)
    const other = limiter.take("203.0.113.9", 0)
    expect(other).toBe(most === 600 ? 60 : undefined)
    expect(limiter.take(nameOf(0), 60_000)).toBeUndefined()
  })

  test("are one client's, if the seller wants it so", () => {
    const limiter = new ChallengeLimiter({ perClient: 600, inAll: 600 })
    expect(
      gotBy(
        limiter,
        many(() => "198.51.100.7"),
      ),
    ).toBe(600)
  })
})

describe("clients that are not known", () => {
  let app: App
  let service: string
  beforeAll(async () => {
    app = await startApp({ sandbox: true })
    service = await activeService(app)
  })
  afterAll(() => app.stop())

  const payport = () => ({ baseUrl: app.url, apiKey: app.seller.api_key.key })
  const walls: { readonly [name: string]: () => Paywall } = {
    requirePayment: () =>
      requirePayment({ payport: payport(), service, amount: { currency: "USD", value: 25 } }),
    requireSession: () =>
      requireSession({
        payport: payport(),
        service,
        price: 1,
        deposit: { currency: "USD", value: 500 },
        realm: "Papers",
      }),
  }

  test.each(Object.keys(walls))("do not lock each other out of %s", async (name) => {
    const wall = walls[name]?.() ?? expect.unreachable()
    const asked = Array.from({ length: 32 }, async (_, n) => {
      const request = new Request("https://shop.example/paper")
      const answer = await wall.fetch(request, () => Response.json({}), n === 31 ? "" : undefined)
      return answer.status
    })
    expect(new Set(await Promise.all(asked))).toEqual(new Set([402]))
  })

  test("are not asked for more than the seller may take, and told when to come back", async () => {
    const causes: Array<unknown> = []
    const wall = requirePayment({
      payport: payport(),
      service,
      amount: { currency: "USD", value: 1_000_001 },
      report: (cause) => causes.push(cause),
    })
    const request = new Request("https://shop.example/paper")
    const answer = await wall.fetch(request, () => Response.json({}))
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "600"])
    const told = "limits have no room for it. Repeat the request later with the same headers."
    expect(await answer.text()).toContain(told)
    expect(causes).toMatchObject([{ code: "INSUFFICIENT_KYC" }])
  })

  test("have the limit of all clients together", () => {
    const limiter = new ChallengeLimiter({ perClient: 30, inAll: 600 })
    const waits = Array.from({ length: 601 }, () => limiter.take(undefined, 0))
    expect(waits.filter((wait) => wait === undefined)).toHaveLength(600)
    expect(waits.at(-1)).toBe(60)
    expect(limiter.take("198.51.100.7", 0)).toBe(60)
  })
})

describe("the client behind proxies", () => {
  const listening = new Listening()
  let app: App
  let service: string
  beforeAll(async () => {
    app = await startApp({ sandbox: true })
    service = await activeService(app)
  })
  afterAll(async () => {
    await listening.close()
    await app.stop()
  })

  /** A paywall that tells which clients it saw. */
  const watching = () => {
    const clients: Array<string | undefined> = []
    const paywall = requirePayment({
      payport: { baseUrl: app.url, apiKey: app.seller.api_key.key },
      service,
      amount: { currency: "USD", value: 25 },
      resource: ({ client, url }) => {
        clients.push(client)
        return url
      },
    })
    return { clients, paywall }
  }

  const seenBy = async (open: (paywall: Paywall) => Promise<string>, forwarded: string) => {
    const { clients, paywall } = watching()
    const url = await open(paywall)
    expect((await fetch(url, { headers: { "X-Forwarded-For": forwarded } })).status).toBe(402)
    return new Set(clients)
  }

  const koa = (said: ConstructorParameters<typeof Koa>[0]) => (paywall: Paywall) => {
    const answer = new Koa(said).use(paywall).callback()
    return listening.open((request, response) => void answer(request, response))
  }

  const inExpress =
    (trusted: boolean | number) =>
    ({ node }: Paywall) => {
      const made = express().set("trust proxy", trusted).use(node)
      return listening.open((request, response) => void made(request, response))
    }

  const INVENTED = "10.1.2.3, 198.51.100.7"

  test.each([
    ["Koa that trusts its proxy", koa({ proxy: true }), "198.51.100.7"],
    ["Koa with one proxy", koa({ proxy: true, maxIpsCount: 1 }), "198.51.100.7"],
    ["Koa with two proxies", koa({ proxy: true, maxIpsCount: 2 }), "10.1.2.3"],
    ["Koa without a proxy", koa({}), "127.0.0.1"],
    ["Express that trusts its proxy", inExpress(true), "198.51.100.7"],
    ["Express with one proxy", inExpress(1), "198.51.100.7"],
    ["Express with two proxies", inExpress(2), "10.1.2.3"],
    ["Express without a proxy", inExpress(false), "127.0.0.1"],
  ])("is seen by %s", async (_, open, client) => {
    const [seen] = await seenBy(open, INVENTED)
    expect(seen?.replace("::ffff:", "")).toBe(client)
  })
})
