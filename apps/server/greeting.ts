import { Redacted } from "effect"
import { join } from "node:path"
import type { Secrets } from "./secrets.ts"
import type { Settings } from "./settings.ts"

const service = {
  name: "Demo answers",
  description: "Answers one question.",
  payment_methods: { one_time: true },
  pricing: { one_time: [{ amount: 699, currency: "USD", label: "One answer" }] },
  accepted_channels: ["wallet_a", "wallet_b"],
  default_channel: "wallet_a",
  qr_mode: "dynamic",
  settlement_currency: "USD",
  endpoint: "https://seller.example/webhooks",
  tags: ["demo"],
}

/**
 * One shell line that registers the service, or finds it again, activates it and creates a
 * payment for it.
 */
const curlLine = (url: string, sellerKey: string): string => {
  const call = (method: string, path: string, body = "") =>
    `curl -s -X ${method} '${url}${path}' -H 'Authorization: Bearer ${sellerKey}'` +
    (body === "" ? "" : ` -H 'Content-Type: application/json' -d ${body}`)
  const register = call("POST", "/v1/services", `'${JSON.stringify(service)}'`)
  const activate = call("PATCH", "/v1/services/'$S'/activate")
  const payment = {
    service_id: "'$S'",
    type: "one_time",
    amount: { currency: "USD", value: 699 },
    description: "One answer",
  }
  const create = call("POST", "/v1/payment-intents", `'${JSON.stringify(payment)}'`)
  const id = `sed -E 's/^\\{"id":"([^"]+)".*/\\1/'`
  return `S=$(${register} | ${id}); ${activate} >/dev/null; ${create}`
}

/** Where operators and probes are served. */
interface Places {
  readonly operators: string
  readonly probes?: string | undefined
}

/** The text for a person once the service is ready; tools wait for its first line. */
export const greeting = (
  url: string,
  settings: Settings,
  secrets: Secrets,
  { operators, probes }: Places = { operators: url },
): string => {
  const ready = `payport ready on ${url}`
  const probed = probes === undefined ? [] : [`  probes           ${probes}`]
  const { demo } = secrets
  if (demo === undefined || !settings.roles.has("api")) return [ready, ...probed].join("\n")
  const seller = Redacted.value(demo.seller)
  const admin =
    settings.admin_key === undefined
      ? `in ${join(settings.data_dir, "admin.key")}`
      : "as set in PAYPORT_ADMIN_KEY"
  return [
    ready,
    "",
    `  demo seller key  ${seller}`,
    `  demo buyer key   ${Redacted.value(demo.buyer)}`,
    `  admin key        ${admin}`,
    ...(operators === url ? [] : [`  operators        ${operators}`]),
    ...probed,
    `  webhook secret   GET /v1/merchant/webhook-secret shows what signs an account's webhooks`,
    `  interface        ${url}/openapi.json`,
    "",
    "Create a payment:",
    "",
    curlLine(url, seller),
    "",
  ].join("\n")
}
