import { createHmac } from "node:crypto"
import { Effect, Layer } from "effect"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import * as MemoryStore from "../../adapters/memory/MemoryStore.ts"
import { Store } from "../../core/ports/Store.ts"
import { activeService, type App, startApp } from "../support/app.ts"
import { documentOf, undocumented } from "../support/documented.ts"

/** The numbers of the refunds, which only the channel and the service know. */
const numbers: Array<string> = []

const store = Layer.effect(
  Store,
  Effect.map(Store, (inner) =>
    Store.of({
      ...inner,
      commit: (commit) => {
        for (const { kind, op, record } of commit.writes) {
          if (kind === "channel_request" && op === "insert" && record.action === "refund") {
            numbers.push(record.id)
          }
        }
        return inner.commit(commit)
      },
    }),
  ),
).pipe(Layer.provide(MemoryStore.layer))

let app: App
let secret: string
beforeAll(async () => {
  app = await startApp({ sandbox: true, store })
  const { json } = await app.call("GET", "/v1/sandbox/channels")
  const channels = json["data"] as ReadonlyArray<{
    readonly channel: string
    readonly secret: string
  }>
  secret = channels.find(({ channel }) => channel === "wallet_a")?.secret ?? ""
})
afterAll(() => app.stop())

let shops = 0

/** A refund of 200 of 699 that its channel has yet to confirm. */
const pending = async () => {
  shops += 1
  const body = {
    service_id: await activeService(app, { name: `Shop ${shops}` }),
    type: "one_time",
    amount: { currency: "USD", value: 699 },
    description: "A report",
  }
  const key = app.buyer.api_key.key
  const { json } = await app.call("POST", "/v1/payment-intents", { key, body })
  const intent = String(json["id"])
  await app.call("POST", `/v1/sandbox/payment-intents/${intent}/simulate`, {
    body: { action: "authorize" },
  })
  await app.call("POST", `/v1/payment-intents/${intent}/capture`)
  const amount = { currency: "USD", value: 200 }
  const made = await app.call("POST", "/v1/refunds", { body: { payment_intent: intent, amount } })
  expect(made.json["status"]).toBe("pending")
  return { id: String(made.json["id"]), intent, number: numbers.at(-1) ?? "" }
}

type Pending = Awaited<ReturnType<typeof pending>>

const bodyOf = ({ intent, number }: Pending, said: object = {}, channel = "wallet_a") => ({
  channel,
  event: "refund_status",
  data: {
    out_trade_no: intent,
    out_request_no: number,
    refund_amount: "2.00",
    refund_status: "SUCCESS",
    ...said,
  },
})

const PATH = "/v1/webhooks/channel/wallet_a"

const send = async (body: unknown, sign = (text: string) => hmac(text), path = PATH) => {
  const text = typeof body === "string" ? body : JSON.stringify(body)
  const signature = sign(text)
  const headers = signature === null ? {} : { "x-channel-signature": signature }
  const reply = await app.call("POST", path, { key: null, body: text, headers })
  if (reply.status >= 400) {
    expect(undocumented(await documentOf(app), "POST", path, reply)).toBeUndefined()
  }
  return reply
}

const hmac = (text: string, under = secret): string | null =>
  createHmac("sha256", under).update(text).digest("hex")

const refundOf = async ({ id }: Pending) => (await app.call("GET", `/v1/refunds/${id}`)).json

const advance = (seconds: number) =>
  app.call("POST", "/v1/sandbox/clock/advance", { body: { seconds } })

