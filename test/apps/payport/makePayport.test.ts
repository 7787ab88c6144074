import { Effect } from "effect"
import { describe, expect, onTestFinished, test, vi } from "vitest"
import {
  type Failure,
  layer,
  makePayport,
  type PayportOptions,
  PayportService,
} from "../../../apps/payport/index.ts"
import { memory } from "../../../apps/payport/memory.ts"
import { type Entries, storeIn } from "../../../apps/payport/ports.ts"
import { sandbox } from "../../../apps/payport/sandbox.ts"
import { aShop, type Shop } from "./aShop.ts"

test("a payment is made, captured and settled by a sandbox in memory", async () => {
  const payport = await makePayport({ store: memory(), channels: sandbox() })
  const opened = await payport.accounts.create({
    name: "Paper summaries Ltd",
    kind: "seller",
    agent_id: "summaries",
  })
  const seller = await payport.accounts.authenticate(opened.api_key.key)
  const service = await payport.services.create(seller, {
    name: "Paper summaries",
    description: "Sums up a research paper.",
    payment_methods: { one_time: true },
    pricing: { one_time: [{ amount: 699, currency: "USD", label: "One paper" }] },
    accepted_channels: ["wallet_a"],
    default_channel: "wallet_a",
    qr_mode: "dynamic",
    settlement_currency: "USD",
    endpoint: "https://summaries.example/hook",
    tags: ["papers"],
  })
  await payport.services.activate(seller, service.id)
  const { id: buyerId } = await payport.accounts.create({
    name: "Ada",
    kind: "buyer",
    agent_id: "ada",
  })
  const buyer = await payport.caller(buyerId)
  const { id, qr } = await payport.intents.create(buyer, {
    service_id: service.id,
    type: "one_time",
    amount: { currency: "USD", value: 699 },
    description: "One paper",
  })
  expect(qr?.qr_data).toContain("svc://")
  await payport.sandbox.simulate(buyer, id, { action: "authorize" })
  await payport.intents.capture(seller, id)
  await payport.sandbox.advanceClock(buyer, { seconds: 5 })
  expect((await payport.intents.get(buyer, id)).status).toBe("succeeded")
  const { data } = await payport.events.list(seller, { limit: 5 })
  expect(data.map(({ type }) => type)).toContain("payment_intent.succeeded")
  await payport.close()
})

const refusal = (calling: Promise<unknown>): Promise<unknown> =>
  calling.then(
    () => undefined,
    (error: unknown) => error,
  )

