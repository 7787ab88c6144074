import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { refusals } from "./Errors.ts"
import { ContentType } from "./Route.ts"

const PROMETHEUS_TEXT = "text/plain; version=0.0.4; charset=utf-8"

const Health = Schema.Struct({ status: Schema.Literal("ok") }).annotate({
  identifier: "Health",
  description: "The process runs, or is ready.",
  examples: [{ status: "ok" }],
})

/** What operators and their tools ask. */
export const operations = HttpApiGroup.make("operations")
  .add(
    HttpApiEndpoint.get("health", "/healthz", {
      disableCodecs: true,
      success: Health,
      error: refusals(["INTERNAL_ERROR"]),
    }).annotate(OpenApi.Summary, "Whether the process runs"),
    HttpApiEndpoint.get("ready", "/readyz", {
      disableCodecs: true,
      success: Health,
      error: refusals(["TEMPORARILY_UNAVAILABLE", "INTERNAL_ERROR"]),
    }).annotate(
      OpenApi.Summary,
      "Whether requests can be served: the store takes writes and the process is not stopping; " +
        "details.reason says what is wrong",
    ),
    HttpApiEndpoint.get("metrics", "/metrics", {
      disableCodecs: true,
      success: Schema.String.pipe(HttpApiSchema.asText({ contentType: PROMETHEUS_TEXT })),
      error: refusals(["INTERNAL_ERROR"]),
    })
      .annotate(ContentType, PROMETHEUS_TEXT)
      .annotate(OpenApi.Summary, "Prometheus metrics"),
    HttpApiEndpoint.get("openapi", "/openapi.json", {
      disableCodecs: true,
      success: Schema.Record(Schema.String, Schema.Unknown).annotate({
        description: "This document.",
      }),
      error: refusals(["RATE_LIMIT_EXCEEDED", "OVERLOADED", "INTERNAL_ERROR"]),
    }).annotate(OpenApi.Summary, "The description of this interface, OpenAPI 3.1"),
  )
  .annotate(OpenApi.Title, "Operations")
