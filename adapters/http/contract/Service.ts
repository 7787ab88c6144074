import { Schema } from "effect"
import { Timestamp } from "./Wire.ts"

const flag = Schema.optionalKey(Schema.Boolean)
const Interval = Schema.Literals(["daily", "weekly", "monthly", "quarterly", "yearly"])

const Pricing = Schema.Struct({
  one_time: Schema.optionalKey(
    Schema.Array(
      Schema.Struct({ amount: Schema.Int, currency: Schema.String, label: Schema.String }),
    ),
  ),
  cumulative: Schema.optionalKey(
    Schema.Struct({
      unit: Schema.String,
      rate: Schema.Union([Schema.Finite, Schema.String]),
      billing_cycle: Interval,
      currency: Schema.optionalKey(Schema.String),
    }),
  ),
  subscription: Schema.optionalKey(
    Schema.Array(
      Schema.Struct({
        plan_id: Schema.String,
        name: Schema.String,
        amount: Schema.Int,
        currency: Schema.String,
        interval: Interval,
        features: Schema.Array(Schema.String),
      }),
    ),
  ),
})

const RevocationPolicy = Schema.Struct({
  auto_revoke_on_refund: flag,
  default_targets: Schema.optionalKey(
    Schema.Array(Schema.Struct({ type: Schema.String, scope: Schema.optionalKey(Schema.String) })),
  ),
  webhook_on_revoke: flag,
  strict: flag.annotate({ description: "Targets that nobody registered are not found." }),
  revoke_url: Schema.optionalKey(Schema.String).annotate({
    description: "Where the seller's own system revokes; shown to the owner only.",
  }),
})

const summary = {
  id: Schema.String.annotate({ description: "A UUIDv7." }),
  name: Schema.String,
  description: Schema.String,
  status: Schema.Literals(["draft", "active", "paused", "deprecated", "deleted"]),
  stale: Schema.optionalKey(Schema.Literal(true)).annotate({
    description: "Of deprecated services, which take no new payments.",
  }),
  payment_methods: Schema.Struct({ one_time: flag, cumulative: flag, subscription: flag }),
  pricing: Pricing.annotate({ description: "Amounts are in minor units." }),
  accepted_channels: Schema.Array(Schema.String),
  tags: Schema.Array(Schema.String),
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
export const ServiceSummary = Schema.Struct(summary).annotate({
  identifier: "ServiceSummary",
  description: "A service as search results show it.",
  examples: [{ ...example, status: "active" }],
})

/** A service as its manifest tells of it (ServiceManifest). */
export const Service = Schema.Struct({
  ...summary,
  qr_mode: Schema.Literals(["dynamic", "static"]),
  settlement_currency: Schema.String,
  endpoint: Schema.optionalKey(Schema.String).annotate({
    description: "Where payment events go; shown to the owner only.",
  }),
  default_channel: Schema.NullOr(Schema.String),
  fallback_channel: Schema.NullOr(Schema.String),
  revocation_policy: Schema.NullOr(RevocationPolicy),
  created_at: Timestamp,
  updated_at: Timestamp,
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
