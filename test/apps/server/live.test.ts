import { randomBytes } from "node:crypto"
import { readdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Effect } from "effect"
import { describe, expect, onTestFinished, test } from "vitest"
import { type Gateway, startGateway } from "../../../apps/channel-gateway/gateway.ts"
import { readChannels } from "../../../apps/server/channelsFile.ts"
import { defaultCatalog } from "../../../core/channels/Catalog.ts"
import { preparedFolder, startOn, temporaryFolder } from "./service.ts"

const token = () => randomBytes(24).toString("base64url")

const agreement = () => ({ key_id: "payport", secret: token(), callback_secret: token() })

type Json = { readonly [field: string]: unknown }

/** A caller of the interface under one key. */
const caller =
  (url: string, key: string) => async (method: string, path: string, body?: object) => {
    const answer = await fetch(url + path, {
      method,
      headers: {
        Authorization: `Bearer ${key}`,
        ...(body !== undefined && { "Content-Type": "application/json" }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    const json = JSON.parse(text) as Json
    return { status: answer.status, json, headers: answer.headers }
  }

type Call = ReturnType<typeof caller>

const manifest = (said: object = {}) => ({
  name: "Weather reports",
  description: "Forecasts for any place on earth.",
  payment_methods: { one_time: true },
  pricing: { one_time: [{ amount: 699, currency: "USD", label: "7 days" }] },
  accepted_channels: ["wallet_a", "wallet_b"],
  default_channel: "wallet_a",
  qr_mode: "dynamic",
  settlement_currency: "USD",
  endpoint: "https://weather.example/webhooks",
  tags: ["weather"],
  ...said,
})

const openService = async (seller: Call, said: object): Promise<string> => {
  const { json } = await seller("POST", "/v1/services", manifest(said))
  const id = String(json["id"])
  await seller("PATCH", `/v1/services/${id}/activate`)
  return id
}

/** Live mode over a gateway with two channels: a seller, a buyer and a service of each kind. */
const openLive = async () => {
  const folder = await preparedFolder()
  const agreements = { wallet_a: agreement(), wallet_b: agreement() }
  const place = { service: "" }
  const gateway = await startGateway({ channels: agreements, service: () => place.service })
  onTestFinished(gateway.close)
  const channels = Object.fromEntries(
    Object.entries(agreements).map(([id, agreed]): [string, object] => [
      id,
      {
        ...agreed,
        base_url: gateway.url,
        secret: { env: `${id.toUpperCase()}_SECRET` },
        timeout_ms: 2_500,
      },
    ]),
  )
  const path = join(folder, "channels.json")
  await writeFile(path, JSON.stringify({ channels }))
  const admin = token()
  const service = await startOn(folder, {
    PAYPORT_MODE: "live",
    // The tests poll, on a slow machine for long, so no rate limit applies.
    PAYPORT_RATE_LIMITS: "off",
    PAYPORT_STOP_PAUSE: "0",
    PAYPORT_CHANNELS: path,
    PAYPORT_MASTER_KEY: randomBytes(32).toString("base64"),
    PAYPORT_ADMIN_KEY: admin,
    WALLET_A_SECRET: agreements.wallet_a.secret,
    WALLET_B_SECRET: agreements.wallet_b.secret,
  })
  place.service = service.url
  const operator = caller(service.url, admin)
  const open = async (kind: string): Promise<Call> => {
    const body = { name: `A ${kind}`, kind, agent_id: `the-${kind}` }
    const { json } = await operator("POST", "/v1/accounts", body)
    return caller(service.url, String((json["api_key"] as Json)["key"]))
  }
  const seller = await open("seller")
  const buyer = await open("buyer")
  const alone = await openService(seller, {})
  const backed = await openService(seller, {
    name: "With a fallback",
    fallback_channel: "wallet_b",
  })
  return { folder, gateway, service, seller, buyer, alone, backed }
}

const order = (service_id: string, said: object = {}) => ({
  service_id,
  type: "one_time",
  amount: { currency: "USD", value: 699 },
  description: "One report",
  ...said,
})

/** Reads a payment until it is as it should be. */
const becomes = async (seller: Call, id: string, status: string): Promise<Json> => {
  for (let tries = 0; tries < 1_000; tries++) {
    const { json } = await seller("GET", `/v1/payment-intents/${id}`)
    if (json["status"] === status) return json
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`The payment ${id} did not become ${status}.`)
}

const authorized = async (gateway: Gateway, buyer: Call, seller: Call, service: string) => {
  const { json, status } = await buyer("POST", "/v1/payment-intents", order(service))
  expect(status).toBe(201)
  const id = String(json["id"])
  expect(gateway.act("wallet_a", id, "scan")).toBe(true)
  await becomes(seller, id, "scanning")
  expect(gateway.act("wallet_a", id, "pay")).toBe(true)
  await becomes(seller, id, "authorized")
  return { id, qr: (json["qr"] as Json)["qr_data"] }
}

const healthOf = async (buyer: Call, channel: string): Promise<unknown> => {
  const { json } = await buyer("GET", "/v1/channels")
  const found = (json["data"] as ReadonlyArray<Json>).find((one) => one["channel"] === channel)
  return found?.["health"]
}

describe("live mode", () => {
  test("takes payments through channels over HTTP, whatever these do", async () => {
    const { alone, backed, buyer, folder, gateway, seller, service } = await openLive()
    expect(service.stdout()).not.toContain("sk_test_")
    expect(service.stderr()).toContain("PAYPORT_DATABASE_URL is unset in live mode")
    expect((await readdir(folder)).filter((name) => name.startsWith("demo"))).toEqual([])
    const list = await buyer("GET", "/v1/channels")
    const shown = (list.json["data"] as ReadonlyArray<Json>).map((one) => one["channel"])
    expect(shown).toEqual(["wallet_a", "wallet_b"])
    expect((await buyer("GET", "/v1/sandbox/channels")).status).toBe(404)

    // A payment from its creation to its settlement.
    const paid = await authorized(gateway, buyer, seller, alone)
    expect(paid.qr).toMatch(/^wallet_a:\/\/charge\/qr_/)
    const captured = await seller("POST", `/v1/payment-intents/${paid.id}/capture`)
    expect(captured.json["status"]).toBe("captured")
    expect(gateway.act("wallet_a", paid.id, "settle")).toBe(true)
    const settled = await becomes(seller, paid.id, "succeeded")
    expect(settled["payer"]).toMatchObject({ human_id: "payer-1" })

    // After the answer to a capture is lost, the channel is asked about it, and captures once.
    const lost = await authorized(gateway, buyer, seller, alone)
    gateway.faults("wallet_a").timeout = true
    const unanswered = await seller("POST", `/v1/payment-intents/${lost.id}/capture`)
    expect(unanswered.json).toMatchObject({ status: "authorized", channel_outcome: "unknown" })
    await becomes(seller, lost.id, "captured")
    gateway.faults("wallet_a").timeout = false
    const captures = gateway.entries.filter(
      ({ out_trade_no, type }) => out_trade_no === lost.id && type === "capture",
    )
    expect(captures).toHaveLength(1)

    // If a channel is over its rate, payments use the fallback, or are refused without one.
    gateway.faults("wallet_a").rate_limited = 6
    const busy = await buyer("POST", "/v1/payment-intents", order(backed))
    expect(busy.json).toMatchObject({ status: "pending", channel: "wallet_b" })
    expect(await healthOf(buyer, "wallet_a")).toBe("rate_limited")
    const refused = await buyer("POST", "/v1/payment-intents", order(alone))
    expect(refused.json["code"]).toBe("CHANNEL_TEMPORARILY_UNAVAILABLE")
    expect(refused.headers.get("retry-after")).toMatch(/^\d+$/)
    gateway.faults("wallet_a").rate_limited = 0
    // A buyer has a rate: asked every 50 ms, the service would refuse to answer.
    await expect
      .poll(() => healthOf(buyer, "wallet_a"), { timeout: 45_000, interval: 1_000 })
      .toBe("up")

    // An outage opens the breaker. The channel then gets no requests for a while, and is used again
    // later.
    gateway.faults("wallet_a").down = true
    for (let n = 0; n < 5; n++) {
      const { json } = await buyer("POST", "/v1/payment-intents", order(backed))
      expect(json["channel"]).toBe("wallet_b")
    }
    expect(await healthOf(buyer, "wallet_a")).toBe("down")
    const before = gateway.requests("wallet_a").length
    expect((await buyer("POST", "/v1/payment-intents", order(alone))).status).toBe(503)
    expect(gateway.requests("wallet_a")).toHaveLength(before)
    gateway.faults("wallet_a").down = false
    await expect
      .poll(() => healthOf(buyer, "wallet_a"), { timeout: 45_000, interval: 1_000 })
      .toBe("up")
    const back = await buyer("POST", "/v1/payment-intents", order(alone))
    expect(back.json).toMatchObject({ status: "pending", channel: "wallet_a" })
  }, 240_000)

  test.each([
    ["the file cannot be read (ENOENT)", undefined],
    ["the file has to be JSON", "{"],
    ["channels is required", "{}"],
    ["channels has to have at least one channel", '{"channels":{}}'],
    ["channels.wallet_z is not a channel", { wallet_z: {} }],
    ["channels.wallet_a.secret is required", { wallet_a: { secret: undefined } }],
    [
      "channels.wallet_a.extra has the wrong form or is not a known field",
      { wallet_a: { extra: 1 } },
    ],
    [
      "channels.wallet_a.base_url has to be an https URL",
      { wallet_a: { base_url: "http://pay.example" } },
    ],
    [
      "channels.wallet_a.secret has to be a random secret",
      { wallet_a: { secret: "x".repeat(32) } },
    ],
    [
      "channels.wallet_a.secret names WALLET_A_NONE, which is not set",
      { wallet_a: { secret: { env: "WALLET_A_NONE" } } },
    ],
    [
      "channels.wallet_a.callback_secret has to differ from secret",
      { wallet_a: { callback_secret: "s3cret-of-wallet-a-0" } },
    ],
    ["channels.wallet_a.timeout_ms has the wrong form", { wallet_a: { timeout_ms: 5 } }],
  ] as const)("does not start: %s", async (line, said) => {
    const folder = await temporaryFolder()
    const path = join(folder, "channels.json")
    const entry = {
      base_url: "https://pay.example",
      key_id: "payport",
      secret: "s3cret-of-wallet-a-0",
      callback_secret: "s3cret-of-wallet-a-1",
    }
    if (said !== undefined) {
      const text =
        typeof said === "string"
          ? said
          : JSON.stringify({
              channels: Object.fromEntries(
                Object.entries(said).map(([id, over]) => [id, { ...entry, ...over }] as const),
              ),
            })
      await writeFile(path, text)
    }
    const told = (await Effect.runPromise(Effect.flip(readChannels(path, defaultCatalog)))).message
    expect(told).toContain(`PAYPORT_CHANNELS: ${path}: ${line}`)
    expect(told.split("\n")).toHaveLength(1)
    expect(told).not.toContain("s3cret")
  })
})
