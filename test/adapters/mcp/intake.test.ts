import { afterAll, beforeAll, expect, test } from "vitest"
import { activeService, type App, callTool, startApp } from "../../support/app.ts"
import { hangingStore } from "../../support/hangingStore.ts"

const [MOST, SHARE, WITHIN] = [8, 7, 8_000]
const LATE = { timeout: 30_000 }
const { hang, layer: store, waiting } = hangingStore()
let app: App
let service: string
beforeAll(async () => {
  app = await startApp({ store, intake: { most: MOST, within: WITHIN } })
  service = await activeService(app)
})
afterAll(() => app.stop())

const post = (message: object, headers: { readonly [name: string]: string } = {}) =>
  fetch(`${app.url}/mcp`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, ...message }),
  })

const list = () => post({ method: "tools/list" })

const listen = () =>
  post(
    {
      method: "subscriptions/listen",
      params: {
        notifications: { toolsListChanged: true },
        _meta: {
          "io.modelcontextprotocol/protocolVersion": "2026-07-28",
          "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
          "io.modelcontextprotocol/clientCapabilities": {},
        },
      },
    },
    { "mcp-protocol-version": "2026-07-28", "mcp-method": "subscriptions/listen" },
  )

const pay = () =>
  callTool(
    app,
    `${service}__pay_one_time`,
    { manifest_id: service, amount: { currency: "USD", value: 699 } },
    { authorization: `Bearer ${app.buyer.api_key.key}` },
  )

interface Refusal {
  readonly error: { readonly data: { readonly code: string } }
}

const refusalOf = async (answer: Response) => {
  const { error } = (await answer.json()) as Partial<Refusal>
  return [answer.status, error?.data.code, Number(answer.headers.get("retry-after"))]
}

test("calls have places among all requests, and are answered at their deadline", async () => {
  hang(true)
  const began = performance.now()
  const calls = Array.from({ length: SHARE }, pay)
  // The account has its share of the places, and the last one is left to others.
  await expect.poll(waiting, LATE).toBe(SHARE)
  expect((await pay()).headers.get("retry-after")).toBe("1")
  expect((await list()).status).toBe(200)
  const path = "/v1/payment-intents/pi_01997d3e-8a00-7000-8000-00000000ffff"
  const read = app.call("GET", path)
  await expect.poll(waiting, LATE).toBe(MOST)
  expect(await refusalOf(await list())).toEqual([503, "OVERLOADED", 1])
  expect((await app.call("GET", "/v1/channels")).json["code"]).toBe("OVERLOADED")
  for (const call of calls) {
    expect(await refusalOf(await call)).toEqual([503, "TEMPORARILY_UNAVAILABLE", 1])
  }
  expect(performance.now() - began).toBeGreaterThan(WITHIN)
  await read
  hang(false)
  expect((await pay()).status).toBe(200)
})

test("whoever listens to changes holds no place", async () => {
  for (let n = 0; n <= MOST; n++) expect((await listen()).status).toBe(200)
  expect((await list()).status).toBe(200)
})

test("what is refused gives its account's place back", async () => {
  const headers = { authorization: `Bearer ${app.buyer.api_key.key}`, "content-type": "text/plain" }
  for (let n = 0; n <= MOST; n++) {
    const answer = await fetch(`${app.url}/mcp`, { method: "POST", headers, body: "x" })
    expect(answer.status).toBe(415)
  }
  expect((await pay()).status).toBe(200)
})
