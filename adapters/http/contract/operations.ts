import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { REPLICA_STATES } from "../../shared/ReplicaStates.ts"
import { IfNoneMatch, Unchanged } from "./discovery.ts"
import { refusals } from "./Errors.ts"
import { Audiences, ContentType } from "./Route.ts"

const PROMETHEUS_TEXT = "text/plain; version=0.0.4; charset=utf-8"

const Health = Schema.Struct({
  status: Schema.Literal("ok").annotateKey({ description: "Always `ok`." }),
  replicas: Schema.optionalKey(Schema.Array(Schema.Literals(REPLICA_STATES))).annotateKey({
    description:
      "The states of the read replicas, in the order of the settings. Only a replica that " +
      "is `used` serves requests. A process is ready without replicas.",
  }),
}).annotate({
  identifier: "Health",
  description: "The process runs or is ready.",
  examples: [{ status: "ok" }],
})

/** Routes for operators and their tools. */
export const operations = HttpApiGroup.make("operations")
  .add(
    HttpApiEndpoint.get("health", "/healthz", {
      disableCodecs: true,
      success: Health,
      error: refusals(["INTERNAL_ERROR"]),
    })
      .annotate(OpenApi.Summary, "Whether the process runs")
      .annotate(
        OpenApi.Description,
        "For supervisors that restart a process. `/readyz` says whether it can serve requests.",
      ),
    HttpApiEndpoint.get("ready", "/readyz", {
      disableCodecs: true,
      success: Health,
      error: refusals(["TEMPORARILY_UNAVAILABLE", "INTERNAL_ERROR"]),
    })
      .annotate(
        OpenApi.Summary,
        "Whether requests can be served: the store takes writes and the process is not stopping; " +
          "details.reason says what is wrong",
      )
      .annotate(
        OpenApi.Description,
        "For load balancers: the store accepts writes, and the process is not stopping. " +
          "`details.reason` says what is wrong. `/healthz` says whether the process runs at " +
          "all.",
      ),
    HttpApiEndpoint.get("metrics", "/metrics", {
      disableCodecs: true,
      success: Schema.String.pipe(HttpApiSchema.asText({ contentType: PROMETHEUS_TEXT })),
      error: refusals(["INTERNAL_ERROR"]),
    })
      .annotate(ContentType, PROMETHEUS_TEXT)
      .annotate(OpenApi.Summary, "Prometheus metrics")
      .annotate(
        OpenApi.Description,
        "For Prometheus. If operators have a separate listener, the metrics are only there.",
      ),
    HttpApiEndpoint.get("openapi", "/openapi.json", {
      disableCodecs: true,
      headers: IfNoneMatch,
      success: [
        Schema.Record(Schema.String, Schema.Unknown).annotate({ description: "This document." }),
        Unchanged,
      ],
      error: refusals(["RATE_LIMIT_EXCEEDED", "OVERLOADED", "INTERNAL_ERROR"]),
    })
      .annotate(OpenApi.Summary, "The OpenAPI 3.1 description of this interface")
      .annotate(
        OpenApi.Description,
        "The whole interface, for generators and validators. Agents read the part for one " +
          "audience, such as `/openapi/buyer.json`.",
      ),
  )
  .annotate(Audiences, ["operator"])
  .annotate(OpenApi.Title, "Operations")
