import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { HTTPFacilitatorClient, x402ResourceServer } from "@x402/core/server"
import { paymentMiddleware } from "@x402/express"
import {
  bazaarResourceServerExtension,
  declareDiscoveryExtension,
  withBazaar,
} from "@x402/extensions/bazaar"
import { wrapFetchWithPayment, x402Client } from "@x402/fetch"
import express from "express"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { sandboxWallet, x402Buyer } from "../../adapters/http/client/entry.ts"
import { requirePayment, x402Server } from "../../adapters/http/paid/402.ts"
import { activeService, type App, callTool, startApp } from "../support/app.ts"

const NETWORK = "payport:sandbox"
const HOUR = 3_600
const DAY = 24 * HOUR

let app: App
let service: string
const shops = new Set<{ readonly close: () => void }>()
beforeAll(async () => {
  app = await startApp({ sandbox: true })
})
afterAll(async () => {
  for (const shop of shops) shop.close()
  await app.stop()
})
let services = 0
beforeEach(async () => {
  services += 1
  service = await activeService(app, { name: `Reports ${services}` })
})

const listen = async (shop: express.Express) => {
  const listening = shop.listen(0, "127.0.0.1")
  await once(listening, "listening")
  shops.add(listening)
  return {
    url: `http://127.0.0.1:${(listening.address() as AddressInfo).port}`,
    close: async () => {
      listening.closeAllConnections()
      listening.close()
      await once(listening, "close")
    },
  }
}

const facilitator = () => {
  const headers = { Authorization: `Bearer ${app.seller.api_key.key}` }
  const createAuthHeaders = () => Promise.resolve({ verify: headers, settle: headers })
  return new HTTPFacilitatorClient({ url: `${app.url}/v1/x402`, createAuthHeaders })
}

/** Another team's x402 server with the reference's own extension and a variable price. */
const openShop = async (description = "Reports") => {
  const price = { of: "$0.25", payTo: service }
  const accepts = {
    scheme: "exact",
    network: NETWORK,
    payTo: () => price.payTo,
    price: () => price.of,
  } as const
  const server = new x402ResourceServer(facilitator()).register("payport:*", x402Server())
  server.registerExtension(bazaarResourceServerExtension)
  const extensions = declareDiscoveryExtension({
    pathParamsSchema: { properties: { id: { type: "string" } } },
    output: { example: { report: "7" } },
  })
  const shop = express()
  shop.use(paymentMiddleware({ "GET /reports/:id": { accepts, description, extensions } }, server))
  shop.get("/reports/:id", (request, response) => void response.json({ report: request.params.id }))
  return { ...(await listen(shop)), price }
}

const buyer = () => {
  const payport = { baseUrl: app.url, apiKey: app.buyer.api_key.key }
  const budget = { currency: "USD", perCall: 100, total: 1_000 }
  const paying = x402Buyer(fetch, { payport, wallet: sandboxWallet(payport), budget })
  const client = new x402Client().register("payport:*", paying.scheme)
  return wrapFetchWithPayment(paying.fetch, client)
}

const buy = async (url: string, init: RequestInit = {}) => {
  const response = await buyer()(url, init)
  expect(response.status).toBe(200)
}

/** Moves the clock, and lets workers do what is due. */
const pass = (seconds = 1) => app.call("POST", "/v1/sandbox/clock/advance", { body: { seconds } })

type Asked = Parameters<ReturnType<typeof bazaar>["listResources"]>[0]
const bazaar = () =>
  withBazaar(new HTTPFacilitatorClient({ url: `${app.url}/v1/x402` })).extensions.bazaar

/** Returns the results of the reference's own client. */
const found = async (asked: Asked = { payTo: service }) =>
  (await bazaar().listResources(asked)).items

const own = async () => {
  const { json } = await app.call("GET", `/v1/x402/listings?service_id=${service}`)
  return json["data"] as ReadonlyArray<{ readonly [field: string]: unknown }>
}

/** Returns the answer of one of the market's tools. */
const askMarket = async (tool: string, args: object): Promise<string> => {
  const headers = { authorization: `Bearer ${app.buyer.api_key.key}` }
  const answer = await callTool(app, tool, args, headers, "/mcp/market")
  return JSON.stringify(await answer.json())
    .replaceAll('\\\\"', '"')
    .replaceAll('\\"', '"')
}

