import { Schema } from "effect"
import { exactly } from "../shared/Exact.ts"
import { toIso } from "../shared/Timestamp.ts"
import { shownAs } from "../shared/View.ts"
import { Amount, Time } from "../shared/Wire.ts"
import { PaymentMethods, Pricing, RevocationPolicy, withCurrency } from "./Pricing.ts"
import { MANIFEST_STATUSES, type ServiceManifest } from "./ServiceManifest.ts"

/** An x402 resource of a service that does not match its listing. */
const NotHeld = Schema.Struct({
  resource: Schema.String.annotateKey({ description: "The resource's URL." }),
  method: Schema.String.annotateKey({ description: "The HTTP method of the resource." }),
  standing: Schema.Literals(["silent", "priced_differently"]).annotateKey({
    description:
      "`silent`: the resource asks for no payment to its seller. `priced_differently`: it " +
      "asks for another price.",
  }),
  since: Time.annotateKey({ description: "Since when the resource has not matched its listing." }),
  listed: Amount.annotate({ description: "The listed price." }),
  seen: Schema.optionalKey(Amount).annotate({
    description: "The different price that the resource asks for.",
  }),
})
/** An entry of a service's `not_held`. */
export type NotHeld = typeof NotHeld.Type

const summary = {
  id: Schema.String.annotate({ description: "The service's id, a UUIDv7." }),
  name: Schema.String.annotateKey({ description: "The service's name, in the seller's words." }),
  description: Schema.String.annotateKey({
    description: "What the service does, in the seller's words.",
  }),
  status: Schema.Literals(MANIFEST_STATUSES).annotateKey({
    description: "The service's state. `active` services take payments.",
  }),
  stale: Schema.optionalKey(Schema.Literal(true)).annotate({
    description: "`true` for deprecated services, which take no new payments.",
  }),
  payment_methods: PaymentMethods,
  pricing: Pricing,
  accepted_channels: Schema.Array(Schema.String).annotateKey({
    description: "The channels that the service accepts.",
  }),
  tags: Schema.Array(Schema.String).annotateKey({ description: "Search terms for the service." }),
  not_held: Schema.optionalKey(Schema.Array(NotHeld)).annotate({
    description:
      "The x402 resources of the service that do not match their listing, at most three.",
  }),
}

const example = {
  id: "01997d3e-8a00-7000-8000-000000000010",
  name: "Weather reports",
  description: "Forecasts for any place on earth.",
  status: "draft",
  payment_methods: { one_time: true },
  pricing: { one_time: [{ amount: 699, currency: "USD", label: "7 days" }] },
  accepted_channels: ["wallet_a", "wallet_b"],
  tags: ["weather"],
} as const

/** A service as search results show it. */
export const SummaryView = Schema.Struct(summary).annotate({
  identifier: "ServiceSummary",
  description: "A service in search results.",
  examples: [{ ...example, status: "active" }],
})

/** A service with its whole manifest (ServiceManifest). */
export const ServiceView = Schema.Struct({
  ...summary,
  qr_mode: Schema.Literals(["dynamic", "static"]).annotateKey({
    description: "`dynamic`: one code per payment. `static`: one code to print.",
  }),
  settlement_currency: Schema.String.annotateKey({
    description: "The currency that the seller is paid in.",
  }),
  endpoint: Schema.optionalKey(Schema.String).annotate({
    description: "The URL that receives payment events. Shown to the owner only.",
  }),
  default_channel: Schema.NullOr(Schema.String).annotateKey({
    description: "The channel for payments that name none; null means the service's choice.",
  }),
  fallback_channel: Schema.NullOr(Schema.String).annotateKey({
    description:
      "The channel to use when a payment's own is rate limited or unavailable; null for none.",
  }),
  revocation_policy: Schema.NullOr(RevocationPolicy).annotateKey({
    description: "What refunds revoke by default; null for nothing.",
  }),
  created_at: Time.annotateKey({ description: "The time of creation." }),
  updated_at: Time.annotateKey({ description: "The time of the last change." }),
}).annotate({
  identifier: "ServiceManifest",
  description: "A registered service.",
  examples: [
    {
      ...example,
      qr_mode: "dynamic",
      settlement_currency: "USD",
      endpoint: "https://weather.example/webhooks",
      default_channel: "wallet_a",
      fallback_channel: null,
      revocation_policy: null,
      created_at: "2026-01-31T08:00:00.000Z",
      updated_at: "2026-01-31T08:00:00.000Z",
    },
  ],
})

const stale = (manifest: ServiceManifest) =>
  manifest.status === "deprecated" ? { stale: true as const } : {}

/** Removes the owner's own URL from the policy. */
const publicPolicy = (policy: RevocationPolicy | null): RevocationPolicy | null => {
  if (policy === null) return null
  const { revoke_url: _own, ...shown } = policy
  return shown
}

/** Shows a manifest: all of it to its owner, without the owner's URLs to others. */
export const manifestView = exactly<typeof ServiceView.Type>()(
  (manifest: ServiceManifest, viewer: string) => ({
    id: manifest.id,
    name: manifest.name,
    description: manifest.description,
    status: manifest.status,
    ...stale(manifest),
    payment_methods: manifest.payment_methods,
    pricing: manifest.pricing,
    accepted_channels: manifest.accepted_channels,
    qr_mode: manifest.qr_mode,
    settlement_currency: manifest.settlement_currency,
    ...(manifest.account_id === viewer ? { endpoint: manifest.endpoint } : {}),
    tags: manifest.tags,
    default_channel: manifest.default_channel,
    fallback_channel: manifest.fallback_channel,
    revocation_policy:
      manifest.account_id === viewer
        ? manifest.revocation_policy
        : publicPolicy(manifest.revocation_policy),
    created_at: toIso(manifest.created_at),
    updated_at: toIso(manifest.updated_at),
  }),
)

/** See {@link SummaryView}. A price of use has its currency, since a summary has no other. */
export const manifestSummary = (manifest: ServiceManifest) =>
  shownAs(SummaryView, manifest, {
    pricing: withCurrency(manifest.pricing, manifest.settlement_currency),
    ...stale(manifest),
  })
