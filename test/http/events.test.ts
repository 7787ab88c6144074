import { Effect, Layer } from "effect"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import * as MemoryStore from "../../adapters/memory/MemoryStore.ts"
import { Store } from "../../core/ports/Store.ts"
import { activeService, type App, startApp } from "../support/app.ts"
import { SIGNATURE } from "../support/scriptedChannels.ts"

let app: App
let service: string
beforeAll(async () => {
  app = await startApp({
    streams: { most: 4, mostPerAccount: 3, pollEvery: 50, heartbeatEvery: 40 },
  })
  service = await activeService(app)
})
afterAll(() => app.stop())

interface Event {
  readonly id: string
  readonly event: string
  readonly data: { readonly status: string; readonly id: string }
}

const parse = (block: string): Event | undefined => {
  const fields = new Map(
    block.split("\n").map((line): [string, string] => {
      const at = line.indexOf(": ")
      return [line.slice(0, at), line.slice(at + 2)]
    }),
  )
  const data = fields.get("data")
  return data === undefined
    ? undefined
    : { id: fields.get("id") ?? "", event: fields.get("event") ?? "", data: JSON.parse(data) }
}

/** Opens a stream and collects what comes until it ends. */
const open = async (id: string, headers: { readonly [name: string]: string } = {}, of = app) => {
  const abort = new AbortController()
  const response = await fetch(`${of.url}/v1/payment-intents/${id}/events`, {
    headers: { authorization: `Bearer ${of.seller.api_key.key}`, ...headers },
    signal: abort.signal,
  })
  const events: Array<Event> = []
  let text = ""
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  const read = async () => {
    for (let next = await reader?.read(); next?.done === false; next = await reader?.read()) {
      text += next.value
      events.splice(0, events.length, ...text.split("\n\n").flatMap((b) => parse(b) ?? []))
    }
  }
  const ended = read().catch(() => undefined)
  return { response, events, ended, text: () => text, close: () => abort.abort() }
}

const anIntent = async (of = app, service_id = service) => {
  const { json } = await of.call("POST", "/v1/payment-intents", {
    key: of.buyer.api_key.key,
    body: {
      service_id,
      type: "one_time",
      amount: { currency: "USD", value: 699 },
      description: "A report",
    },
  })
  return String(json["id"])
}

const say = (id: string, trade_status: string) =>
  app.call("POST", "/v1/webhooks/channel/wallet_a", {
    headers: { "x-channel-signature": SIGNATURE },
    body: {
      channel: "wallet_a",
      out_trade_no: id,
      trade_no: `trade-of-${id}`,
      total_amount: "6.99",
      trade_status,
    },
  })

describe("the events of a payment", () => {
  test("begin with its state, follow every change and end with its last", async () => {
    const id = await anIntent()
    const stream = await open(id)
    expect(stream.response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8")
    await expect.poll(() => stream.events.length).toBe(1)
    await say(id, "SCANNED")
    await expect.poll(() => stream.events.length).toBe(2)
    await say(id, "AUTHORIZED")
    await expect.poll(() => stream.events.length).toBe(3)
    await app.call("POST", `/v1/payment-intents/${id}/void`)
    await stream.ended
    expect(stream.events.map(({ data }) => data.status)).toEqual([
      "qr_generated",
      "scanning",
      "authorized",
      "voided",
    ])
    expect(
      stream.events.every(({ event, data }) => event === "payment_intent" && data.id === id),
    ).toBe(true)
    const ids = stream.events.map((event) => Number(event.id))
    expect(ids).toEqual(ids.toSorted((a, b) => a - b))
    expect(new Set(ids).size).toBe(4)
  })

  test("of one that has ended are one event", async () => {
    const id = await anIntent()
    await app.call("POST", `/v1/payment-intents/${id}/cancel`)
    const stream = await open(id)
    await stream.ended
    expect(stream.events.map(({ data }) => data.status)).toEqual(["cancelled"])
  })

  test("leave out the state that the reader has seen", async () => {
    const id = await anIntent()
    const first = await open(id)
    await expect.poll(() => first.events.length).toBe(1)
    first.close()
    const again = await open(id, { "last-event-id": first.events[0]?.id ?? "" })
    await expect.poll(() => again.text()).toContain(": still here")
    expect(again.events).toEqual([])
    await app.call("POST", `/v1/payment-intents/${id}/void`)
    await again.ended
    expect(again.events.map(({ data }) => data.status)).toEqual(["voided"])
  })

  test("stay quiet while nothing changes, but for a sign of life", async () => {
    const stream = await open(await anIntent())
    await expect.poll(() => stream.text().match(/still here/g)?.length ?? 0).toBeGreaterThan(2)
    expect(stream.events).toHaveLength(1)
    stream.close()
    await stream.ended
  })

  test("are for those who may see the payment", async () => {
    const id = await anIntent()
    const other = `${id.slice(0, -1)}${id.endsWith("0") ? "1" : "0"}`
    const reply = await app.call("GET", `/v1/payment-intents/${other}/events`)
    expect([reply.status, reply.json["code"]]).toEqual([404, "NOT_FOUND"])
    const nobody = await app.call("GET", `/v1/payment-intents/${id}/events`, { key: null })
    expect(nobody.status).toBe(401)
  })

  test("are bounded: one stream too many is told to come back", async () => {
    const id = await anIntent()
    const streams = [await open(id), await open(id), await open(id)]
    const refused = await open(id)
    expect(refused.response.status).toBe(503)
    expect(Number(refused.response.headers.get("retry-after"))).toBeGreaterThan(0)
    await refused.ended
    streams[0]?.close()
    await expect
      .poll(async () => {
        const next = await open(id)
        next.close()
        return next.response.status
      })
      .toBe(200)
    for (const stream of streams) stream.close()
  })

  test("HEAD opens none", async () => {
    const id = await anIntent()
    const reply = await app.call("HEAD", `/v1/payment-intents/${id}/events`)
    expect([reply.status, reply.text]).toEqual([200, ""])
  })
})

test("a change that another process made is found by looking again", async () => {
  // A store whose watchers are not notified, as after commits by another process.
  const deaf = Layer.effect(
    Store,
    Effect.map(Store, (inner) => Store.of({ ...inner, watch: () => () => undefined })),
  ).pipe(Layer.provide(MemoryStore.layer))
  const other = await startApp({ store: deaf, streams: { pollEvery: 30 } })
  const id = await anIntent(other, await activeService(other))
  const stream = await open(id, {}, other)
  await expect.poll(() => stream.events.length).toBe(1)
  await other.call("POST", `/v1/payment-intents/${id}/void`)
  await stream.ended
  expect(stream.events.map(({ data }) => data.status)).toEqual(["qr_generated", "voided"])
  await other.stop()
})
