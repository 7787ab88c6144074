import { Effect, Layer, Redacted, References, Tracer } from "effect"
import { FetchHttpClient } from "effect/http"
import { OtlpMetrics, OtlpSerialization, OtlpTracer } from "effect/observability"
import { formatTraceparent, parseTraceparent } from "../../../adapters/shared/Traceparent.ts"
import { Store } from "../../../core/ports/Store.ts"
import { type WebhookRequest, WebhookSender } from "../../../core/ports/WebhookSender.ts"
import type { ObserveSettings, OtlpSettings } from "./observeSettings.ts"

/** What a stop waits for the last traces and metrics to be taken. */
const LAST_EXPORT = "1 second"

/** Sends traces and metrics to the collector: traces every five seconds, metrics every ten. */
const exporters = ({ endpoint, headers, protocol, service }: OtlpSettings) => {
  const common = {
    resource: { serviceName: service },
    headers: Redacted.value(headers),
    shutdownTimeout: LAST_EXPORT,
  } as const
  return Layer.mergeAll(
    OtlpTracer.layer({ ...common, url: `${endpoint}/v1/traces` }),
    OtlpMetrics.layer({ ...common, url: `${endpoint}/v1/metrics` }),
  ).pipe(
    Layer.provide(
      protocol === "http/json" ? OtlpSerialization.layerJson : OtlpSerialization.layerProtobuf,
    ),
    Layer.provide(FetchHttpClient.layer),
  )
}

/** Runs the service with its log and its exporters as the settings have them. */
export const observed = <A, E, R>(
  { log_level, otlp }: ObserveSettings,
  self: Effect.Effect<A, E, R>,
): Effect.Effect<A, E, R> => {
  const told = otlp === undefined ? self : Effect.provide(self, exporters(otlp))
  return Effect.provideService(told, References.MinimumLogLevel, log_level)
}

/** Commits as parts of the trace that they belong to, which their events then go on with. */
const traceCommits = (store: Store["Service"]): Store["Service"] => ({
  ...store,
  commit: (wanted) =>
    Effect.flatMap(
      Effect.orElseSucceed(Effect.currentSpan, () => undefined),
      (span) => {
        const traceparent = span && formatTraceparent(span)
        if (traceparent === undefined || wanted.events === undefined) return store.commit(wanted)
        const events = wanted.events.map((event) => ({ ...event, traceparent }))
        return store.commit({ ...wanted, events })
      },
    ).pipe(Effect.withSpan("commit", { attributes: { "db.system.name": "postgresql" } })),
})

const post = (send: WebhookSender["Service"]["send"], request: WebhookRequest) =>
  Effect.gen(function* () {
    const span = yield* Effect.orDie(Effect.currentSpan)
    const traceparent = formatTraceparent(span)
    const headers = { ...request.headers, ...(traceparent !== undefined && { traceparent }) }
    const outcome = yield* send({ ...request, headers })
    const { error, status } = outcome
    yield* Effect.annotateCurrentSpan({
      ...(status !== null && { "http.response.status_code": status }),
      ...(error !== undefined && { "error.type": error }),
    })
    return outcome
  })

/** Attempts of deliveries as parts of the trace that their event belongs to, if it does. */
const traceAttempts = ({ send }: WebhookSender["Service"]): WebhookSender["Service"] => ({
  send: (request) => {
    const event = parseTraceparent(request.headers["traceparent"])
    if (event === undefined) return send(request)
    const attributes = {
      "http.request.method": "POST",
      "server.address": URL.parse(request.url)?.host ?? "",
    }
    const options = { kind: "client", parent: Tracer.externalSpan(event), attributes } as const
    return post(send, request).pipe(
      Effect.withSpan("webhook", options),
      Effect.withTracerEnabled(true),
    )
  },
})

/** The store with its commits traced. */
export const tracedStore = Layer.effect(Store, Effect.map(Store, traceCommits))

/** The sender with its attempts traced. */
export const tracedSender = Layer.effect(WebhookSender, Effect.map(WebhookSender, traceAttempts))
