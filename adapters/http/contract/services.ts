import { Schema } from "effect"
import { HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { ManifestInput, manifestInputRules } from "../../../core/registry/ManifestInput.ts"
import { ServiceQuery } from "../../../core/registry/ServiceQuery.ts"
import { AccountKey } from "./Access.ts"
import { QrHeaders, QrQuery, serviceQr, SVG } from "./Qr.ts"
import { Audiences, TextType, Unscoped } from "./Route.ts"
import { ServiceView, SummaryView } from "../../../core/registry/ServiceView.ts"
import { account } from "./Endpoint.ts"
import { Pagination } from "./Wire.ts"

const Found = Schema.Struct({
  data: Schema.Array(SummaryView).annotateKey({ description: "The services of this page." }),
  pagination: Pagination.annotateKey({ description: "The position of this page in the list." }),
}).annotate({
  identifier: "ServiceSearchResult",
  description: "A page of services, best match first.",
})

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
      description:
        "Use it to sell something. A service starts as a draft. `PATCH " +
        "/v1/services/{id}/activate` opens it to buyers. If you already have a service of " +
        "that name, the request updates it: it keeps its id and its status. So a deprecated " +
        "one stays deprecated; to sell again, register a service under another name.",
      payload: ManifestInput.annotate({
        identifier: "ManifestInput",
        description:
          "A seller's service. If the seller already has a service of that name, it is updated.",
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
      mayBeStale: true,
      audiences: ["buyer", "seller"],
      annotations: Unscoped.context(true),
      summary: "Search services",
      description:
        "Use it to find a service by words, channel, payment method or tag. If you know " +
        "the id, use `GET /v1/services/{id}`. A key that is restricted to services finds " +
        "only those.",
      query: ServiceQuery.fields,
      success: Found,
    }),
    account.get("get", "/v1/services/:id", {
      audiences: ["buyer", "seller"],
      summary: "Get a service",
      description:
        "Use it before paying, to see prices, payment methods and channels. To find " +
        "services, search.",
      success: ServiceView,
      refusals: ["NOT_FOUND"],
    }),
    account.get("qr", "/v1/services/:id/qr", {
      summary: "Get the static QR code of a service",
      description:
        "For services with `qr_mode` static. A wallet that scans the code starts a payment " +
        "of the first price. On its page (`scan_url`) the payer picks a price. `Accept: " +
        "image/svg+xml` or `image/png` returns the image. Use it to print one code for " +
        "many payments. The code of one payment is at `/v1/payment-intents/{id}/qr`.",
      query: QrQuery,
      headers: QrHeaders,
      annotations: TextType.context(SVG),
      success: serviceQr,
      refusals: ["NOT_FOUND", "CHANNEL_UNAVAILABLE", "INVALID_PRICING"],
    }),
    account.patch("activate", "/v1/services/:id/activate", {
      ...MOVE,
      summary: "Activate a draft",
      description:
        "Use it when a draft is complete. From then on buyers find the service. To restart " +
        "a paused service, resume it.",
    }),
    account.patch("pause", "/v1/services/:id/pause", {
      ...MOVE,
      summary: "Pause an active service",
      description:
        "Use it to take no new payments for a while. To end a service for good, deprecate it.",
    }),
    account.patch("resume", "/v1/services/:id/resume", {
      ...MOVE,
      summary: "Resume a paused service",
      description: "Use it to end a pause. To open a draft, activate it.",
    }),
    account.patch("deprecate", "/v1/services/:id/deprecate", {
      ...MOVE,
      summary: "Deprecate a service: it takes no new payments",
      description:
        "Use it to end a service. What is in progress continues, and nothing new starts. To " +
        "stop only for a while, pause it.",
    }),
    account.delete("delete", "/v1/services/:id", {
      summary: "Delete a service that was deprecated long enough ago",
      description:
        "Use it thirty days after a service was deprecated. Repeating it returns the same. To " +
        "take no more payments for a while, pause it.",
      success: ServiceView,
      refusals: ["NOT_FOUND", "INVALID_TRANSITION"],
    }),
  )
  .middleware(AccountKey)
  .annotate(Audiences, ["seller"])
  .annotate(OpenApi.Title, "Services")
  .annotate(OpenApi.Description, "The registry: what sellers offer and buyers find.")
