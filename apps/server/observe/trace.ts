import { Effect, Layer, Redacted, References, Tracer } from "effect"
import { FetchHttpClient } from "effect/http"
import { OtlpMetrics, OtlpSerialization, OtlpTracer } from "effect/observability"
import { CurrentCaller } from "../../../adapters/shared/CurrentCaller.ts"
import {
  formatTraceparent,
  parseTraceparent,
  type Traceparent,
} from "../../../adapters/shared/Traceparent.ts"
import { type Commit, Store } from "../../../core/ports/Store.ts"
import { aboutOf } from "../../../core/webhooks/consumers/Feed.ts"
import type { Event } from "../../../core/webhooks/events/Event.ts"
import { type WebhookRequest, WebhookSender } from "../../../core/ports/WebhookSender.ts"
import type { ObserveSettings, OtlpSettings } from "./observeSettings.ts"

/** How long a stop waits until the last traces and metrics are exported. */
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

/** Runs the service with the log and the exporters of the settings. */
export const observed = <A, E, R>(
  { log_level, otlp }: ObserveSettings,
  self: Effect.Effect<A, E, R>,
): Effect.Effect<A, E, R> => {
  const told = otlp === undefined ? self : Effect.provide(self, exporters(otlp))
  return Effect.provideService(told, References.MinimumLogLevel, log_level)
}

/** Returns the trace of the payment's creation, if the event's account created the payment. */
const creationOf = (event: Event, { writes }: Commit): Traceparent | undefined => {
  const about = aboutOf(event)
  for (const { kind, record } of writes) {
    const isIt = kind === "payment_intent" && record.id === about
    if (isIt && record.account_id === event.account_id) {
      return parseTraceparent(record.traceparent ?? undefined)
    }
  }
  return undefined
}

/**
 * Returns the trace that an event continues: the request's, if the event's account made the
 * request; otherwise that of the payment's creation, if the account created it. Any other receiver
 * must not learn the caller's trace, and gets a new one. Both link to the request.
 */
const traceparentOf = (
  span: Tracer.Span | undefined,
  { account_id, type }: Event,
  creation: Traceparent | undefined,
) =>
  Effect.flatMap(CurrentCaller, (caller) => {
    if (span === undefined && creation === undefined) return Effect.succeed(undefined)
    if (span !== undefined && caller.account_id === account_id) {
      return Effect.succeed(formatTraceparent(span))
    }
    const options = {
      kind: "producer",
      sampled: creation?.sampled ?? span?.sampled ?? false,
      links: span === undefined ? [] : [{ span, attributes: {} }],
      attributes: { "payport.event.type": type },
      ...(creation === undefined ? { root: true } : { parent: Tracer.externalSpan(creation) }),
    } as const
    return Effect.withTracerEnabled(
      Effect.useSpan("event", options, (own) => Effect.succeed(formatTraceparent(own))),
      true,
    )
  })

/** Makes new payments continue the trace of the request that created them, if it is recorded. */
const withTrace = (span: Tracer.Span | undefined, { writes }: Commit): Commit["writes"] => {
  const traceparent = span?.sampled === true ? formatTraceparent(span) : undefined
  if (traceparent === undefined) return writes
  return writes.map((write) =>
    write.kind === "payment_intent" && write.op === "insert"
      ? { ...write, record: { ...write.record, traceparent } }
      : write,
  )
}

/** Records commits as spans of their trace, and events as spans of it or of their own trace. */
const traceCommits = (store: Store["Service"]): Store["Service"] => ({
  ...store,
  commit: (wanted) =>
    Effect.gen(function* () {
      const current = yield* Effect.orElseSucceed(Effect.currentSpan, () => undefined)
      const span = current && formatTraceparent(current) === undefined ? undefined : current
      const writes = withTrace(span, wanted)
      if (wanted.events === undefined) return yield* store.commit({ ...wanted, writes })
      const events = yield* Effect.forEach(wanted.events, (event) =>
        Effect.map(traceparentOf(span, event, creationOf(event, wanted)), (found) => ({
          ...event,
          traceparent: found ?? null,
        })),
      )
      yield* store.commit({ ...wanted, writes, events })
    }).pipe(Effect.withSpan("commit", { attributes: { "db.system.name": "postgresql" } })),
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

/** Records delivery attempts as spans of the trace that their event belongs to, if there is one. */
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
