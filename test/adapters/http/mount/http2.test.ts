import Koa from "koa"
import { once } from "node:events"
import {
  type ClientHttp2Session,
  connect,
  createServer,
  type Http2Server,
  type IncomingHttpHeaders,
} from "node:http2"
import type { AddressInfo } from "node:net"
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest"
import type { Mounted } from "../../../../adapters/http/mount.ts"
import { activeService, type App, startApp } from "../../../support/app.ts"

let app: App
let mounted: Mounted
let server: Http2Server
let client: ClientHttp2Session
let service: string
/** Whether the app reads a request to its end before it passes it on. */
let readsFirst = false

beforeAll(async () => {
  app = await startApp({ sandbox: true })
  service = await activeService(app)
  mounted = app.mount({ base_url: "http://shop.test/pay" })
  const koa = new Koa().use(async ({ req }, next) => {
    if (readsFirst) await once(req.resume(), "end")
    await next()
  })
  const answer = koa.use(mounted.koa).callback()
  server = createServer((req, res) => void answer(req, res))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  client = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
afterAll(async () => {
  client.close()
  await mounted.close()
  await new Promise((resolve) => server.close(resolve))
  await app.stop()
})

/** Begins a request. No header announces its body. */
const begin = (method: string, path: string, key: string) =>
  client.request(
    {
      ":method": method,
      ":path": `/pay${path}`,
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
    },
    { endStream: method === "GET" },
  )

type Stream = ReturnType<typeof begin>

const answerTo = async (stream: Stream) => {
  const head = Promise.withResolvers<IncomingHttpHeaders>()
  stream.once("response", head.resolve).once("error", head.reject)
  let text = ""
  for await (const chunk of stream.setEncoding("utf8")) text += String(chunk)
  return { status: Number((await head.promise)[":status"]), text }
}

const post = (path: string, key: string, body?: object) => {
  const stream = begin("POST", path, key)
  stream.end(body === undefined ? undefined : JSON.stringify(body))
  return answerTo(stream)
}

const get = (path: string, key: string) => answerTo(begin("GET", path, key))

const order = () => ({
  service_id: service,
  type: "one_time",
  amount: { currency: "USD", value: 699 },
  description: "A report",
})

const anAuthorized = async () => {
  const created = await post("/v1/payment-intents", app.buyer.api_key.key, order())
  const { id } = JSON.parse(created.text) as { readonly id: string }
  const path = `/v1/payment-intents/${id}`
  const simulated = `/v1/sandbox${path.slice(3)}/simulate`
  await post(simulated, app.buyer.api_key.key, { action: "authorize" })
  return path
}

const statusOf = async (path: string): Promise<string> => {
  const { text } = await get(path, app.seller.api_key.key)
  return (JSON.parse(text) as { readonly status: string }).status
}

test("a body that no header announces is read", async () => {
  const created = await post("/v1/payment-intents", app.buyer.api_key.key, order())
  expect([created.status, created.text]).toEqual([201, expect.stringContaining('"pi_')])
  const path = await anAuthorized()
  const above = await post(`${path}/capture`, app.seller.api_key.key, {
    amount: { currency: "USD", value: 700 },
  })
  expect([above.status, await statusOf(path)]).toEqual([400, "authorized"])
  const long = await post("/v1/payment-intents", app.buyer.api_key.key, { a: "a".repeat(70_000) })
  expect(long.status).toBe(413)
  const whole = await post(`${path}/capture`, app.seller.api_key.key)
  expect([whole.status, await statusOf(path)]).toEqual([200, "captured"])
})

test.each(["", "{}"])("a request that is broken off after %j does nothing", async (sent) => {
  const path = await anAuthorized()
  const stream = begin("POST", `${path}/capture`, app.seller.api_key.key)
  stream.on("error", () => undefined)
  if (sent !== "") stream.write(sent)
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(await statusOf(path)).toBe("authorized")
  stream.destroy()
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(await statusOf(path)).toBe("authorized")
})

test("an empty body that the app has read before is empty", async () => {
  const path = await anAuthorized()
  readsFirst = true
  const whole = await post(`${path}/capture`, app.seller.api_key.key)
  readsFirst = false
  expect([whole.status, await statusOf(path)]).toEqual([200, "captured"])
})

test("a refused body is not received without an end", async () => {
  const stream = begin("POST", "/v1/payment-intents", "sk_test_nobody")
  const closed = new Promise((resolve) => stream.once("close", resolve))
  const refused = answerTo(stream)
  const sending = setInterval(() => stream.write(Buffer.alloc(16_384, "a")), 20)
  onTestFinished(() => clearInterval(sending))
  expect((await refused).status).toBe(401)
  await closed
  expect(stream.rstCode).toBe(0)
})

test("events come until the last", async () => {
  const path = await anAuthorized()
  const events = answerTo(begin("GET", `${path}/events`, app.buyer.api_key.key))
  await post(`${path}/void`, app.seller.api_key.key)
  expect((await events).text).toContain('"status":"voided"')
})