describe("a seller with @x402/express who declares the extension", () => {
  test("is listed by settling once a probe has seen it, for the reference's client", async () => {
    const shop = await openShop()
    await buy(`${shop.url}/reports/7?mail=someone`)
    await buy(`${shop.url}/reports/8`)
    expect(await own()).toMatchObject([
      { resource: `${shop.url}/reports/:id`, standing: "unproven", method: "GET" },
    ])
    expect(await found()).toEqual([])
    await pass()
    const { items, pagination, x402Version } = await bazaar().listResources({ payTo: service })
    expect([x402Version, pagination]).toEqual([2, { limit: 20, offset: 0, total: 1 }])
    expect(items).toMatchObject([
      {
        resource: `${shop.url}/reports/:id`,
        type: "http",
        x402Version: 2,
        description: "Reports",
        serviceName: `Reports ${services}`,
        accepts: [
          { scheme: "exact", network: NETWORK, amount: "25", asset: "USD", payTo: service },
        ],
        extensions: { bazaar: { info: { input: { type: "http", method: "GET" } } } },
        probe: { standing: "live" },
      },
    ])
    expect(JSON.stringify(items)).not.toContain("someone")
    // The probes have paid nothing.
    const { json } = await app.call("GET", `/v1/payment-intents?service_id=${service}`)
    expect(json["data"]).toHaveLength(2)
  })

  test("loses its rank when it asks another price, until it is paid that", async () => {
    const [shop, honest] = [await openShop("Dear"), await openShop("Honest")]
    await buy(`${shop.url}/reports/7`)
    await buy(`${honest.url}/reports/7`)
    await pass()
    const standings = async () =>
      (await found()).map((item) => {
        const { accepts, description, probe } = item as typeof item & { readonly probe: object }
        return { description, amount: accepts[0]?.amount, probe }
      })
    expect(await standings()).toMatchObject([{ description: "Dear" }, { description: "Honest" }])
    shop.price.of = "$0.40"
    await pass(HOUR)
    expect(await standings()).toMatchObject([
      { description: "Honest", probe: { standing: "live" } },
      {
        description: "Dear",
        amount: "25",
        probe: { standing: "priced_differently", seen: { currency: "USD", value: 40 } },
      },
    ])
    await buy(`${shop.url}/reports/9`)
    await pass(60)
    expect(await standings()).toMatchObject([
      { description: "Dear", amount: "40", probe: { standing: "live" } },
      { description: "Honest" },
    ])
  })

  test("loses its rank when it is silent, says since when, and goes in the end", async () => {
    const shop = await openShop()
    await buy(`${shop.url}/reports/7`)
    await pass()
    await shop.close()
    await pass(HOUR)
    const [silent] = (await found()) as ReadonlyArray<{ readonly probe?: object }>
    expect(silent?.probe).toMatchObject({ standing: "silent", reason: "connection_refused" })
    const told = { resource: `${shop.url}/reports/:id`, standing: "silent" }
    const shown = await app.call("GET", `/v1/services/${service}`)
    expect(shown.json["not_held"]).toMatchObject([told])
    const q = `Reports ${services}`
    const { json } = await app.call("GET", `/v1/services?q=${encodeURIComponent(q)}`)
    expect(json["data"]).toMatchObject([{ name: q, not_held: [told] }])
    for (const [tool, args] of [
      ["get_service", { service_id: service }],
      ["search_services", { query: q }],
    ] as const) {
      const text = await askMarket(tool, args)
      expect(text).toContain(told.resource)
      expect(text).toContain('"standing":"silent"')
    }
    const [listed] = await own()
    expect(listed).toMatchObject({ standing: "silent", reason: "connection_refused" })
    await pass(13 * DAY)
    expect((await found()) as unknown).toMatchObject([{ probe: { standing: "silent" } }])
    await pass(2 * DAY)
    expect([await found(), await own()]).toEqual([[], []])
  })

  test("is not listed where the resource asks for a payment to somebody else", async () => {
    const shop = await openShop()
    await buy(`${shop.url}/reports/7`)
    shop.price.payTo = await activeService(app, { name: `Another of ${services}` })
    await pass()
    expect(await found()).toEqual([])
    expect(await own()).toMatchObject([{ standing: "unproven", reason: "other_payee" }])
    await pass(2 * DAY)
    expect(await own()).toEqual([])
  })

  test("is told what it may not: each of the filters, and pages", async () => {
    const shop = await openShop()
    await buy(`${shop.url}/reports/7`)
    await pass()
    const total = async (asked: Asked) =>
      (await bazaar().listResources({ payTo: service, ...asked })).pagination.total
    for (const asked of [
      { type: "http" },
      { scheme: "exact", network: NETWORK },
      { extensions: "bazaar" },
      { limit: 500 },
    ]) {
      expect(await total(asked)).toBe(1)
    }
    for (const asked of [
      { type: "mcp" },
      { scheme: "upto" },
      { network: "eip155:8453" },
      { extensions: "other" },
      { payTo: "0x0" },
    ]) {
      expect(await total(asked)).toBe(0)
    }
    const { items, pagination } = await bazaar().listResources({ payTo: service, offset: 5 })
    expect([items, pagination.total]).toEqual([[], 1])
    await expect(bazaar().listResources({ limit: 0 })).rejects.toThrow("400")
  })
})

