import Koa from "koa"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { Mounted } from "../../../../adapters/http/mount.ts"
import { AddressGate } from "../../../../adapters/shared/addresses/AddressGate.ts"
import { ADMIN_KEY, aManifest, activeService, type App, startApp } from "../../../support/app.ts"
import { Listening } from "../../../support/listening.ts"

/** Sends a request of the table through a door. */
type Send = (request: Asked) => Promise<Response>

/** A request: its method, path and the rest of it. */
interface Asked {
  readonly method: string
  readonly path: string
  readonly headers: { readonly [name: string]: string }
  readonly body: string | undefined
}

const PREFIX = "/shop/pay"

const listening = new Listening()

const overNetwork =
  (url: string): Send =>
  ({ body, headers, method, path }) =>
    fetch(`${url}${path}`, { method, headers, ...(body !== undefined && { body }) })

let app: App
let mounted: Mounted
let doors: { readonly [name: string]: Send }
/** The values of the names in braces in the table's paths. */
let names: { readonly [name: string]: string }

beforeAll(async () => {
  app = await startApp({ sandbox: true })
  const gate = new AddressGate({ limits: null })
  const adminKey = ADMIN_KEY
  const place = { prefix: PREFIX, rewritten: true }
  mounted = app.mount({ ...place, health: true, adminKey, gate })

  const koa = new Koa().use(mounted.koa)
  doors = {
    own: overNetwork(app.url),
    koa: overNetwork(`${await listening.open(koa.callback())}${PREFIX}`),
    node: overNetwork(`${await listening.open(mounted.node)}${PREFIX}`),
    fetch: ({ body, headers, method, path }) => {
      const init = { method, headers, ...(body !== undefined && { body }) }
      return mounted.fetch(new Request(`http://shop.test${PREFIX}${path}`, init))
    },
  }

  const service = await activeService(app)
  const created = await app.call("POST", "/v1/payment-intents", {
    key: app.buyer.api_key.key,
    body: intentOf(service),
    headers: { "idempotency-key": "the-first" },
  })
  names = { service, intent: String(created.json["id"]) }
})
afterAll(async () => {
  await mounted.close()
  await listening.close()
  await app.stop()
})

const intentOf = (service_id: string) => ({
  service_id,
  type: "one_time",
  amount: { currency: "USD", value: 699 },
  description: "A report",
})

/** The owner of the key that is sent. */
type Who = "seller" | "buyer" | "operator" | "stranger" | "nobody"

const keyOf = (who: Who): string | undefined =>
  ({
    seller: app.seller.api_key.key,
    buyer: app.buyer.api_key.key,
    operator: ADMIN_KEY,
    stranger: "sk_test_00000000000000000000000000000000",
    nobody: undefined,
  })[who]

const JSON_TYPE = { "content-type": "application/json" }
const json = (body: unknown) => ({ body: JSON.stringify(body), headers: JSON_TYPE })

interface Said {
  readonly body?: string
  readonly headers?: { readonly [name: string]: string }
}

