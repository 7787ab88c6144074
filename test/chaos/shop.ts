import { setTimeout as sleep } from "node:timers/promises"
import type { Service } from "../bench/service.ts"
import { isTemporary, send, succeed } from "./client.ts"

/** Cents of a payment under load: of more, a flood uses up a day's limit in minutes. */
export const SMALL = 9

export const manifest = (endpoint: string, name: string, amount: number) => ({
  name,
  description: "Answers one question.",
  payment_methods: { one_time: true },
  pricing: { one_time: [{ amount, currency: "USD", label: "One answer" }] },
  // A channel without a rate limit, since there are more payments than the other channels allow.
  accepted_channels: ["wallet_b"],
  default_channel: "wallet_b",
  qr_mode: "dynamic",
  settlement_currency: "USD",
  endpoint,
  tags: ["answers"],
})

/** Registers and activates a service of the demo seller; returns its id. */
export const openShop = async (
  service: Service,
  endpoint: string,
  name = "Answers",
  amount = 699,
): Promise<string> => {
  const body = manifest(endpoint, name, amount)
  const registered = await succeed(service, "seller", { path: "/v1/services", body })
  const id = String(registered.body["id"])
  await succeed(service, "seller", { method: "PATCH", path: `/v1/services/${id}/activate` })
  return id
}

/** The request for a payment by an anonymous payer, so that no level limits their number. */
export const order = (shop: string, description: string, value = 699) => ({
  path: "/v1/payment-intents",
  body: {
    service_id: shop,
    type: "one_time",
    amount: { currency: "USD", value },
    description,
    payer_channel: "wallet_b",
  },
})

/** The request that plays the payer's wallet in the sandbox. */
export const simulated = (id: string, action: string) => ({
  path: `/v1/sandbox/payment-intents/${id}/simulate`,
  body: { action },
})

export const capture = (id: string) => ({ path: `/v1/payment-intents/${id}/capture` })

export const refund = (id: string, value?: number) => ({
  path: "/v1/refunds",
  body: {
    payment_intent: id,
    ...(value !== undefined && { amount: { currency: "USD", value } }),
  },
})

/** The step of the clock in seconds. All work due in a step is done within one request. */
const STEP = 20

/** The time limit for moving the clock, in milliseconds, plus a part for each payment. */
const ADVANCED_WITHIN = 20 * 60_000
const ADVANCED_EACH = 5

/**
 * Moves the sandbox's clock at least so far, however much there is to be done on the way: what
 * hundreds of thousands of payments leave to be done in one step takes a while. Returns by how many
 * milliseconds at most it is ahead of this process then.
 */
export const advance = async (
  service: Service,
  seconds: number,
  payments: number,
): Promise<number> => {
  let ahead = Number.NaN
  const limit = performance.now() + ADVANCED_WITHIN + ADVANCED_EACH * payments
  for (let left = seconds; left > 0; left -= STEP) {
    const body = { seconds: Math.min(left, STEP) }
    const request = { path: "/v1/sandbox/clock/advance", body }
    let sent = Date.now()
    let answer = await send(service, "seller", request)
    while (isTemporary(answer) && performance.now() < limit) {
      await sleep(500)
      sent = Date.now()
      answer = await send(service, "seller", request)
    }
    if (answer.status !== 200) throw new Error(`The clock stays where it is: ${answer.text}`)
    ahead = Date.parse(String(answer.body["now"])) - sent
  }
  return ahead
}
