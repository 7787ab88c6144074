import { Effect } from "effect"
import { afterEach, describe, expect, test } from "vitest"
import { ChannelRefusal, defineChannel, type OwnChannel } from "../../../apps/payport/channels.ts"
import { makePayport } from "../../../apps/payport/index.ts"
import { memory } from "../../../apps/payport/memory.ts"
import { sandbox } from "../../../apps/payport/sandbox.ts"
import { aBank, entry, formOf, signed } from "./aBank.ts"
import { aService } from "./aShop.ts"

const closing: Array<() => Promise<void>> = []
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()))
})

/** A live payport whose only channel is the bank, with a service and a buyer. */
const aBankShop = async (given: Partial<OwnChannel> = {}) => {
  const { definition } = aBank(given)
  const log: Array<string> = []
  const payport = await makePayport({
    store: memory(),
    channels: [defineChannel(definition)],
    baseUrl: "https://pay.example",
    work: false,
    log: ({ annotations, message }) => void log.push(`${message} ${JSON.stringify(annotations)}`),
  })
  closing.push(payport.close)
  const open = async (kind: "buyer" | "seller") =>
    payport.caller((await payport.accounts.create({ name: kind, kind, agent_id: kind })).id)
  const [seller, buyer] = [await open("seller"), await open("buyer")]
  const { id: service_id } = await payport.services.create(seller, {
    ...aService,
    name: "Papers",
    accepted_channels: ["own_bank"],
    default_channel: "own_bank",
  })
  await payport.services.activate(seller, service_id)
  const order = { service_id, type: "one_time", description: "Attention" } as const
  const create = () =>
    payport.intents.create(buyer, { ...order, amount: { currency: "USD", value: 699 } })
  const tell = (body: string, headers: object = signed(body)) =>
    payport.channels.receiveCallback("own_bank", body, { ...headers })
  const authorized = async () => {
    const { id } = await create()
    await tell(formOf(id, "AUTHORIZED"))
    return id
  }
  const until = async (id: string, status: string) => {
    for await (const state of payport.intents.follow(seller, id)) {
      if (state.status === status) return
    }
  }
  return { authorized, buyer, create, log, payport, seller, tell, until }
}

/** The part of the OpenAPI document about channels. */
interface Document {
  readonly components: {
    readonly schemas: {
      readonly Channel: { readonly properties: { readonly channel: { readonly enum: unknown } } }
    }
  }
  readonly paths: {
    readonly "/v1/webhooks/channel/{channel}": {
      readonly post: { readonly parameters: ReadonlyArray<object> }
    }
  }
}

describe("a channel of the host's own, in live mode", () => {
  test("takes a payment to its end, and gives it back", async () => {
    const { create, payport, seller, tell } = await aBankShop()
    const { id, qr } = await create()
    expect(qr).toMatchObject({ qr_data: `bank://${id}` })

    const { fetch } = payport.http()
    const form = formOf(id, "AUTHORIZED")
    const url = "https://pay.example/v1/webhooks/channel/own_bank"
    const sent = await fetch(
      new Request(url, { method: "POST", body: form, headers: signed(form) }),
    )
    expect([sent.status, await sent.json()]).toEqual([200, { received: true }])

    await payport.intents.capture(seller, id)
    await tell(formOf(id, "SUCCESS"))
    const paid = await payport.intents.get(seller, id)
    expect(paid).toMatchObject({
      status: "succeeded",
      channel: "own_bank",
      // 20 and 50 parts of ten thousand of 699, rounded half to even.
      fees: { channel: { value: 1 }, service: { value: 3 } },
    })
    const refund = await payport.refunds.create(seller, { payment_intent: id })
    expect(refund).toMatchObject({ status: "succeeded" })
  })

  test("is the catalog that is in force", async () => {
    const { buyer, payport, seller } = await aBankShop()
    const { data } = await payport.channels.list(buyer)
    const { id: channel, ...shown } = entry
    expect(data).toEqual([{ channel, partial_capture: false, ...shown, health: "up" }])
    const described = await payport.http().fetch(new Request("https://pay.example/openapi.json"))
    const { components, paths } = (await described.json()) as Document
    expect(components.schemas.Channel.properties.channel.enum).toEqual(["own_bank"])
    const [parameter] = paths["/v1/webhooks/channel/{channel}"].post.parameters
    expect(parameter).toMatchObject({ name: "channel", schema: { enum: ["own_bank"] } })

    const refused = payport.services.create(seller, { ...aService, name: "Other" })
    await expect(refused).rejects.toMatchObject({
      code: "UNSUPPORTED_CHANNEL",
      details: { supported_channels: ["own_bank"] },
    })
  })
})

