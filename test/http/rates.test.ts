import { Effect, Layer } from "effect"
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest"
import { WallClock } from "../../core/ports/WallClock.ts"
import { activeService, type App, startApp } from "../support/app.ts"

/** The time outside, which a test moves. */
const outside = { now: Date.UTC(2026, 5, 2, 12) }
const wall = Layer.succeed(WallClock, { now: Effect.sync(() => outside.now) })

let app: App
let backed: string
let alone: string

beforeAll(async () => {
  app = await startApp({ sandbox: true, wall })
  backed = await activeService(app, { name: "With a fallback", fallback_channel: "wallet_b" })
  alone = await activeService(app)
})

afterAll(() => app.stop())

beforeEach(() => {
  outside.now += 1_000
})

const create = (service_id: string, payer_channel?: string) =>
  app.call("POST", "/v1/payment-intents", {
    key: app.buyer.api_key.key,
    body: {
      service_id,
      type: "one_time",
      amount: { currency: "USD", value: 1 },
      description: "One of very many",
      ...(payer_channel !== undefined && { payer_channel }),
    },
  })

const link = (service_id: string) =>
  app.call("POST", "/v1/payments/one-time", {
    key: app.buyer.api_key.key,
    body: {
      service_id,
      amount: { currency: "USD", value: 1 },
      description: "One of very many",
      payer: { agent_id: "agent-of-the-buyer" },
    },
  })

const flood = (count: number, service: string, channel?: string) =>
  Promise.all(Array.from({ length: count }, () => create(service, channel)))

const counted = (values: ReadonlyArray<unknown>) =>
  Object.fromEntries(
    [...new Set(values)].map((value) => [
      String(value),
      values.filter((other) => other === value).length,
    ]),
  )

const health = async (channel: string): Promise<unknown> => {
  const { json } = await app.call("GET", "/v1/channels")
  const rows = json["data"] as ReadonlyArray<{ readonly channel: string; readonly health: string }>
  return rows.find((row) => row.channel === channel)?.health
}

// An account may take half of a channel's rate.
test("a flood goes to the fallback where the first channel is over its rate", async () => {
  const answers = await flood(200, backed, "wallet_a")
  expect(counted(answers.map(({ status }) => status))).toEqual({ "201": 200 })
  const channels = answers.map(({ json }) => json["channel"])
  expect(counted(channels)).toEqual({ wallet_a: 75, wallet_b: 125 })
  expect((await link(backed)).json["channel"]).toBe("wallet_b")
  // Another account still has its half.
  expect(await health("wallet_a")).toBe("up")
})

test("without a fallback it is told to come again, and can name another channel", async () => {
  const answers = await flood(170, alone)
  expect(counted(answers.map(({ status }) => status))).toEqual({ "201": 75, "503": 95 })
  for (const { headers, json, status } of answers) {
    if (status === 201) continue
    expect(json["code"]).toBe("CHANNEL_TEMPORARILY_UNAVAILABLE")
    expect(headers.get("retry-after")).toBe("1")
  }
  expect((await link(alone)).status).toBe(503)
  expect((await create(alone, "wallet_b")).json["channel"]).toBe("wallet_b")
  outside.now += 999
  expect((await create(alone)).status).toBe(503)
  outside.now += 1
  expect((await create(alone)).json["channel"]).toBe("wallet_a")
})

test("an advance of the sandbox's clock makes no channel faster", async () => {
  await flood(150, alone)
  const { json } = await app.call("POST", "/v1/sandbox/clock/advance", { body: { seconds: 60 } })
  expect(json["now"]).toBeTypeOf("string")
  expect((await create(alone)).status).toBe(503)
  outside.now += 1_000
  expect((await create(alone)).status).toBe(201)
})