/** Requests with their expected statuses. */
const TABLE: ReadonlyArray<readonly [number, Who, string, Said?]> = [
  [200, "seller", "GET /v1/services/{service}"],
  [200, "buyer", "GET /v1/payment-intents/{intent}"],
  [200, "buyer", "GET /v1/payment-intents?limit=1&status=qr_generated"],
  [200, "buyer", "HEAD /v1/payment-intents/{intent}"],
  [200, "buyer", "GET /v1/payment-intents/{intent}/qr", { headers: { accept: "image/png" } }],
  [200, "buyer", "GET /v1/payment-intents/{intent}/qr", { headers: { accept: "image/svg+xml" } }],
  [401, "nobody", "GET /v1/channels?anything=goes"],
  [200, "nobody", "GET /healthz"],
  [200, "nobody", "GET /readyz?deep"],
  [200, "nobody", "GET /openapi.json"],
  [200, "operator", "GET /v1/accounts"],
  [201, "buyer", "POST /v1/payment-intents", { headers: { "idempotency-key": "the-first" } }],
  [
    200,
    "seller",
    "POST /v1/access-items/introspect",
    json({ type: "session", id: "s", colour: "red" }),
  ],
  [401, "nobody", "GET /v1/services"],
  [401, "nobody", "POST /v1/payment-intents", json({})],
  [401, "stranger", "POST /v1/payment-intents", json({})],
  [401, "seller", "GET /v1/accounts"],
  [404, "buyer", "GET /v1/payment-intents/pi_01997d3e-8a00-7000-8000-00000000ffff"],
  [404, "buyer", "GET /v1/payment-intents/%zz"],
  [404, "buyer", "GET /v1/nothing"],
  [404, "nobody", "GET /v1"],
  [404, "nobody", "POST /v1/webhooks/channel/cash", json({})],
  [405, "buyer", "DELETE /v1/payment-intents/{intent}"],
  [405, "nobody", "PUT /v1/channels", json({})],
  [400, "buyer", "POST /v1/payment-intents", { body: '{"amount":', headers: JSON_TYPE }],
  [400, "buyer", "POST /v1/payment-intents", { headers: JSON_TYPE }],
  [400, "buyer", "POST /v1/payment-intents", { body: "[]", headers: JSON_TYPE }],
  [400, "buyer", "POST /v1/payment-intents", { body: '{"a":"\u0000"}', headers: JSON_TYPE }],
  [400, "seller", "GET /v1/services?limit=a"],
  [400, "seller", "GET /v1/services?limit=1&limit=2"],
  [415, "buyer", "POST /v1/payment-intents", { body: "{}", headers: { "content-type": "a/b" } }],
  [
    415,
    "buyer",
    "POST /v1/payment-intents",
    { body: "{}", headers: { ...JSON_TYPE, "content-encoding": "gzip" } },
  ],
  [422, "buyer", "POST /v1/payment-intents", json({ service_id: 1 })],
  [400, "buyer", "POST /v1/payment-intents", json({ ...intentOf("svc_x"), amount: { value: 1 } })],
  [
    422,
    "buyer",
    "POST /v1/payment-intents",
    { body: "{}", headers: { ...JSON_TYPE, "idempotency-key": "with space" } },
  ],
  [
    422,
    "seller",
    "POST /v1/services",
    {
      body: JSON.stringify({ ...aManifest(), nmae: "x" }),
      headers: { ...JSON_TYPE, prefer: "handling=strict" },
    },
  ],
  [413, "buyer", "POST /v1/payment-intents", json({ description: "x".repeat(70_000) })],
]

/** Headers of connections, and of the moment. */
const PASSING = new Set(["connection", "keep-alive", "date", "transfer-encoding"])

const seen = async (response: Response) => ({
  status: response.status,
  headers: Object.fromEntries([...response.headers].filter(([name]) => !PASSING.has(name))),
  body: Buffer.from(await response.arrayBuffer()).toString("latin1"),
})

const asked = ([, who, line, said]: (typeof TABLE)[number]): Asked => {
  const [method = "", path = ""] = line.split(" ")
  const key = keyOf(who)
  const isFirst = said?.headers?.["idempotency-key"] === "the-first"
  const { body, headers } = isFirst ? json(intentOf(names["service"] ?? "")) : { ...said }
  return {
    method,
    path: path.replaceAll(/\{(\w+)\}/g, (_, name: string) => names[name] ?? ""),
    headers: {
      "x-request-id": "req_of_the_table",
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...headers,
      ...said?.headers,
    },
    body,
  }
}

describe("a request is answered alike through every door", () => {
  test.each(TABLE.map((row) => ({ row, line: `${row[0]} for ${row[1]}: ${row[2]}` })))(
    "$line",
    async ({ row }) => {
      const request = asked(row)
      const own = await seen(await doors["own"]!(request))
      expect(own.status, own.body).toBe(row[0])
      for (const door of ["koa", "node", "fetch"]) {
        expect(await seen(await doors[door]!(request)), door).toEqual(own)
      }
    },
  )
})

test("no made-up method is a series of its own", async () => {
  const path = `http://shop.test${PREFIX}/v1/services`
  await mounted.fetch(new Request(path, { method: "MADE-UP" }))
  const metrics = await (await fetch(`${app.url}/metrics`)).text()
  expect(metrics).toContain('method="other"')
  expect(metrics).not.toContain("MADE-UP")
})