/** A shop of another team whose resource has that method, and the methods that probes sent it. */
const shopBy = async (method: "DELETE" | "PATCH" | "POST" | "PUT") => {
  const accepts = { scheme: "exact", network: NETWORK, payTo: service, price: "$0.25" } as const
  const server = new x402ResourceServer(facilitator()).register("payport:*", x402Server())
  server.registerExtension(bazaarResourceServerExtension)
  const extensions = declareDiscoveryExtension(
    method === "DELETE" ? {} : { bodyType: "json", input: {}, inputSchema: {} },
  )
  const probes: Array<string> = []
  const shop = express()
  shop.use((request, _, next) => {
    if (request.headers["user-agent"] === "payport-probe") probes.push(request.method)
    next()
  })
  const route = { accepts, description: "Reports", extensions }
  shop.use(paymentMiddleware({ [`${method} /reports`]: route }, server))
  shop.use((_, response) => void response.json({ done: true }))
  return { ...(await listen(shop)), probes }
}

describe("a probe of a resource that is paid by", () => {
  test("POST is sent, and lists it", async () => {
    const { probes, url } = await shopBy("POST")
    await buy(`${url}/reports`, { method: "POST" })
    await pass()
    expect(probes).toEqual(["POST"])
    expect(await found()).toMatchObject([{ resource: `${url}/reports` }])
  })

  test.each(["DELETE", "PATCH", "PUT"] as const)("%s is never sent", async (method) => {
    const { probes, url } = await shopBy(method)
    await buy(`${url}/reports`, { method })
    const body = { service_id: service, resource: `${url}/reports`, method }
    const listed = await app.call("POST", "/v1/x402/listings", {
      body: { ...body, amount: { currency: "USD", value: 25 } },
    })
    expect(listed.json).toMatchObject({ code: "INVALID_REQUEST", field: "method" })
    expect(listed.json["message"]).toContain('"GET"')
    await pass(HOUR)
    expect([probes, await own()]).toEqual([[], []])
  })
})

describe("a seller with a paywall of ours", () => {
  const walled = async () => {
    const shop = express()
    const payport = { baseUrl: app.url, apiKey: app.seller.api_key.key }
    const amount = { currency: "USD", value: 30 }
    shop.use(requirePayment({ payport, service, amount }).node)
    shop.get("/", (_, response) => void response.json({ paid: true }))
    return listen(shop)
  }
  const list = (body: object, key = app.seller.api_key.key) =>
    app.call("POST", "/v1/x402/listings", { key, body: { service_id: service, ...body } })

  test("lists a resource itself, and removes it", async () => {
    const { url } = await walled()
    const listed = await list({ resource: `${url}/?a=1`, amount: { currency: "USD", value: 30 } })
    expect(listed).toMatchObject({ status: 201, json: { standing: "unproven" } })
    const again = await list({ resource: `${url}/`, amount: { currency: "USD", value: 30 } })
    expect(again.json["id"]).toBe(listed.json["id"])
    await pass()
    const accepts = [{ scheme: "payport", amount: "30", payTo: app.seller.agent_id }]
    expect(await found()).toMatchObject([{ resource: `${url}/`, accepts }])
    const path = `/v1/x402/listings/${String(listed.json["id"])}`
    expect((await app.call("GET", path, { key: app.buyer.api_key.key })).status).toBe(404)
    expect((await app.call("DELETE", path, { key: app.buyer.api_key.key })).status).toBe(404)
    expect((await app.call("DELETE", path)).status).toBe(200)
    expect(await found()).toEqual([])
  })

  test("lists nothing of others, no wrong address, and no more than its plan", async () => {
    const amount = { currency: "USD", value: 30 }
    const told = async (body: object, key?: string) => {
      const { json, status } = await list({ amount, ...body }, key)
      return [status, json["code"]]
    }
    const resource = "http://127.0.0.1:9/a"
    expect(await told({ resource }, app.buyer.api_key.key)).toEqual([404, "NOT_FOUND"])
    for (const wrong of ["http://10.0.0.1/a", "https://localhost.example.internal/a", "GET /a"]) {
      expect(await told({ resource: wrong })).toEqual([422, "INVALID_URL"])
    }
    const held = (await app.call("GET", "/v1/x402/listings?limit=100")).json["data"]
    const room = 50 - (held as ReadonlyArray<unknown>).length
    for (let n = 0; n < room; n++)
      expect(await told({ resource: `${resource}${n}` })).toContain(201)
    expect(await told({ resource })).toEqual([403, "PLAN_LIMIT_EXCEEDED"])
  })
})
