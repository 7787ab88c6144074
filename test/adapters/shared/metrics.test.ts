import { Context, Effect, Exit, Metric, Scope } from "effect"
import { PrometheusMetrics } from "effect/observability"
import { expect, test } from "vitest"
import {
  atMostEvery,
  counterOf,
  gaugeOf,
  seriesOf,
  settable,
} from "../../../adapters/shared/metrics/series.ts"
import { METRICS } from "../../../adapters/shared/metrics/Metrics.ts"

/** The samples of a metric, without its name. */
const samples = (name: string): ReadonlyArray<string> =>
  PrometheusMetrics.formatUnsafe(Context.empty())
    .split("\n")
    .filter((line) => line.startsWith(name))
    .map((line) => line.slice(name.length))

test("a series is prepared once for the values of its labels", () => {
  const counted = seriesOf(Metric.counter("test_series_total"), "first", "second")
  counted("a", "b")(1)
  counted("a", "b")(2)
  counted("ab", "")(4)
  expect(counted("a", "b")).toBe(counted("a", "b"))
  expect(samples("test_series_total")).toEqual([
    '{first="a",second="b"} 3',
    '{first="ab",second=""} 4',
  ])
})

test("a gauge that is set to its series loses the others", () => {
  const set = settable(Metric.gauge("test_settable"))
  set([
    [{ who: "a" }, 1],
    [{ who: "b" }, 2],
  ])
  set([
    [{ who: "b" }, 3],
    [{ who: "c" }, 0],
  ])
  expect(samples("test_settable")).toEqual(['{who="b"} 3', '{who="c"} 0'])
})

test("what is read when it is looked at ends with its scope", async () => {
  const scope = Scope.makeUnsafe()
  let value = 1
  const both = Effect.all([
    gaugeOf(Metric.gauge("test_read"), {}, () => value),
    counterOf(Metric.counter("test_read_total"), { of: "it" }, () => value),
  ])
  Effect.runSync(Scope.provide(both, scope))
  value = 7
  expect([samples("test_read "), samples("test_read_total")]).toEqual([["7"], ['{of="it"} 7']])
  await Effect.runPromise(Scope.close(scope, Exit.void))
  expect(samples("test_read")).toEqual([])
})

test("two who look within an interval see one look", () => {
  let [time, looks] = [0, 0]
  const look = atMostEvery(
    10,
    () => (looks += 1),
    () => time,
  )
  const seen = [0, 4, 9, 10, 14, 25].map((at) => {
    time = at
    return look()
  })
  expect(seen).toEqual([1, 1, 1, 2, 2, 3])
})

test("names are those of the service, each once, with a description", () => {
  const all = Object.values(METRICS)
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length)
  for (const { description, id, type } of all) {
    expect(description).toMatch(/^[A-Z].*\.$/)
    expect(id).toMatch(/^payport_[a-z_]+$/)
    expect(id.endsWith("_total")).toBe(type === "Counter")
  }
})

test("a series is one, whoever has prepared it, and counts into its buckets", () => {
  const metric = Metric.histogram("test_kept", { boundaries: [1, 2, 4] })
  const [one, another] = [seriesOf(metric, "of"), seriesOf(metric, "of")]
  for (const value of [0.5, 1, 1.5, 4]) one("it")(value)
  another("it")(9)
  expect(samples("test_kept")).toEqual([
    '_bucket{of="it",le="1"} 2',
    '_bucket{of="it",le="2"} 3',
    '_bucket{of="it",le="4"} 4',
    '_bucket{of="it",le="+Inf"} 5',
    '_sum{of="it"} 16',
    '_count{of="it"} 5',
  ])
})
