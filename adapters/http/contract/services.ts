import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { ManifestInput, manifestInputRules } from "../../../core/registry/ManifestInput.ts"
import { ServiceQuery } from "../../../core/registry/ServiceQuery.ts"
import { AccountKey } from "./Access.ts"
import { ANY, CHANGE, BODY, KEYED, ONCE, refusals } from "./Errors.ts"
import { QrHeaders, QrQuery, serviceQr, SVG } from "./Qr.ts"
import { Idempotency, Rules, TextType } from "./Route.ts"
import { ById } from "./Wire.ts"
import { ServiceView, SummaryView } from "../../../core/registry/ServiceView.ts"

const Found = Schema.Struct({
  data: Schema.Array(SummaryView),
  pagination: Schema.Struct({ total: Schema.Int, limit: Schema.Int, offset: Schema.Int }),
}).annotate({ identifier: "ServiceSearchResult", description: "A page of services, best first." })

const move = <const Name extends string, const Path extends `/${string}`>(name: Name, path: Path) =>
  HttpApiEndpoint.patch(name, path, {
    disableCodecs: true,
    params: ById,
    success: ServiceView,
    error: refusals(ANY, CHANGE, KEYED, [
      "NOT_FOUND",
      "INVALID_TRANSITION",
      "PLAN_LIMIT_EXCEEDED",
      "DUPLICATE_NAME",
      "INVALID_JSON",
      "PAYLOAD_TOO_LARGE",
      "UNSUPPORTED_MEDIA_TYPE",
    ]),
  })

/** Registering services and finding them (Service registry). */
export const services = HttpApiGroup.make("services")
  .add(
    HttpApiEndpoint.post("register", "/v1/services", {
      disableCodecs: true,
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
      success: ServiceView.pipe(HttpApiSchema.status(201)),
      error: refusals(ANY, KEYED, BODY, ONCE, [
        "INVALID_PRICING",
        "UNSUPPORTED_CHANNEL",
        "INVALID_URL",
        "DUPLICATE_NAME",
        "FORBIDDEN",
        "PLAN_LIMIT_EXCEEDED",
      ]),
    })
      .annotate(Rules, manifestInputRules)
      .annotate(Idempotency, "checked")
      .annotate(OpenApi.Summary, "Register a service, or update it"),
    HttpApiEndpoint.get("search", "/v1/services", {
      disableCodecs: true,
      query: ServiceQuery.fields,
      success: Found,
      error: refusals(ANY, KEYED),
    }).annotate(OpenApi.Summary, "Search services"),
    HttpApiEndpoint.get("get", "/v1/services/:id", {
      disableCodecs: true,
      params: ById,
      success: ServiceView,
      error: refusals(ANY, KEYED, ["NOT_FOUND"]),
    }).annotate(OpenApi.Summary, "Get a service"),
    HttpApiEndpoint.get("qr", "/v1/services/:id/qr", {
      disableCodecs: true,
      params: ById,
      query: QrQuery,
      headers: QrHeaders,
      success: serviceQr,
      error: refusals(ANY, KEYED, ["NOT_FOUND", "CHANNEL_UNAVAILABLE", "INVALID_PRICING"]),
    })
      .annotate(TextType, SVG)
      .annotate(OpenApi.Summary, "Get the static QR code of a service")
      .annotate(
        OpenApi.Description,
        "Of services with `qr_mode` static. Scanned, it asks for a payment of the first price. " +
          "`Accept: image/svg+xml` or `image/png` gives the image.",
      ),
    move("activate", "/v1/services/:id/activate").annotate(OpenApi.Summary, "Activate a draft"),
    move("pause", "/v1/services/:id/pause").annotate(OpenApi.Summary, "Pause an active service"),
    move("resume", "/v1/services/:id/resume").annotate(OpenApi.Summary, "Resume a paused service"),
    move("deprecate", "/v1/services/:id/deprecate").annotate(
      OpenApi.Summary,
      "Take no new payments for a service",
    ),
    HttpApiEndpoint.delete("delete", "/v1/services/:id", {
      disableCodecs: true,
      params: ById,
      success: ServiceView,
      error: refusals(ANY, CHANGE, KEYED, ["NOT_FOUND", "INVALID_TRANSITION"]),
    }).annotate(OpenApi.Summary, "Delete a service that was deprecated long enough ago"),
  )
  .middleware(AccountKey)
  .annotate(OpenApi.Title, "Services")
  .annotate(OpenApi.Description, "The registry: what sellers offer and buyers find.")