describe("a payport", () => {
  const opened = async (said: Pick<PayportOptions, "baseUrl"> = {}) => {
    const shop = await aShop({ store: memory(), log: false, ...said })
    onTestFinished(() => shop.payport.close())
    const input = { ...shop.order, amount: { currency: "USD", value: 100 } }
    return { ...shop, input }
  }

  test("does a call once under an idempotency key, and refuses another under it", async () => {
    const { buyer, input, payport } = await opened()
    const once = { idempotencyKey: "order-1" }
    const [first, again] = [
      await payport.intents.create(buyer, input, once),
      await payport.intents.create(buyer, input, once),
    ]
    expect(again).toEqual(first)
    expect((await payport.intents.list(buyer)).data).toHaveLength(1)
    const other = payport.intents.create(buyer, { ...input, description: "Another" }, once)
    await expect(other).rejects.toMatchObject({ code: "IDEMPOTENCY_KEY_USED" })
    const refused = { ...input, amount: { currency: "EUR", value: 100 } }
    const kept = () => payport.intents.create(buyer, refused, { idempotencyKey: "order-2" })
    const [one, two] = [await refusal(kept()), await refusal(kept())]
    expect(two).toMatchObject({ ...(one as Failure) })
  })

  test("follows a payment until it ends", async () => {
    const { buyer, input, payport } = await opened()
    const { id } = await payport.intents.create(buyer, input)
    const states: Array<string> = []
    for await (const { status } of payport.intents.follow(buyer, id)) {
      states.push(status)
      if (states.length === 1) await payport.intents.void(buyer, id)
    }
    expect(states).toEqual(["qr_generated", "voided"])
    const none = payport.intents.follow(buyer, "pi_00000000-0000-7000-8000-000000000000")
    await expect(none.next()).rejects.toMatchObject({ code: "NOT_FOUND" })
  })

  test("draws codes, and reads no pictures", async () => {
    const { buyer, input, payport } = await opened()
    const { id } = await payport.intents.create(buyer, input)
    expect((await payport.intents.qr(buyer, id)).qr_data).toContain(id)
    expect(await payport.intents.qrSvg(buyer, id)).toContain("<svg")
    const png = await payport.intents.qrPng(buyer, id)
    expect(String.fromCharCode(...png.subarray(1, 4))).toBe("PNG")
    const image = btoa(String.fromCharCode(...png))
    const reading = payport.language.readQr(buyer, { image })
    await expect(reading).rejects.toMatchObject({ code: "INVALID_IMAGE", field: "image" })
  })

  test("refuses a key, an account and a caller whose account is suspended meanwhile", async () => {
    const { buyer, keys, payport } = await opened()
    await payport.accounts.suspend(buyer.accountId)
    const suspended = { code: "ACCOUNT_SUSPENDED" }
    await expect(payport.intents.list(buyer)).rejects.toMatchObject(suspended)
    await expect(payport.caller(buyer.accountId)).rejects.toMatchObject(suspended)
    await expect(payport.accounts.authenticate(keys.buyer.key)).rejects.toMatchObject(suspended)
    await payport.accounts.resume(buyer.accountId)
    expect((await payport.intents.list(buyer)).data).toEqual([])
    const { data } = await payport.audit.list()
    expect(data.map(({ actor }) => actor)).toContain("operator:host")
  })

  test("does nothing more once it is closed, and another one of the process goes on", async () => {
    const [one, other] = [await opened(), await opened()]
    await one.payport.close()
    const refused = one.payport.intents.create(one.buyer, one.input)
    await expect(refused).rejects.toMatchObject({ code: "TEMPORARILY_UNAVAILABLE" })
    for (const open of [one.payport.http, one.payport.work]) expect(() => open()).toThrow(/closed/)
    await one.payport.close()
    expect((await other.payport.intents.create(other.buyer, other.input)).status).toBe("pending")
  })

  test("takes options of a call that are undefined as none", async () => {
    const { buyer, input, payport } = await opened()
    const options = { signal: undefined, idempotencyKey: undefined }
    expect((await payport.intents.create(buyer, input, options)).status).toBe("pending")
  })

  test("is closed at the end of the block that uses it", async () => {
    const callIn = async () => {
      await using payport = await makePayport({ store: memory(), channels: sandbox() })
      const { api_key } = await payport.accounts.create({
        name: "Ada",
        kind: "buyer",
        agent_id: "ada",
      })
      const ada = await payport.accounts.authenticate(api_key.key)
      return () => payport.intents.list(ada)
    }
    const call = await callIn()
    await expect(call()).rejects.toMatchObject({ code: "TEMPORARILY_UNAVAILABLE" })
  })

  test("is closed by a hook of a commit, which is stored before everything ends", async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const close = (): Promise<void> => shop.payport.close().then(resolve)
    const hook = { kinds: ["payment_intent"], run: close } as const
    const shop: Shop = await aShop({ store: memory(), log: false, beforeCommit: hook })
    const input = { ...shop.order, amount: { currency: "USD", value: 100 } }
    const { status } = await shop.payport.intents.create(shop.buyer, input)
    await promise
    expect(status).toBe("pending")
    await shop.payport.close()
  })

  test("says in its log why the store is unavailable", async () => {
    const entries = new Map<string, string>()
    let isFull = false
    const open = (): Entries => ({
      get: (name) => entries.get(name),
      set: (name, text) => {
        if (isFull) throw new Error("no space left on the disk")
        entries.set(name, text)
      },
      delete: (name) => void entries.delete(name),
      list: ({ above, below, limit, order }) => {
        const compared = (one: string, other: string) =>
          Buffer.compare(Buffer.from(one), Buffer.from(other))
        const found = [...entries]
          .filter(([name]) => compared(name, above) > 0 && compared(name, below) < 0)
          .toSorted(([one], [other]) => compared(one, other))
        return (order === "ascending" ? found : found.toReversed()).slice(0, limit)
      },
      atomically: (body) => {
        const before = [...entries]
        try {
          return body()
        } catch (error) {
          entries.clear()
          for (const [name, text] of before) entries.set(name, text)
          throw error
        }
      },
      close: () => {},
    })
    const lines: Array<string> = []
    const shop = await aShop({
      store: storeIn(open),
      secrets: { masterKey: new Uint8Array(32).fill(7) },
      work: false,
      log: ({ level, message }) => void lines.push(`${level}: ${message}`),
    })
    onTestFinished(() => shop.payport.close())
    isFull = true
    const amount = { currency: "USD", value: 100 }
    const creating = shop.payport.intents.create(shop.buyer, { ...shop.order, amount })
    await expect(creating).rejects.toMatchObject({ code: "TEMPORARILY_UNAVAILABLE" })
    expect(lines.join("\n")).toMatch(/^Warn: .*no space left on the disk/m)
  })

  test("logs an error that cannot be read, and brings the event again", async () => {
    const lines: Array<unknown> = []
    const stderr = vi.spyOn(console, "error").mockImplementation((line) => void lines.push(line))
    onTestFinished(() => stderr.mockRestore())
    const unreadable = new Error("broken")
    const trap = () => {
      throw new Error("trap")
    }
    Object.defineProperty(unreadable, "stack", { get: trap })
    const handle = vi.fn(() => Promise.reject(unreadable))
    const onEvent = { consumer: "orders", handle }
    const { buyer, order, payport } = await aShop({ store: memory(), onEvent, work: false })
    onTestFinished(() => payport.close())
    const amount = { currency: "USD", value: 100 }
    const { id } = await payport.intents.create(buyer, { ...order, amount })
    await payport.sandbox.simulate(buyer, id, { action: "reject" })
    await payport.sandbox.advanceClock(buyer, { seconds: 3 })
    expect(handle).toHaveBeenCalledTimes(2)
    expect(lines.join("\n")).toContain("A consumer failed.")
  })

  const breaks = (): never => {
    throw new Error("The disk is full.")
  }
  test.each<[string, () => unknown]>([
    ["throws", breaks],
    ["rejects later", async () => breaks()],
  ])("goes on with a log that %s", async (_name, log) => {
    const broken: Array<unknown> = []
    const note = (error: unknown) => void broken.push(error)
    process.on("unhandledRejection", note)
    onTestFinished(() => void process.off("unhandledRejection", note))
    let logged = 0
    const beforeCommit = { kinds: ["payment_intent"], run: () => 5 } as const
    const counting = () => (logged++, log())
    const shop = await aShop({ store: memory(), beforeCommit, log: () => counting() })
    onTestFinished(() => shop.payport.close())
    const amount = { currency: "USD", value: 100 }
    const creating = shop.payport.intents.create(shop.buyer, { ...shop.order, amount })
    await expect(creating).rejects.toMatchObject({ code: "INTERNAL_ERROR" })
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(logged).toBeGreaterThan(0)
    expect(broken).toEqual([])
  })

  test("serves the interface in an app, which knows the same accounts and keys", async () => {
    const { buyer, input, keys, payport } = await opened({ baseUrl: "https://shop.example/pay" })
    const once = { idempotencyKey: "order-1" }
    const { id } = await payport.intents.create(buyer, input, once)
    const headers = {
      authorization: `Bearer ${keys.buyer.key}`,
      "content-type": "application/json",
      "idempotency-key": "order-1",
    }
    const { fetch } = payport.http()
    const request = { method: "POST", headers, body: JSON.stringify(input) }
    const answer = await fetch(new Request("http://host.test/pay/v1/payment-intents", request))
    expect(answer.status).toBe(201)
    expect(answer.headers.get("idempotent-replayed")).toBe("true")
    expect(await answer.json()).toMatchObject({ id })
  })

  test("gives up a call that its signal ends, with the signal's reason", async () => {
    const { buyer, input, payport } = await opened()
    const reason = new Error("the caller has gone")
    const signal = AbortSignal.abort(reason)
    await expect(payport.intents.create(buyer, input, { signal })).rejects.toBe(reason)
  })

  test("is a service of Effect as well, whose failures are in its types", async () => {
    const { buyer, input, payport } = await opened()
    const wrong = { ...input, amount: { currency: "USD", value: 0 } }
    const creating = Effect.match(payport.effects.intents.create(buyer, wrong), {
      onFailure: ({ code, field }) => ({ code, field }),
      onSuccess: ({ id }) => ({ id }),
    })
    const program = Effect.gen(function* () {
      const own = yield* PayportService
      const { data } = yield* own.effects.accounts.list()
      return data
    })
    const layered = layer({ store: memory(), channels: sandbox(), log: false })
    expect(await Effect.runPromise(Effect.provide(program, layered))).toEqual([])
    const failed = { code: "INVALID_AMOUNT", field: "amount.value" }
    expect(await Effect.runPromise(creating)).toEqual(failed)
  })
})
