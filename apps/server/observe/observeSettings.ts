import { Effect, type LogLevel, Redacted } from "effect"
import type { AccessLog } from "../../../adapters/http/koa/telemetry.ts"
import { parseUrl, read, secret, variable } from "../variables.ts"
import { type Sampler, SAMPLERS, samplerOf } from "./Sampler.ts"

/** Where traces and metrics are sent with OpenTelemetry's protocol. */
export interface OtlpSettings {
  /** The collector's URL, without `/v1/traces`. */
  readonly endpoint: string
  readonly protocol: "http/protobuf" | "http/json"
  readonly headers: Redacted.Redacted<{ readonly [name: string]: string }>
  readonly service: string
  readonly sampler: Sampler
}

/** The logs, traces and metrics of the process. */
export interface ObserveSettings {
  readonly log_level: LogLevel.Severity
  readonly access_log: AccessLog
  /** Undefined if nothing is sent. */
  readonly otlp: OtlpSettings | undefined
}

const LEVELS: { readonly [name: string]: LogLevel.Severity } = {
  debug: "Debug",
  info: "Info",
  warning: "Warn",
  error: "Error",
}

const oneOf =
  <W extends string>(...words: ReadonlyArray<W>) =>
  (text: string): W | undefined =>
    words.find((word) => word === text)

const ENTRY = /^\s*([\w-]+)\s*=\s*([^,]*?)\s*$/

/** Parses OpenTelemetry's headers: `name=value,name=value`, with percent-encoded values. */
const parseHeaders = (text: string): { readonly [name: string]: string } | undefined => {
  const entries = text.split(",").map((part) => ENTRY.exec(part))
  const pairs = entries.flatMap((entry): ReadonlyArray<readonly [string, string]> => {
    const [, name, value] = entry ?? []
    return name === undefined || value === undefined || !URL.canParse(`x:?${value}`)
      ? []
      : [[name, decode(value)]]
  })
  return pairs.length === entries.length ? Object.fromEntries(pairs) : undefined
}

const decode = (value: string): string => {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}

const parseRatio = (text: string): number | undefined =>
  /^(?:0(?:\.\d{1,12})?|1(?:\.0{1,12})?)$/.test(text) ? Number(text) : undefined

/** The variables for logs and OpenTelemetry, for the help. */
export const observeVariables = {
  log_level: variable(
    "PAYPORT_LOG_LEVEL",
    "debug, info, warning or error",
    "info",
    (text) => LEVELS[text],
  ),
  access_log: variable(
    "PAYPORT_ACCESS_LOG",
    "on, errors (answers from 400 on) or off",
    "on: a line for each request",
    oneOf("on", "errors", "off"),
  ),
  otlp_endpoint: variable(
    "OTEL_EXPORTER_OTLP_ENDPOINT",
    "the http or https URL of an OpenTelemetry collector",
    "unset: no traces, and metrics at /metrics alone",
    parseUrl,
  ),
  otlp_protocol: variable(
    "OTEL_EXPORTER_OTLP_PROTOCOL",
    "http/protobuf or http/json",
    "http/protobuf",
    oneOf("http/protobuf", "http/json"),
  ),
  otlp_headers: secret(
    "OTEL_EXPORTER_OTLP_HEADERS",
    "name=value with commas between, for the collector",
    "none",
    (text) => parseHeaders(text) !== undefined,
  ),
  service_name: variable("OTEL_SERVICE_NAME", "1 to 200 characters", "payport", (text) =>
    text.length <= 200 ? text : undefined,
  ),
  sampler: variable(
    "OTEL_TRACES_SAMPLER",
    SAMPLERS.join(", "),
    "parentbased_always_on",
    oneOf(...SAMPLERS),
  ),
  sampler_argument: variable(
    "OTEL_TRACES_SAMPLER_ARG",
    "a part from 0 to 1, for the samplers by ratio",
    "1",
    parseRatio,
  ),
}

const readOtlp = Effect.gen(function* () {
  const endpoint = yield* read(observeVariables.otlp_endpoint)
  if (endpoint === undefined) return undefined
  const headers = yield* read(observeVariables.otlp_headers)
  const sampler = (yield* read(observeVariables.sampler)) ?? "parentbased_always_on"
  const otlp: OtlpSettings = {
    endpoint,
    protocol: (yield* read(observeVariables.otlp_protocol)) ?? "http/protobuf",
    headers: Redacted.make((headers && parseHeaders(Redacted.value(headers))) ?? {}),
    service: (yield* read(observeVariables.service_name)) ?? "payport",
    sampler: samplerOf(sampler, yield* read(observeVariables.sampler_argument)),
  }
  return otlp
})

/** Reads the settings of logs, traces and metrics. */
export const readObserve = Effect.gen(function* () {
  const observe: ObserveSettings = {
    log_level: (yield* read(observeVariables.log_level)) ?? "Info",
    access_log: (yield* read(observeVariables.access_log)) ?? "on",
    otlp: yield* readOtlp,
  }
  return observe
})
