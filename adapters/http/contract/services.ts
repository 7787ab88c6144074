import { Schema } from "effect"
import { HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { ManifestInput, manifestInputRules } from "../../../core/registry/ManifestInput.ts"
import { ServiceQuery } from "../../../core/registry/ServiceQuery.ts"
import { AccountKey } from "./Access.ts"
import { QrHeaders, QrQuery, serviceQr, SVG } from "./Qr.ts"
import { TextType, Unscoped } from "./Route.ts"
import { ServiceView, SummaryView } from "../../../core/registry/ServiceView.ts"
import { account } from "./Endpoint.ts"

const Found = Schema.Struct({
  data: Schema.Array(SummaryView),
  pagination: Schema.Struct({ total: Schema.Int, limit: Schema.Int, offset: Schema.Int }),
}).annotate({ identifier: "ServiceSearchResult", description: "A page of services, best first." })

const MOVE = {
  success: ServiceView,
  refusals: [
    "NOT_FOUND",
    "INVALID_TRANSITION",
    "PLAN_LIMIT_EXCEEDED",
    "DUPLICATE_NAME",
    "INVALID_JSON",
    "PAYLOAD_TOO_LARGE",
    "UNSUPPORTED_MEDIA_TYPE",
  ],
} as const

/** Registering services and finding them (Service registry). */
export const services = HttpApiGroup.make("services")
  .add(
    account.post("register", "/v1/services", {
      summary: "Register a service, or update it",
      payload: ManifestInput.annotate({
        identifier: "ManifestInput",
        description:
          "What a seller offers. A post under a name it already has updates that service.",
        examples: [
          {
            name: "Weather reports",
            description: "Forecasts for any place on earth.",
            payment_methods: { one_time: true },
            pricing: { one_time: [{ amount: 699, currency: "USD", label: "7 days" }] },
            accepted_channels: ["wallet_a", "wallet_b"],
            qr_mode: "dynamic",
            settlement_currency: "USD",
            endpoint: "https://weather.example/webhooks",
            tags: ["weather"],
            default_channel: "wallet_a",
          },
        ],
      }),
      rules: manifestInputRules,
      success: ServiceView.pipe(HttpApiSchema.status(201)),
      refusals: [
        "INVALID_PRICING",
        "UNSUPPORTED_CHANNEL",
        "INVALID_URL",
        "DUPLICATE_NAME",
        "FORBIDDEN",
        "PLAN_LIMIT_EXCEEDED",
      ],
    }),
    account.get("search", "/v1/services", {
      annotations: Unscoped.context(true),
      summary: "Search services",
      query: ServiceQuery.fields,
      success: Found,
    }),
    account.get("get", "/v1/services/:id", {
      summary: "Get a service",
      success: ServiceView,
      refusals: ["NOT_FOUND"],
    }),
    account.get("qr", "/v1/services/:id/qr", {
      summary: "Get the static QR code of a service",
      description:
        "Of services with `qr_mode` static. Scanned by a wallet, it asks for a payment of the " +
        "first price; its page (`scan_url`) lets the payer pick one. " +
        "`Accept: image/svg+xml` or `image/png` gives the image.",
      query: QrQuery,
      headers: QrHeaders,
      annotations: TextType.context(SVG),
      success: serviceQr,
      refusals: ["NOT_FOUND", "CHANNEL_UNAVAILABLE", "INVALID_PRICING"],
    }),
    account.patch("activate", "/v1/services/:id/activate", {
      ...MOVE,
      summary: "Activate a draft",
    }),
    account.patch("pause", "/v1/services/:id/pause", {
      ...MOVE,
      summary: "Pause an active service",
    }),
    account.patch("resume", "/v1/services/:id/resume", {
      ...MOVE,
      summary: "Resume a paused service",
    }),
    account.patch("deprecate", "/v1/services/:id/deprecate", {
      ...MOVE,
      summary: "Take no new payments for a service",
    }),
    account.delete("delete", "/v1/services/:id", {
      summary: "Delete a service that was deprecated long enough ago",
      success: ServiceView,
      refusals: ["NOT_FOUND", "INVALID_TRANSITION"],
    }),
  )
  .middleware(AccountKey)
  .annotate(OpenApi.Title, "Services")
  .annotate(OpenApi.Description, "The registry: what sellers offer and buyers find.")
