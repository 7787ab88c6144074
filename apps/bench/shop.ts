import { randomUUID } from "node:crypto"
import { CannotMeasure } from "./CannotMeasure.ts"

/** A sandbox with a seller's and a buyer's key, and its operator's. */
export interface Place {
  /** Its base URL, without a slash at its end. */
  readonly url: string
  readonly sellerKey: string
  readonly buyerKey: string
  readonly adminKey: string
}

/** A service of the seller's that the buyer pays, with one payment made. */
export interface Shop {
  readonly serviceId: string
  /** The agent that pays. */
  readonly agentId: string
  /** The payment that stored ones are modelled on, and the key it was made with. */
  readonly intentId: string
  readonly idempotencyKey: string
  /** The body of a creation. */
  readonly body: string
}

type Json = { readonly [field: string]: unknown }

const manifest = {
  name: "Research papers in brief",
  description: "Reads a research paper and writes a summary of it.",
  payment_methods: { one_time: true },
  pricing: { one_time: [{ amount: 699, currency: "USD", label: "One summary" }] },
  // A channel without a limit of requests, since a benchmark is faster than the other channels'
  // limits.
  accepted_channels: ["wallet_b"],
  default_channel: "wallet_b",
  qr_mode: "dynamic",
  settlement_currency: "USD",
  endpoint: "https://seller.example/webhooks",
  tags: ["research"],
}

/** As large as the payment of the limit scripts. */
const payment = (serviceId: string): string =>
  JSON.stringify({
    service_id: serviceId,
    type: "one_time",
    // A cent, so that all payments stay within a verified agent's daily limit.
    amount: { currency: "USD", value: 1 },
    description: "Summary of one research paper",
    payer_channel: "wallet_b",
    return_url: "https://merchant.example.test/return",
    metadata: {
      order_id: "ord_8842",
      cart: "c-19",
      buyer_note: "leave at the door",
      region: "eu-west",
      attempt: 1,
    },
  })

const call = async (
  url: string,
  key: string,
  method: string,
  body?: string,
  headers: { readonly [name: string]: string } = {},
): Promise<Json> => {
  const response = await fetch(url, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body !== undefined && { "content-type": "application/json" }),
      ...headers,
    },
    ...(body !== undefined && { body }),
  })
  const text = await response.text()
  if (!response.ok) {
    throw new CannotMeasure(`${method} ${url} was answered ${response.status}: ${text}`)
  }
  return JSON.parse(text) as Json
}

/** The payer's business, so that its agent's limits allow all payments. */
const business = {
  level: "business",
  data: {
    email: "ada@example.com",
    phone: "+14155550123",
    country: "US",
    full_name: "Ada Lovelace",
    document_type: "passport",
    document_number: "P1234567",
    business_name: "Engines Ltd",
    registration_number: "12345678",
    ubo_declaration: { full_name: "Ada Lovelace", ownership_pct: 100 },
  },
}

const verifyBuyer = async ({ adminKey, buyerKey, url }: Place, agent_id: string): Promise<void> => {
  const who = JSON.stringify({ agent_id, ...business })
  const opened = await call(`${url}/v1/kyc/verify`, buyerKey, "POST", who)
  const review = `${url}/v1/kyc/verifications/${String(opened["verification_id"])}/review`
  await call(review, adminKey, "POST", JSON.stringify({ decision: "approve" }))
}

/** Opens a seller and a buyer on the widest plan. */
export const openAccounts = async (url: string, adminKey: string) => {
  const open = async (kind: "buyer" | "seller") => {
    const agent_id = `bench-${kind}-${randomUUID()}`
    const body = JSON.stringify({ name: "payport bench", kind, agent_id })
    const { api_key, id } = await call(`${url}/v1/accounts`, adminKey, "POST", body)
    const plan = JSON.stringify({ plan: "enterprise" })
    await call(`${url}/v1/accounts/${String(id)}`, adminKey, "PATCH", plan)
    return { agent_id, key: String((api_key as Json)["key"]) }
  }
  const [seller, buyer] = [await open("seller"), await open("buyer")]
  const place: Place = { url, adminKey, sellerKey: seller.key, buyerKey: buyer.key }
  return { place, agentId: buyer.agent_id }
}

/** Registers and activates a service with the webhook endpoint, and makes one payment. */
export const openShop = async (
  place: Place,
  agentId = "demo-buyer",
  endpoint = manifest.endpoint,
): Promise<Shop> => {
  const { buyerKey, sellerKey, url } = place
  await verifyBuyer(place, agentId)
  const offered = JSON.stringify({ ...manifest, endpoint })
  const registered = await call(`${url}/v1/services`, sellerKey, "POST", offered)
  const serviceId = String(registered["id"])
  await call(`${url}/v1/services/${serviceId}/activate`, sellerKey, "PATCH")
  const body = payment(serviceId)
  const idempotencyKey = "model-of-the-stored-payments"
  const created = await call(`${url}/v1/payment-intents`, buyerKey, "POST", body, {
    "idempotency-key": idempotencyKey,
  })
  return { serviceId, agentId, intentId: String(created["id"]), idempotencyKey, body }
}
