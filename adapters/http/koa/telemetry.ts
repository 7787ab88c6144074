import { Effect, References } from "effect"
import { PrometheusMetrics } from "effect/observability"
import { METHODS } from "node:http"
import { monitorEventLoopDelay } from "node:perf_hooks"
import { METRICS } from "../../shared/metrics/Metrics.ts"
import { atMostEvery, gaugeOf, seriesOf } from "../../shared/metrics/series.ts"

const NANOSECONDS = 1e9

/** The shortest time between two measurements of the process, in milliseconds. */
const LOOK_EVERY = 5_000

/** The server's metrics; `text` is in the Prometheus text format. */
export interface HttpMetrics {
  readonly started: () => void
  readonly ended: (route: string, method: string, status: number, milliseconds: number) => void
  readonly streaming: (open: number) => void
  readonly text: () => string
}

/** The requests in progress in this process, over all its listeners. */
let serving = 0

/** Returns the delay of the event loop since the last call, by quantile, in seconds. */
const lookAtLoop = (delay: ReturnType<typeof monitorEventLoopDelay>) => () => {
  const seconds = (at: number) => delay.percentile(at) / NANOSECONDS
  const found = { "0.5": seconds(50), "0.99": seconds(99), "1": seconds(100) }
  delay.reset()
  return found
}

/** Exports gauges of the process while the scope is open. */
const observeProcess = Effect.gen(function* () {
  const delay = yield* Effect.acquireRelease(
    Effect.sync(() => {
      const watching = monitorEventLoopDelay({ resolution: 10 })
      watching.enable()
      return watching
    }),
    (watching) => Effect.sync(() => void watching.disable()),
  )
  const loop = atMostEvery(LOOK_EVERY, lookAtLoop(delay))
  for (const quantile of ["0.5", "0.99", "1"] as const) {
    yield* gaugeOf(METRICS.loopDelay, { quantile }, () => loop()[quantile])
  }
  const memory = atMostEvery(LOOK_EVERY, () => process.memoryUsage())
  yield* gaugeOf(METRICS.memory, { kind: "resident" }, () => memory().rss)
  yield* gaugeOf(METRICS.memory, { kind: "heap_used" }, () => memory().heapUsed)
  yield* gaugeOf(METRICS.inFlight, {}, () => serving)
})

/** A host that mounts the interface may pass on any text, which would be a series of its own. */
const KNOWN_METHODS: ReadonlySet<string> = new Set(METHODS)

/** Makes a server's metrics in the registry of the process. */
export const makeMetrics = Effect.gen(function* () {
  yield* observeProcess
  const context = yield* Effect.context()
  const requests = seriesOf(METRICS.requests, "route", "method", "status")
  const durations = seriesOf(METRICS.durations, "route", "method")
  const streams = seriesOf(METRICS.streams)()
  streams(0)
  const byLabels = new Map<string, (milliseconds: number) => void>()
  const prepare = (route: string, method: string, status: number) => {
    const count = requests(route, method, String(status))
    const time = durations(route, method)
    return (milliseconds: number) => {
      count(1)
      time(milliseconds / 1_000)
    }
  }
  const metrics: HttpMetrics = {
    started: () => {
      serving++
    },
    ended: (route, given, status, milliseconds) => {
      serving--
      const method = KNOWN_METHODS.has(given) ? given : "other"
      const key = `${method} ${status} ${route}`
      let record = byLabels.get(key)
      if (record === undefined) byLabels.set(key, (record = prepare(route, method, status)))
      record(milliseconds)
    },
    streaming: streams,
    text: () => PrometheusMetrics.formatUnsafe(context),
  }
  return metrics
})

/** Probes call these routes so often that their log lines would drown the others. */
const PROBED = new Set(["/healthz", "/readyz", "/metrics"])

/** Whether probes call the route. */
export const isProbed = (path: string): boolean => PROBED.has(path)

/** A request that has been answered. */
export interface Served {
  readonly request_id: string
  readonly account_id: string | null
  readonly method: string | undefined
  /** The pattern of its route; null without a route. */
  readonly route: string | null
  readonly status: number
  /** The code of a refusal. */
  readonly code: string | null
  /** The time of its begin, on the clock of `performance.now()`. */
  readonly started: number
}

/** Made once, because every request logs one of them. */
const LINES = {
  error: Effect.logError("request"),
  warning: Effect.logWarning("request"),
  info: Effect.logInfo("request"),
  debug: Effect.logDebug("request"),
}

const lineOf = ({ route, status }: Served) => {
  if (status === 500) return LINES.error
  if (status > 500) return LINES.warning
  return route !== null && isProbed(route) ? LINES.debug : LINES.info
}

/** The requests that are logged: all, those with a status from 400 on, or none. */
export type AccessLog = "on" | "errors" | "off"

/** Writes the log line of a request, if it is logged. */
export const logRequest = (served: Served, access: AccessLog) => {
  if (access === "off" || (access === "errors" && served.status < 400)) return Effect.void
  const { account_id, code, method, request_id, route, started, status } = served
  return Effect.provideService(lineOf(served), References.CurrentLogAnnotations, {
    request_id,
    ...(account_id !== null && { account_id }),
    method,
    route,
    status,
    ...(code !== null && { code }),
    duration_ms: Math.round((performance.now() - started) * 100) / 100,
  })
}
