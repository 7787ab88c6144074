import { Effect } from "effect"
import { FetchHttpClient } from "effect/http"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, beforeAll, describe, expect, expectTypeOf, onTestFinished, test } from "vitest"
import {
  CreationLimitReached,
  makeClient,
  makeEffectClient,
  PayportError,
} from "../../adapters/http/client/client.ts"
import { aManifest, ADMIN_KEY, type App, startApp } from "../support/app.ts"

let app: App
beforeAll(async () => {
  app = await startApp({ sandbox: true })
})
afterAll(() => app.stop())

const as = (apiKey: string) => makeClient({ baseUrl: app.url, apiKey })
const manifest = (name: string) => {
  const { payment_methods, pricing } = aManifest()
  return {
    name,
    description: "Forecasts for any place on earth.",
    payment_methods,
    pricing,
    accepted_channels: ["wallet_a"],
    qr_mode: "dynamic",
    settlement_currency: "USD",
    endpoint: "https://weather.example/webhooks",
    default_channel: "wallet_a",
  } as const
}

const payment = (service_id: string) => ({
  service_id,
  amount: { currency: "USD", value: 500 },
  description: "A report",
})

describe("a program with the typed client", () => {
  test("sells and buys, from registration to settlement", async () => {
    const seller = as(app.seller.api_key.key)
    const buyer = as(app.buyer.api_key.key)
    const draft = await seller.services.register({ payload: manifest("Sold") })
    expect(draft.status).toBe("draft")
    await seller.services.activate({ params: { id: draft.id } })
    const found = await buyer.services.search({ query: { q: "sold", limit: 5 } })
    expect(found.data.map(({ id }) => id)).toEqual([draft.id])
    expect(found.pagination).toEqual({ total: 1, limit: 5, offset: 0 })

    const made = await buyer.paymentIntents.create({
      payload: { ...payment(draft.id), type: "one_time" },
    })
    expectTypeOf(made.amount.value).toEqualTypeOf<number>()
    const seen: Array<string> = []
    const watching = (async () => {
      const events = await buyer.paymentIntents.events({ params: { id: made.id } })
      for await (const { data } of events) seen.push(data.status)
    })()
    await buyer.sandbox.simulate({ params: { id: made.id }, payload: { action: "authorize" } })
    const captured = await seller.paymentIntents.capture({ params: { id: made.id } })
    expect(captured.status).toBe("captured")
    await seller.sandbox.advanceClock({ payload: { seconds: 3 } })
    expect((await buyer.paymentIntents.get({ params: { id: made.id } })).status).toBe("succeeded")
    await watching
    expect(seen.at(-1)).toBe("succeeded")
    const listed = await seller.paymentIntents.list({ query: { status: "succeeded", limit: 1 } })
    expect(listed.data.map(({ id }) => id)).toEqual([made.id])
  })

  test("pays at once by deep link", async () => {
    const seller = as(app.seller.api_key.key)
    const { id } = await seller.services.register({ payload: manifest("At once") })
    await seller.services.activate({ params: { id } })
    const buyer = as(app.buyer.api_key.key)
    const made = await buyer.payments.oneTime({
      payload: { ...payment(id), payer: { agent_id: "agent-of-the-buyer" } },
    })
    expect(made.deeplink).toMatch(/^svc:\/\/pay\/pi_/)
    const paid = await buyer.sandbox.simulate({
      params: { id: made.id },
      payload: { action: "pay" },
    })
    expect(paid.status).toBe("completed")
  })

  test("learns what is wrong before anything is sent, as the service would say it", async () => {
    const nowhere = makeClient({ baseUrl: "http://127.0.0.1:1", apiKey: "sk_test_x" })
    await expect(
      nowhere.paymentIntents.create({
        payload: { ...payment("s"), type: "one_time", amount: { currency: "USD", value: 0 } },
      }),
    ).rejects.toMatchObject({
      _tag: "PayportError",
      status: 400,
      code: "INVALID_AMOUNT",
      category: "validation_error",
      field: "amount.value",
    })
    await expect(nowhere.services.search({ query: { limit: 1_000 } })).rejects.toMatchObject({
      code: "INVALID_QUERY",
      field: "limit",
    })
  })

  test("is told of a field that the service would ignore", async () => {
    const nowhere = makeClient({ baseUrl: "http://127.0.0.1:1", apiKey: "sk_test_x" })
    const payload = { name: "Mine", graceperiod: 5 }
    await expect(
      nowhere.apiKeys.roll({ params: { id: "key_1" }, payload } as never),
    ).rejects.toMatchObject({ code: "INVALID_REQUEST", field: "name" })
    const sent: Array<string | undefined> = []
    const server = createServer(({ headers: { prefer } }, response) => {
      sent.push(String(prefer))
      response.writeHead(404).end()
    })
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    const client = makeClient({ baseUrl: `http://127.0.0.1:${port}`, apiKey: "sk_test_x" })
    await expect(client.channels.list()).rejects.toMatchObject({ status: 404 })
    expect(sent).toEqual(["handling=strict"])
  })

  test("learns what the service refuses", async () => {
    const refusal = as(app.buyer.api_key.key).services.get({ params: { id: "unknown" } })
    await expect(refusal).rejects.toBeInstanceOf(PayportError)
    await expect(refusal).rejects.toBeInstanceOf(Error)
    await expect(refusal).rejects.toMatchObject({
      status: 404,
      code: "NOT_FOUND",
      category: "not_found",
      request_id: expect.stringMatching(/^req_/),
    })
    await expect(as(`sk_test_${"x".repeat(43)}`).channels.list()).rejects.toMatchObject({
      status: 401,
      code: "INVALID_API_KEY",
    })
  })

  test("rotates its key when the old one ends", async () => {
    const { api_key } = await as(ADMIN_KEY).accounts.create({
      payload: { name: "Rotating", kind: "buyer", agent_id: "agent-rotating" },
    })
    let rotated = 0
    const client = makeClient({
      baseUrl: app.url,
      apiKey: `ag_sk_test_${"x".repeat(43)}`,
      rotate: async () => {
        rotated++
        return api_key.key
      },
    })
    expect((await client.channels.list()).data).toHaveLength(13)
    const next = await client.apiKeys.roll({ params: { id: api_key.id } })
    expect(next.replaces.id).toBe(api_key.id)
    expect(rotated).toBe(1)
  })

  test("may be written with effect", async () => {
    const options = { baseUrl: app.url, apiKey: app.buyer.api_key.key }
    const program = Effect.gen(function* () {
      const client = yield* makeEffectClient(options)
      const { data } = yield* client.channels.list()
      const code = yield* client.services.get({ params: { id: "unknown" } }).pipe(
        Effect.as("found"),
        Effect.catchTag("PayportError", ({ code }) => Effect.succeed(code)),
      )
      return { channels: data.length, code }
    })
    expect(await Effect.runPromise(Effect.provide(program, FetchHttpClient.layer))).toEqual({
      channels: 13,
      code: "NOT_FOUND",
    })
  })

  test("creates three payments a session, and more where it is told to", async () => {
    const { key: apiKey } = app.buyer.api_key
    const limited = makeClient({ baseUrl: app.url, apiKey, mostCreations: 1 })
    const create = () =>
      limited.paymentIntents.create({ payload: { ...payment("unknown"), type: "one_time" } })
    await expect(create()).rejects.toMatchObject({ code: "NOT_FOUND" })
    await expect(create()).rejects.toBeInstanceOf(CreationLimitReached)
  })
})
