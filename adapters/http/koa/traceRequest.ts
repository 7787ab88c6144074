import { Effect, Tracer } from "effect"
import type { Incoming } from "../../shared/Exchange.ts"
import { parseTraceparent, type Traceparent } from "../../shared/Traceparent.ts"

/** Decides which requests are traced, by the trace context of the caller. */
export interface Tracing {
  readonly isSampled: (caller: Traceparent | undefined) => boolean
}

/** Runs the request, which returns its status, as a span of its caller's trace, or of a new one. */
export const traceRequest = <E, R>(
  { isSampled }: Tracing,
  req: Pick<Incoming, "method" | "headers">,
  route: string | null,
  served: Effect.Effect<number, E, R>,
): Effect.Effect<number, E, R> => {
  const { traceparent } = req.headers
  const caller = parseTraceparent(typeof traceparent === "string" ? traceparent : undefined)
  const method = req.method ?? "none"
  const noted = Effect.tap(served, (status) =>
    Effect.annotateCurrentSpan("http.response.status_code", status),
  )
  return Effect.withSpan(noted, route === null ? method : `${method} ${route}`, {
    kind: "server",
    sampled: isSampled(caller),
    attributes: { "http.request.method": method, ...(route !== null && { "http.route": route }) },
    ...(caller === undefined ? { root: true } : { parent: Tracer.externalSpan(caller) }),
  })
}
