import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"
import { Mppx } from "mppx/client"
import { afterAll, beforeAll, expect, test } from "vitest"
import { mppPayer, sandboxWallet, type Wallet } from "../../adapters/http/client/entry.ts"
import { requirePayment, requireSession } from "../../adapters/http/paid/402.ts"
import { activeService, type App, startApp } from "../support/app.ts"

let app: App
let url: string
/** The requests that were served, with their bodies. */
let served: Array<string> = []
const server = createServer((request, response) => answer(request, response))
let answer: (request: IncomingMessage, response: ServerResponse) => void
const serve = async (request: IncomingMessage, response: ServerResponse) => {
  served.push(`${request.method} ${await text(request)}`)
  response.end("served")
}

beforeAll(async () => {
  app = await startApp({ sandbox: true })
  const payport = { baseUrl: app.url, apiKey: app.seller.api_key.key }
  const service = await activeService(app)
  const deposit = { currency: "USD", value: 100 }
  const walls = {
    "/charge": requirePayment({ payport, service, amount: { currency: "USD", value: 25 } }),
    "/session": requireSession({ payport, service, price: 10, deposit, realm: "Papers" }),
  }
  answer = (request, response) => {
    if (request.url === "/moved") response.writeHead(307, { Location: "/charge" }).end()
    else {
      const wall = walls[request.url as keyof typeof walls]
      void wall.node(request, response, () => void serve(request, response))
    }
  }
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.close().closeAllConnections()
  return app.stop()
})

const payerOf = () => {
  served = []
  const paid: Array<string> = []
  const sandbox = sandboxWallet({ baseUrl: app.url, apiKey: app.buyer.api_key.key })
  const wallet: Wallet = { pay: (order) => (paid.push(order.id), sandbox.pay(order)) }
  const payer = mppPayer(fetch, wallet, { currency: "USD", perCall: 100, total: 1_000 })
  return { paid, paying: Mppx.create({ ...payer, polyfill: false }).fetch }
}

const stream = () => new Blob(["a question"]).stream()

const bodies: ReadonlyArray<readonly [string, () => RequestInit]> = [
  ["a text", () => ({ body: "a question" })],
  ["bytes", () => ({ body: new TextEncoder().encode("a question") })],
  ["a stream", () => ({ body: stream(), duplex: "half" })],
]
const paths = ["/charge", "/session"]
const cases = paths.flatMap((path) => bodies.map(([name, init]) => [path, name, init] as const))

test.each(cases)("at %s, a Request with %s is repeated as it is", async (path, _, init) => {
  const { paid, paying } = payerOf()
  const response = await paying(new Request(url + path, { method: "POST", ...init() }))
  expect([response.status, await response.text()]).toEqual([200, "served"])
  expect(served).toEqual(["POST a question"])
  expect(paid).toHaveLength(1)
})

test.each(paths)("at %s, nothing is paid for what cannot be sent again", async (path) => {
  const { paid, paying } = payerOf()
  const sent = paying(url + path, { method: "POST", body: stream(), duplex: "half" })
  await expect(sent).rejects.toMatchObject({ name: "PaymentRefused", reason: "not_repeatable" })
  expect([paid, served]).toEqual([[], []])
})

test("nothing is paid for a Request that was redirected, but for a repeatable one", async () => {
  const { paid, paying } = payerOf()
  const init = { method: "POST", body: "a question" }
  await expect(paying(new Request(`${url}/moved`, init))).rejects.toMatchObject({
    reason: "not_repeatable",
  })
  expect(paid).toEqual([])
  expect((await paying(`${url}/moved`, init)).status).toBe(200)
  expect([paid.length, served]).toEqual([1, ["POST a question"]])
})
