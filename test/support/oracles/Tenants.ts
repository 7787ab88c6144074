import { randomUUID } from "node:crypto"
import { activeService, ADMIN_KEY, aManifest, type App } from "../app.ts"
import { verified } from "../verified.ts"
import type { IdKind } from "./Matrix.ts"

type Json = { readonly [key: string]: unknown }

/** A seller and a buyer that have done business with each other, and an id of everything of it. */
export interface Tenant {
  readonly seller: string
  readonly buyer: string
  /** Existing ids. The first of each kind allows the most actions. */
  readonly ids: { readonly [K in IdKind]: readonly [string, ...ReadonlyArray<string>] }
  /** The secret that a valid request needs besides an id. */
  readonly token: string
}

interface Party {
  readonly id: string
  readonly key: string
  readonly agent_id: string
}

const text = (value: unknown): string => {
  if (typeof value !== "string") throw new TypeError(`There is no id: ${JSON.stringify(value)}`)
  return value
}

/** Sends a request that has to succeed, and returns the body. */
const made = async (app: App, method: string, path: string, key: string, body?: object) => {
  const reply = await app.call(method, path, { key, ...(body !== undefined && { body }) })
  if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.status} ${reply.text}`)
  return reply.json
}

/** An account on the largest plan, whose agent is verified as a business. */
const open = async (app: App, kind: "seller" | "buyer", name: string): Promise<Party> => {
  const agent_id = `${kind}-of-${name}`
  const body = { name: `The ${kind} of ${name}`, kind, agent_id, plan: "enterprise" }
  const account = await made(app, "POST", "/v1/accounts", ADMIN_KEY, body)
  const id = text(account["id"])
  await app.run(verified(id, agent_id))
  return { id, agent_id, key: text((account["api_key"] as Json)["key"]) }
}

const cent = { currency: "USD", value: 1 }

/** A service that is sold in every way. */
const sold = (name: string) => ({
  name: `Everything of ${name}`,
  payment_methods: { one_time: true, subscription: true, cumulative: true },
  pricing: {
    one_time: [{ amount: 1, currency: "USD", label: "Once" }],
    cumulative: { unit: "request", rate: "0.25", billing_cycle: "monthly" },
    subscription: [
      { plan_id: "pro", name: "Pro", amount: 1, currency: "USD", interval: "monthly" },
    ],
  },
  qr_mode: "static",
})

/** Makes a partly refunded payment, an unpaid one, and a challenge. */
const pay = async (app: App, seller: Party, buyer: Party, service_id: string) => {
  const order = { service_id, type: "one_time", amount: { currency: "USD", value: 900 } }
  const body = { ...order, payer_channel: "wallet_a", description: "One answer" }
  const intent = text((await made(app, "POST", "/v1/payment-intents", buyer.key, body))["id"])
  const open = text((await made(app, "POST", "/v1/payment-intents", buyer.key, body))["id"])
  await made(app, "POST", `/v1/sandbox/payment-intents/${intent}/simulate`, buyer.key, {
    action: "authorize",
  })
  await made(app, "POST", `/v1/payment-intents/${intent}/capture`, seller.key)
  const refund = await made(app, "POST", "/v1/refunds", seller.key, {
    payment_intent: intent,
    amount: cent,
    reason: "Too late",
  })
  const resource = "GET /reports/7"
  const priced = { service_id, amount: cent, resource, valid_seconds: 3_600 }
  const demand = (await made(app, "POST", "/v1/payment-challenges", seller.key, priced))[
    "payment_intent"
  ] as Json
  const asked = await made(app, "POST", "/v1/refund-requests", buyer.key, {
    payment_intent: intent,
    amount: cent,
    reason: "Too late",
  })
  return {
    intent,
    open,
    refund: text(refund["refund_id"] ?? refund["id"]),
    refund_request: text(asked["id"]),
    demand,
  }
}

/** Makes subscriptions and tabs, also for another agent. */
const subscribe = async (app: App, buyer: Party, service: string, helper: string) => {
  const { key } = buyer
  const payer = { agent_id: helper }
  await made(app, "POST", `/v1/services/${service}/tab`, key, { payer })
  const tab = await made(app, "POST", `/v1/services/${service}/tab`, key, {})
  const installs = `/v1/services/${service}/installs`
  await made(app, "POST", installs, key, {})
  const installed = await made(app, "POST", installs, key, { agent_id: helper })
  const body = { plan_id: "pro", interval: "monthly" }
  const path = `/v1/service-manifests/${service}/subscribe`
  await made(app, "POST", path, key, { ...body, payer })
  const subscription = await made(app, "POST", path, key, body)
  return {
    install: text(installed["id"]),
    subscription: text(subscription["id"]),
    tab: text(tab["id"]),
    invoice: text(subscription["latest_invoice"]),
  }
}

const IDENTITY = {
  country: "GB",
  full_name: "Ada Lovelace",
  document_type: "passport",
  document_number: "P1230000",
}

/** Verifications of the buyer's agent: one waits for its code, one is appealed against. */
const identify = async (app: App, buyer: Party, name: string) => {
  const data = { ...IDENTITY, email: `ada@${name}.example`, phone: "+14155550123" }
  const { agent_id, key } = buyer
  const submit = async (level: string) =>
    text(
      (await made(app, "POST", "/v1/kyc/verify", key, { agent_id, level, data }))[
        "verification_id"
      ],
    )
  const [verification, appealed] = [await submit("basic"), await submit("enhanced")]
  const appeal = await made(app, "POST", "/v1/kyc/appeal", buyer.key, {
    verification_id: appealed,
    reason: "It is mine.",
  })
  return { verification, appeal: text(appeal["appeal_id"]) }
}

const PUBLIC_KEY = "hSDwCYkwp1R0i33ctD73Wg2/Og0mOBr066SpjqqbTmo="

/** Registers a webhook endpoint where nothing listens. */
const listen = async (app: App, seller: Party) => {
  const receiver = { url: "http://127.0.0.1:9/hooks", enabled_events: ["*"] }
  const endpoint = await made(app, "POST", "/v1/webhook-endpoints", seller.key, receiver)
  const key = await made(app, "POST", "/v1/merchant/webhook-keys", seller.key, {
    public_key: PUBLIC_KEY,
    key_type: "x25519",
    label: "2026",
  })
  const id = text(endpoint["id"])
  await made(app, "POST", `/v1/webhook-endpoints/${id}/test`, seller.key)
  return { endpoint: id, webhook_key: text(key["id"]) }
}

const newest = async (app: App, path: string, key: string, name = "id"): Promise<string> =>
  text(((await made(app, "GET", path, key))["data"] as ReadonlyArray<Json>)[0]?.[name])

/** Opens both accounts: their first statement is written at the end of the month. */
export const openTenant = async (app: App, name: string) => ({
  name,
  seller: await open(app, "seller", name),
  buyer: await open(app, "buyer", name),
})

/** Makes records of every kind between the two. `common` is another account's active service. */
export const furnish = async (
  app: App,
  { buyer, name, seller }: Awaited<ReturnType<typeof openTenant>>,
  common: string,
): Promise<Tenant> => {
  const heard = await listen(app, seller)
  const asSeller = { ...app, call: ownCall(app, seller.key) }
  const service = await activeService(asSeller, sold(name))
  const manifest = { ...aManifest(sold(`${name}, not yet`)) }
  const draft = text((await made(app, "POST", "/v1/services", seller.key, manifest))["id"])
  const paused = await activeService(asSeller, sold(`${name}, not now`))
  await made(app, "PATCH", `/v1/services/${paused}/pause`, seller.key)
  const paid = await pay(app, seller, buyer, service)
  const helper = `helper-of-${name}`
  await subscribe(app, buyer, common, helper)
  const bought = await subscribe(app, buyer, service, helper)
  const listed = await made(app, "POST", "/v1/x402/listings", seller.key, {
    service_id: service,
    resource: `http://127.0.0.1:9/${name}`,
    amount: cent,
  })
  const token = `tok_of_${name}`
  const item = { payment_intent: paid.intent, type: "access_token", id: token }
  await made(app, "POST", "/v1/access-items", seller.key, item)
  const { appeal, verification } = await identify(app, buyer, name)
  const quote = await made(app, "POST", "/v1/fx/quotes", buyer.key, {
    amount: cent,
    settlement_currency: "USD",
  })
  await made(app, "POST", "/v1/sandbox/clock/advance", seller.key, { seconds: 1 })
  const spare = text((await made(app, "POST", "/v1/api-keys", buyer.key, {}))["id"])
  return {
    seller: seller.key,
    buyer: buyer.key,
    token: text(paid.demand["token"]),
    ids: {
      account: [buyer.id],
      agent: [buyer.agent_id, helper, seller.agent_id],
      api_key: [spare],
      appeal: [appeal],
      audit_entry: [await newest(app, "/v1/audit", ADMIN_KEY)],
      challenge: [text(paid.demand["id"])],
      delivery: [await newest(app, "/v1/webhook-deliveries", seller.key)],
      endpoint: [heard.endpoint],
      event: [await newest(app, "/v1/webhook-deliveries", seller.key, "event_id")],
      install: [bought.install],
      invoice: [bought.invoice],
      ledger_entry: [await newest(app, "/v1/ledger/entries", seller.key)],
      log_entry: [await newest(app, "/v1/audit-log", seller.key)],
      listing: [text(listed["id"])],
      payment_intent: [paid.intent, paid.open],
      quote: [text(quote["id"])],
      refund: [paid.refund],
      refund_request: [paid.refund_request],
      service: [service, draft, paused],
      statement: [await newest(app, "/v1/billing/statements", seller.key)],
      subscription: [bought.subscription],
      tab: [bought.tab],
      token: [token],
      verification: [verification],
      webhook_key: [heard.webhook_key],
    },
  }
}

/** Calls of the app under another key than its own seller's. */
const ownCall =
  (app: App, key: string): App["call"] =>
  (method, path, said) =>
    app.call(method, path, { key, ...said })

const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

const twins = new Map<string, string>()

/**
 * Returns an id of the same form and length that never existed. It is always the same for an id, so
 * that both accounts' requests can be compared. An id that contains a time keeps the time.
 */
export const absentLike = (id: string): string => {
  const known = twins.get(id)
  if (known !== undefined) return known
  const random = randomUUID()
  const twin = UUID.test(id)
    ? `${id.slice(0, -12)}${random.slice(-12)}`
    : `${id.slice(0, -6)}${random.slice(0, 6)}`
  twins.set(id, twin)
  return twin
}