const hangs = () => new Promise<never>(() => {})
const throws = () => {
  throw new Error("The line is cut.")
}
const throwing = (value: unknown) => () => {
  throw value
}
const cyclic: { status: string; self?: unknown } = { status: "created" }
cyclic.self = cyclic
const hostile: object = new Proxy({}, { get: throws, getPrototypeOf: throws, ownKeys: throws })
const busy = new ChannelRefusal({ reason: "rate_limited", message: "Slowly.", retry_after: 7 })
const closed = { status: "refused", reason: "Closed today." }

test.each<[string, () => unknown, string, string]>([
  ["throws", throws, "CHANNEL_TEMPORARILY_UNAVAILABLE", "createQr of own_bank failed: The line"],
  ["rejects", () => Promise.reject(new Error("Shut.")), "CHANNEL_TEMPORARILY_UNAVAILABLE", "Shut."],
  [
    "throws no error",
    () => Promise.reject(5),
    "CHANNEL_TEMPORARILY_UNAVAILABLE",
    "without a message",
  ],
  [
    "throws what cannot be read",
    throwing(hostile),
    "CHANNEL_TEMPORARILY_UNAVAILABLE",
    "without a message",
  ],
  ["fails as an effect", () => Effect.fail(busy), "CHANNEL_TEMPORARILY_UNAVAILABLE", "Slowly."],
  ["dies as an effect", () => Effect.die("bug"), "CHANNEL_TEMPORARILY_UNAVAILABLE", "failed: bug"],
  ["hangs", hangs, "CHANNEL_TEMPORARILY_UNAVAILABLE", "no answer within 100 ms"],
  ["hangs as an effect", () => Effect.never, "CHANNEL_TEMPORARILY_UNAVAILABLE", "within 100 ms"],
  ["answers what cannot be read", () => hostile, "CHANNEL_TEMPORARILY_UNAVAILABLE", "The line"],
  ["answers nothing", () => undefined, "CHANNEL_ERROR", "status is required"],
  ["answers text", () => "created", "CHANNEL_ERROR", "an object"],
  ["answers without a code", () => ({ status: "created" }), "CHANNEL_ERROR", "qr_data"],
  ["answers no text", () => ({ status: "created", qr_data: 5 }), "CHANNEL_ERROR", "qr_data"],
  [
    "answers half a text",
    () => ({ status: "created", qr_data: "\ud800" }),
    "CHANNEL_ERROR",
    "JSON",
  ],
  ["answers what refers to itself", () => cyclic, "CHANNEL_ERROR", "JSON"],
  ["answers a big number", () => ({ status: "created", qr_data: 5n }), "CHANNEL_ERROR", "JSON"],
])("a channel that %s makes no charge, and the log says why", async (_name, run, code, hint) => {
  const createQr = run as OwnChannel["createQr"]
  const { create, log } = await aBankShop({ createQr, timeoutMs: 100 })
  await expect(create()).rejects.toMatchObject({ code })
  expect(log.join()).toContain(hint)
})

test("a payment whose one channel refuses the charge has failed", async () => {
  const { create } = await aBankShop({ createQr: () => closed as { status: "refused" } })
  expect(await create()).toMatchObject({ status: "failed", qr: null })
})

