import { Effect } from "effect"
import { connect } from "node:net"
import { expect, onTestFinished, test, vi } from "vitest"
import { activeService, type App, startApp } from "../../../support/app.ts"
import { SIGNATURE } from "../../../support/scriptedChannels.ts"

const intentOf = async (app: App) => {
  const service = await activeService(app)
  const { json } = await app.call("POST", "/v1/payment-intents", {
    body: {
      service_id: service,
      type: "one_time",
      amount: { currency: "USD", value: 699 },
      description: "A report",
    },
  })
  return String(json["id"])
}

/** A capture that waits until it is released. */
const heldCapture = async (app: App) => {
  const id = await intentOf(app)
  await app.call("POST", "/v1/webhooks/channel/wallet_a", {
    headers: { "x-channel-signature": SIGNATURE },
    body: {
      channel: "wallet_a",
      out_trade_no: id,
      trade_no: "trade",
      total_amount: "6.99",
      trade_status: "AUTHORIZED",
    },
  })
  let release: () => void = () => undefined
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  const answer = app.script.answer
  app.script.answer = (call) =>
    Effect.andThen(
      Effect.promise(() => held),
      answer(call),
    )
  const capture = app.call("POST", `/v1/payment-intents/${id}/capture`)
  await expect.poll(() => app.script.calls.length).toBe(1)
  return { release, capture }
}

const refused = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, "127.0.0.1")
    socket.on("connect", () => {
      socket.destroy()
      resolve(false)
    })
    socket.on("error", () => resolve(true))
  })

test("a server that stops finishes what it has begun, and takes nothing more", async () => {
  const app = await startApp()
  const { release, capture } = await heldCapture(app)
  const idle = connect(app.port, "127.0.0.1")
  const idleClosed = new Promise((resolve) => idle.on("close", resolve))
  await new Promise((resolve) => idle.on("connect", resolve))
  let drained = false
  const drain = app.drain().then(() => {
    drained = true
  })
  await expect.poll(() => refused(app.port)).toBe(true)
  expect(drained).toBe(false)
  release()
  const reply = await capture
  expect([reply.status, reply.json["status"]]).toEqual([200, "captured"])
  expect(reply.headers.get("connection")).toBe("close")
  await drain
  await idleClosed
  await app.stop()
})

test("what takes longer than the drain time is cut off", async () => {
  const app = await startApp({ drainWithin: 100 })
  const { release, capture } = await heldCapture(app)
  const broken = expect(capture).rejects.toThrow()
  await app.drain()
  await broken
  release()
  await app.stop()
})

test("event streams end when the server stops", async () => {
  const app = await startApp()
  const id = await intentOf(app)
  const response = await fetch(`${app.url}/v1/payment-intents/${id}/events`, {
    headers: { authorization: `Bearer ${app.seller.api_key.key}` },
  })
  await app.drain()
  expect(await response.text()).toContain("event: payment_intent")
  await app.stop()
})

test("what was sent before the server stops is answered, on connections of before", async () => {
  const app = await startApp()
  const sockets = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const socket = connect(app.port, "127.0.0.1")
      let text = ""
      socket.setEncoding("utf8").on("data", (chunk: string) => (text += chunk))
      socket.on("error", (error) => (text += String(error)))
      const ask = () => socket.write("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
      ask()
      await expect.poll(() => text).toContain('"ok"')
      text = ""
      return {
        ask,
        text: () => text,
        closed: new Promise((resolve) => socket.on("close", resolve)),
      }
    }),
  )
  // Half of the requests are already sent; the others follow when the server is stopping.
  const [before, after] = [sockets.slice(0, 10), sockets.slice(10)]
  for (const { ask } of before) ask()
  // The time for reading pending requests is not over before these are sent.
  vi.useFakeTimers({ toFake: ["setTimeout"] })
  onTestFinished(() => void vi.useRealTimers())
  const drain = app.drain()
  for (let turn = 0; turn < 4; turn += 1) await new Promise((resolve) => setImmediate(resolve))
  for (const { ask } of after) ask()
  vi.advanceTimersByTime(100)
  vi.useRealTimers()
  await Promise.all(sockets.map(({ closed }) => closed))
  for (const { text } of sockets) {
    expect(text()).toMatch(/^HTTP\/1\.1 200 [^]*\r\nConnection: close\r\n/i)
  }
  await drain
  await app.stop()
})

test("a server that is stopping is not ready", async () => {
  const app = await startApp()
  const { release, capture } = await heldCapture(app)
  // An existing connection is still served, and told that it will be closed.
  const socket = connect(app.port, "127.0.0.1")
  await new Promise((resolve) => socket.on("connect", resolve))
  let text = ""
  socket.on("data", (chunk) => {
    text += chunk.toString()
  })
  socket.write("GET /readyz HTTP/1.1\r\nHost: x\r\n")
  await new Promise((resolve) => setTimeout(resolve, 50))
  // After a pause of this process, received data may still be unread.
  for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve))
  const drain = app.drain()
  socket.write("\r\n")
  await expect.poll(() => text).toMatch(/^HTTP\/1\.1 503 [^]*stopping/)
  expect(text).toMatch(/connection: close/i)
  release()
  await capture
  await drain
  await app.stop()
})

test("paths that are none of the interface's go to the pages", async () => {
  const app = await startApp({
    pages: [
      async (ctx, next) => {
        if (ctx.path !== "/pay/pi_1") return void (await next())
        ctx.type = "html"
        ctx.body = "<h1>Pay</h1>"
      },
    ],
  })
  const page = await app.call("GET", "/pay/pi_1")
  expect([page.status, page.text]).toEqual([200, "<h1>Pay</h1>"])
  const nothing = await app.call("GET", "/pay/pi_2")
  expect([nothing.status, nothing.json["code"]]).toEqual([404, "NOT_FOUND"])
  await app.stop()
})

test("an address that is taken is a clear error", async () => {
  const app = await startApp()
  await expect(startApp({ port: app.port })).rejects.toThrow(
    `Cannot listen on 127.0.0.1:${app.port} (EADDRINUSE).`,
  )
  await app.stop()
})
