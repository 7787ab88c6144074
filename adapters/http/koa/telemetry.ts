import { Cause, Effect, type Layer, Logger, References } from "effect"
import { PrometheusMetrics } from "effect/observability"
import { METHODS } from "node:http"
import { monitorEventLoopDelay } from "node:perf_hooks"
import { METRICS } from "../../shared/metrics/Metrics.ts"
import { atMostEvery, gaugeOf, seriesOf } from "../../shared/metrics/series.ts"
import { toIso } from "../../../core/shared/Timestamp.ts"

/** The patterns of keys, secrets and signatures anywhere in a text. */
const SECRETS = [
  /\b(?:ag_)?sk_(?:test|live)_[\w-]{8,}/g,
  /\bwhsec_[\w-]{8,}/g,
  /\bBearer\s+[^\s"\\]+/gi,
  /\b[0-9a-f]{64}\b/g,
  /\b(?:postgres(?:ql)?|https?):\/\/[^\s:/@"]+:[^\s@"]+@/g,
]

/** Names of fields whose values are never logged. */
const SECRET_NAMES =
  /(?:authorization|api_?key|admin_?key|master_?key|secret|password|signature|token|otp|cookie)$/i

/** Every secret except a digest contains one of these, so most lines need only this check. */
const SUSPICIOUS = /sk_|whsec_|:\/\/|bearer/i

const DIGEST_LENGTH = 64

const isHex = (code: number): boolean => (code >= 48 && code <= 57) || (code >= 97 && code <= 102)

/**
 * Whether the text has a run of hexadecimal digits as long as a digest. Such a run covers a
 * position that is a multiple of its length, so only these positions are checked.
 */
const holdsDigest = (text: string): boolean => {
  for (let at = DIGEST_LENGTH - 1; at < text.length; at += DIGEST_LENGTH) {
    if (!isHex(text.charCodeAt(at))) continue
    let first = at
    let last = at
    while (isHex(text.charCodeAt(first - 1))) first -= 1
    while (isHex(text.charCodeAt(last + 1))) last += 1
    if (last - first + 1 >= DIGEST_LENGTH) return true
  }
  return false
}

const HIDDEN = "[hidden]"

/** Returns the text with secrets replaced. */
export const redactText = (text: string): string =>
  SUSPICIOUS.test(text) || holdsDigest(text)
    ? SECRETS.reduce((shown, secret) => shown.replace(secret, HIDDEN), text)
    : text

/** A replacer for `JSON.stringify` that hides the values of fields with secret names. */
const hideNamed = (name: string, value: unknown): unknown => {
  if (name !== "" && SECRET_NAMES.test(name) && value !== null) return HIDDEN
  if (typeof value === "bigint") return value.toString()
  if (value instanceof Error) return { name: value.name, message: value.message }
  return value
}

const isFlat = (value: unknown): boolean =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean"

/** Names of fields that every line may have. None is secret. */
const PLAIN_NAMES = new Set([
  "time",
  "level",
  "message",
  "request_id",
  "account_id",
  "method",
  "route",
  "status",
  "code",
  "duration_ms",
])

/** Returns JSON without secrets. A record of plain values needs no replacer. */
const hiddenJson = (record: { readonly [name: string]: unknown }): string => {
  for (const name in record) {
    const isPlain = isFlat(record[name]) && (PLAIN_NAMES.has(name) || !SECRET_NAMES.test(name))
    if (!isPlain) return JSON.stringify(record, hideNamed)
  }
  return JSON.stringify(record)
}

const plain = (value: unknown): unknown =>
  Array.isArray(value) && value.length === 1 ? plain(value[0]) : value

/** A log line: JSON with the time, the level, the message and its annotations. */
const formatLine = Logger.make(({ cause, date, fiber, logLevel, message }): string =>
  redactText(
    hiddenJson({
      time: toIso(date.getTime()),
      level: logLevel.toLowerCase(),
      message: plain(message),
      ...fiber.getRef(References.CurrentLogAnnotations),
      ...(cause.reasons.length > 0 && { cause: Cause.pretty(cause) }),
    }),
  ),
)

/** Writes all lines of one turn of the event loop together. */
const makeBatch = (write: (text: string) => void) => {
  let waiting = ""
  const flush = () => {
    const text = waiting
    waiting = ""
    if (text !== "") write(text)
  }
  const add = (line: string) => {
    if (waiting === "") setImmediate(flush)
    waiting += `${line}\n`
  }
  return { add, flush }
}

const toStderr = (text: string) => void process.stderr.write(text)

/** Logs JSON lines, by default to stderr. */
export const layerJsonLines = (write: (text: string) => void = toStderr): Layer.Layer<never> =>
  Logger.layer([
    Effect.acquireRelease(
      Effect.sync(() => makeBatch(write)),
      (batch) => Effect.sync(batch.flush),
    ).pipe(Effect.map((batch) => Logger.map(formatLine, batch.add))),
  ])

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