describe("a forged or wrong message about a refund", () => {
  test.each<[string, (text: string) => string | null]>([
    ["no signature", () => null],
    ["an empty one", () => ""],
    ["one under another secret", (text) => hmac(text, "x")],
    ["one of another body", (text) => hmac(`${text} `)],
    ["half of it", (text) => hmac(text)?.slice(0, 32) ?? ""],
  ])("moves nothing: %s", async (_, sign) => {
    const refund = await pending()
    const reply = await send(bodyOf(refund, { refund_status: "FAILED" }), sign)
    expect([reply.status, reply.json["code"]]).toEqual([401, "webhook_signature_invalid"])
    expect((await refundOf(refund))["status"]).toBe("pending")
  })

  const other = "01997d3e-8a00-7000-8000-00000000ffff"
  test.each<[string, object, number, string]>([
    ["an unknown payment", { out_trade_no: `pi_${other}` }, 404, "NOT_FOUND"],
    ["an unknown request", { out_request_no: `creq_${other}` }, 404, "NOT_FOUND"],
    ["a request that is none", { out_request_no: "'; --" }, 404, "NOT_FOUND"],
    ["more than was asked for", { refund_amount: "2.01" }, 400, "AMOUNT_MISMATCH"],
    ["less than was asked for", { refund_amount: "1.99" }, 400, "AMOUNT_MISMATCH"],
    ["parts of a minor unit", { refund_amount: "2.001" }, 400, "AMOUNT_MISMATCH"],
    ["another currency", { currency: "EUR" }, 400, "AMOUNT_MISMATCH"],
    ["a negative amount", { refund_amount: "-2.00" }, 422, "INVALID_REQUEST"],
    ["an amount in words", { refund_amount: "two" }, 422, "INVALID_REQUEST"],
    ["a number for an amount", { refund_amount: 2 }, 422, "INVALID_REQUEST"],
    ["another status", { refund_status: "MAYBE" }, 422, "INVALID_REQUEST"],
    ["no status", { refund_status: undefined }, 422, "INVALID_REQUEST"],
    ["no amount", { refund_amount: undefined }, 422, "INVALID_REQUEST"],
    ["no request", { out_request_no: undefined }, 422, "INVALID_REQUEST"],
    ["a reason of 513", { failure_reason: "x".repeat(513) }, 422, "INVALID_REQUEST"],
    ["a null reason", { failure_reason: null }, 422, "INVALID_REQUEST"],
  ])("is refused: %s", async (_, said, status, code) => {
    const refund = await pending()
    const reply = await send(bodyOf(refund, said))
    expect([reply.status, reply.json["code"]]).toEqual([status, code])
    expect((await refundOf(refund))["status"]).toBe("pending")
    await advance(1)
    expect((await refundOf(refund))["status"]).toBe("succeeded")
  })

  test("is refused for another channel, and for another payment's refund", async () => {
    const [refund, theirs] = [await pending(), await pending()]
    const spoken = await send(bodyOf(refund, {}, "wallet_b"))
    expect([spoken.status, spoken.json["code"]]).toEqual([400, "CHANNEL_MISMATCH"])
    const mixed = await send(bodyOf({ ...refund, number: theirs.number }))
    expect([mixed.status, mixed.json["code"]]).toEqual([404, "NOT_FOUND"])
    const list = await send("[]")
    expect([list.status, list.json["code"]]).toEqual([400, "INVALID_JSON"])
    const event = await send({ ...bodyOf(refund), event: "refund" })
    expect([event.status, event.json["code"]]).toEqual([422, "INVALID_REQUEST"])
  })
})

describe("a signed message about a refund", () => {
  test("confirms it before the channel would have, and once", async () => {
    const refund = await pending()
    const reply = await send(bodyOf(refund))
    expect([reply.status, reply.json]).toEqual([200, { received: true }])
    const ended = await refundOf(refund)
    expect(ended["status"]).toBe("succeeded")
    expect((await send(bodyOf(refund))).status).toBe(200)
    await advance(60)
    expect(await refundOf(refund)).toEqual(ended)
  })

  test("fails it, which the sandbox's channel then knows too", async () => {
    const refund = await pending()
    const no = { refund_status: "FAILED", failure_reason: "The wallet is closed." }
    expect((await send(bodyOf(refund, no))).status).toBe(200)
    await advance(60)
    expect(await refundOf(refund)).toMatchObject({
      status: "failed",
      channel_reason: "The wallet is closed.",
      remaining_refundable: { value: 699 },
    })
    const whole = await app.call("POST", "/v1/refunds", { body: { payment_intent: refund.intent } })
    expect(whole.status).toBe(201)
    await advance(1)
    const { json } = await app.call("GET", `/v1/refunds/${String(whole.json["id"])}`)
    expect(json["status"]).toBe("succeeded")
  })
})

test("the document describes both kinds of message", async () => {
  const { json } = await app.call("GET", "/openapi.json")
  const { schemas } = json["components"] as { readonly schemas: { readonly [n: string]: object } }
  expect(JSON.stringify(schemas["ChannelCallback"])).toContain("refund_status")
  expect(JSON.stringify(schemas["ChannelCallback"])).toContain("out_request_no")
  expect(JSON.stringify(schemas["ChannelCallback"])).toContain("trade_status")
})
