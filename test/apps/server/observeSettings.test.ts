import { ConfigProvider, Effect, Redacted, Result } from "effect"
import { describe, expect, test } from "vitest"
import { readObserve } from "../../../apps/server/observe/observeSettings.ts"
import { isSampled, SAMPLERS, samplerOf } from "../../../apps/server/observe/Sampler.ts"

const read = (env: { readonly [name: string]: string }) =>
  readObserve.pipe(
    Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnv({ env })),
    Effect.result,
    Effect.runSync,
  )

describe("what the process tells of itself", () => {
  test("is its log unless somebody says more", () => {
    expect(Result.getOrThrow(read({ OTEL_SERVICE_NAME: "till" }))).toEqual({
      log_level: "Info",
      access_log: "on",
      otlp: undefined,
    })
  })

  test("goes to a collector", () => {
    const { otlp, ...logs } = Result.getOrThrow(
      read({
        PAYPORT_LOG_LEVEL: "warning",
        PAYPORT_ACCESS_LOG: "off",
        OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318/",
        OTEL_EXPORTER_OTLP_HEADERS: "authorization=Basic%20abc=, x-team=a",
        OTEL_TRACES_SAMPLER: "traceidratio",
        OTEL_TRACES_SAMPLER_ARG: "0.25",
      }),
    )
    expect(logs).toEqual({ log_level: "Warn", access_log: "off" })
    const { headers, ...rest } = otlp!
    expect(Redacted.value(headers)).toEqual({ authorization: "Basic abc=", "x-team": "a" })
    expect(rest).toEqual({
      endpoint: "http://collector:4318",
      protocol: "http/protobuf",
      service: "payport",
      sampler: { ratio: 0.25, followsCaller: false },
    })
  })

  test.each([
    ["PAYPORT_LOG_LEVEL", "loud", "debug, info, warning or error"],
    ["PAYPORT_ACCESS_LOG", "yes", "errors"],
    ["OTEL_EXPORTER_OTLP_ENDPOINT", "collector:4318", "http or https"],
    ["OTEL_EXPORTER_OTLP_PROTOCOL", "grpc", "http/protobuf or http/json"],
    ["OTEL_EXPORTER_OTLP_HEADERS", "no value", "name=value"],
    ["OTEL_TRACES_SAMPLER", "sometimes", "parentbased_traceidratio"],
    ["OTEL_TRACES_SAMPLER_ARG", "1.5", "from 0 to 1"],
  ])("is refused where %s is %s", (name, text, said) => {
    const result = read({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318", [name]: text })
    const message = Result.isFailure(result) ? result.failure.message : "no failure"
    expect(message).toContain(`${name} has to be`)
    expect(message).toContain(said)
    if (name.endsWith("HEADERS")) expect(message).not.toContain(text)
  })
})

describe("a sampler", () => {
  const caller = (first: string, sampled: boolean) => ({
    traceId: `${"a".repeat(19)}${first}${"0".repeat(12)}`,
    spanId: "00f067aa0ba902b7",
    sampled,
  })
  test.each([
    ["always_on", undefined, undefined, 0.99, true],
    ["always_on", undefined, caller("f", false), 0, true],
    ["always_off", undefined, caller("0", true), 0, false],
    ["traceidratio", 0.5, undefined, 0.49, true],
    ["traceidratio", 0.5, undefined, 0.5, false],
    ["traceidratio", 0.5, caller("7", false), 0.9, true],
    ["traceidratio", 0.5, caller("8", true), 0.1, false],
    ["traceidratio", undefined, caller("f", false), 0.9, true],
    ["parentbased_always_on", undefined, caller("0", false), 0, false],
    ["parentbased_always_on", undefined, undefined, 0.9, true],
    ["parentbased_always_off", undefined, caller("0", true), 0, true],
    ["parentbased_always_off", undefined, undefined, 0, false],
    ["parentbased_traceidratio", 0.1, caller("f", true), 0.9, true],
    ["parentbased_traceidratio", 0.1, undefined, 0.2, false],
  ])("%s %s, asked by %o at %s: %s", (name, argument, said, chance, expected) => {
    expect(SAMPLERS).toContain(name)
    expect(isSampled(samplerOf(name, argument), said, chance)).toBe(expected)
  })
})
