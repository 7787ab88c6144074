import { type Context, Effect, Metric } from "effect"
import { PrometheusMetrics } from "effect/observability"
import { monitorEventLoopDelay } from "node:perf_hooks"

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

const requests = Metric.counter("payport_http_requests_total", {
  description: "Requests answered, by route, method and status.",
  incremental: true,
})
const durations = Metric.histogram("payport_http_request_duration_seconds", {
  description: "Time from the request's head to its answer.",
  boundaries: SECONDS,
})
const inFlight = Metric.gauge("payport_http_requests_in_flight", {
  description: "Requests that are being served.",
})
const streams = Metric.gauge("payport_http_event_streams", {
  description: "Event streams that are open.",
})
const loopDelay = Metric.gauge("payport_event_loop_delay_seconds", {
  description: "How late the event loop ran since the last look, by quantile.",
})
const memory = Metric.gauge("payport_memory_bytes", {
  description: "Memory of the process, by kind.",
})

const NANOSECONDS = 1e9

/** The server's metrics; `text` is in the Prometheus text format. */
export interface HttpMetrics {
  readonly started: () => void
  readonly ended: (route: string, method: string, status: number, milliseconds: number) => void
  readonly streaming: (open: number) => void
  readonly text: () => string
  readonly stop: () => void
}

/** Metrics in the registry of `context`. Every combination of labels is prepared once. */
export const makeMetrics = (context: Context.Context<never>): HttpMetrics => {
  const byLabels = new Map<string, (milliseconds: number) => void>()
  const delay = monitorEventLoopDelay({ resolution: 10 })
  delay.enable()
  let serving = 0

  const prepare = (route: string, method: string, status: number) => {
    const count = Metric.withAttributes(requests, { route, method, status: String(status) })
    const time = Metric.withAttributes(durations, { route, method })
    return (milliseconds: number) => {
      count.updateUnsafe(1, context)
      time.updateUnsafe(milliseconds / 1000, context)
    }
  }

  const sample = () => {
    inFlight.updateUnsafe(serving, context)
    for (const [quantile, at] of [
      ["0.5", 50],
      ["0.99", 99],
      ["1", 100],
    ] as const) {
      const seconds = delay.percentile(at) / NANOSECONDS
      Metric.withAttributes(loopDelay, { quantile }).updateUnsafe(seconds, context)
    }
    delay.reset()
    const { rss, heapUsed } = process.memoryUsage()
    Metric.withAttributes(memory, { kind: "resident" }).updateUnsafe(rss, context)
    Metric.withAttributes(memory, { kind: "heap_used" }).updateUnsafe(heapUsed, context)
  }

  return {
    started: () => {
      serving++
    },
    ended: (route, method, status, milliseconds) => {
      serving--
      const key = `${method} ${status} ${route}`
      let record = byLabels.get(key)
      if (record === undefined) byLabels.set(key, (record = prepare(route, method, status)))
      record(milliseconds)
    },
    streaming: (open) => streams.updateUnsafe(open, context),
    text: () => {
      sample()
      return Effect.runSync(Effect.provideContext(PrometheusMetrics.format(), context))
    },
    stop: () => delay.disable(),
  }
}
