import { inject } from "vitest"
import { type Json, openShopAt, send } from "./send.ts"
import type { Service } from "./startService.ts"

/** Sends a request to the run's service with one of its keys. Fails where it is refused. */
export const call = (
  who: keyof Service["keys"],
  method: string,
  path: string,
  body?: object,
): Promise<Json> => send(inject("service"), who, method, path, body)

let shops = 0

/** Registers and activates a service of the demo seller; returns its id. */
export const openShop = (fields: object = {}): Promise<string> => {
  shops += 1
  return openShopAt(inject("service"), { name: `Papers ${shops}`, ...fields })
}

const TERMS = {
  amount: { currency: "USD", value: 699 },
  description: "A report on the weather in seven days",
}

/** A payment by QR code to a service: 6.99 USD unless said otherwise. */
export const requestPayment = async (service_id: string, said: object = {}) => {
  const body = { service_id, type: "one_time", ...TERMS, ...said }
  const made = await call("buyer", "POST", "/v1/payment-intents", body)
  const { qr_data = "" } = (made["qr"] ?? {}) as { readonly qr_data?: string }
  return { id: String(made["id"]), qr_data, made }
}

/** A payment to a service by link, of the demo buyer's agent. */
export const payOnce = async (service_id: string) => {
  const payer = { agent_id: "demo-buyer" }
  const made = await call("buyer", "POST", "/v1/payments/one-time", { service_id, ...TERMS, payer })
  return { id: String(made["id"]), deeplink: String(made["deeplink"]), made }
}

/** The payment as its buyer sees it now, or who else takes part in it. */
export const look = (id: string, who: "buyer" | "seller" = "buyer"): Promise<Json> =>
  call(who, "GET", `/v1/payment-intents/${id}`)

/** Takes the money of an authorized payment, as its seller. */
export const capture = (id: string): Promise<Json> =>
  call("seller", "POST", `/v1/payment-intents/${id}/capture`)