test.each<[string, () => unknown]>([
  ["throws", throws],
  ["hangs", hangs],
  ["answers nonsense", () => ({ status: "done" })],
])("a capture that %s is asked about, and made no second time", async (_name, fails) => {
  let captures = 0
  const { definition } = aBank()
  const { authorized, payport, seller, until } = await aBankShop({
    timeoutMs: 100,
    capture: async (call, options) => {
      captures++
      await definition.capture(call, options)
      return fails() as never
    },
    inquire: definition.inquire,
  })
  const id = await authorized()
  expect(await payport.intents.capture(seller, id)).toMatchObject({ status: "authorized" })
  payport.work()
  await until(id, "captured")
  expect(captures).toBe(1)
})

describe("a callback", () => {
  test("that the codec does not verify moves nothing, whatever it says", async () => {
    const { buyer, create, payport, tell } = await aBankShop()
    const { id } = await create()
    const form = formOf(id, "AUTHORIZED")
    for (const headers of [{}, { "x-bank-hmac": "forged" }, signed(formOf(id, "SUCCESS"))]) {
      await expect(tell(form, headers)).rejects.toMatchObject({ code: "webhook_signature_invalid" })
    }
    expect(await payport.intents.get(buyer, id)).toMatchObject({ status: "qr_generated" })
  })

  test.each<[string, Partial<OwnChannel["codec"]>, string, string]>([
    ["throws when it verifies", { verify: throws }, "webhook_signature_invalid", "verify"],
    ["hangs when it verifies", { verify: hangs }, "webhook_signature_invalid", "verify"],
    ["is not sure", { verify: () => "yes" as never }, "webhook_signature_invalid", "verify"],
    ["throws when it reads", { read: throws }, "INVALID_REQUEST", "The line is cut."],
    ["reads nothing", { read: () => undefined as never }, "INVALID_REQUEST", "event"],
    ["reads no event", { read: () => ({ event: "paid" }) as never }, "INVALID_REQUEST", "event"],
    ["reads no amount", { read: () => ({ event: "trade_status" }) as never }, "", "required"],
  ])("of a codec that %s is refused", async (_name, codec, code, hint) => {
    const { definition } = aBank()
    const own = { codec: { ...definition.codec, ...codec }, timeoutMs: 100 }
    const { create, tell } = await aBankShop(own)
    const { id } = await create()
    await expect(tell(formOf(id, "AUTHORIZED"))).rejects.toMatchObject({
      code: code === "" ? "INVALID_REQUEST" : code,
      message: expect.stringContaining(hint) as string,
    })
  })
})

test.each<[string, () => never, string]>([
  ["an error", throws, "The line is cut."],
  ["what cannot be written as JSON", throwing(cyclic), "without a message"],
  ["what cannot be read", throwing(hostile), "without a message"],
  ["a text", throwing("No such key."), "No such key."],
])("the log says why a codec did not verify that throws %s", async (_name, verify, hint) => {
  const { definition } = aBank()
  const { create, log, tell } = await aBankShop({ codec: { ...definition.codec, verify } })
  const { id } = await create()
  const code = "webhook_signature_invalid"
  await expect(tell(formOf(id, "AUTHORIZED"))).rejects.toMatchObject({ code })
  expect(log.join()).toContain(hint)
})

test("it stands beside simulated channels, and in the place of one", async () => {
  const { definition } = aBank({ channel: { ...entry, id: "wallet_a" } })
  const own = { ...entry, id: "purse", label: "Purse" }
  const payport = await makePayport({
    store: memory(),
    channels: sandbox({ simulated: ["wallet_b", own], channels: [defineChannel(definition)] }),
    log: false,
  })
  closing.push(payport.close)
  const { id } = await payport.accounts.create({ name: "Ada", kind: "buyer", agent_id: "ada" })
  const { data } = await payport.channels.list(await payport.caller(id))
  expect(data.map(({ channel, label }) => [channel, label])).toEqual([
    ["wallet_a", "Own Bank"],
    ["wallet_b", "Wallet B"],
    ["purse", "Purse"],
  ])
})
