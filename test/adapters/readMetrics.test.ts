import { expect, test } from "vitest"
import { readMetrics, sumsBy } from "../../adapters/shared/metrics/readMetrics.ts"

const TEXT = `# HELP payport_due_records Records whose time has come, by kind.
# TYPE payport_due_records gauge
payport_due_records{kind="event"} 3
payport_due_records{kind="delivery"} 0
payport_channel_calls_total{channel="wallet_a",outcome="performed",operation="call"} 4
payport_channel_calls_total{channel="wallet_a",outcome="un\\"known",operation="ask"} 1
payport_channel_calls_total{channel="wallet_b",outcome="performed",operation="call"} 2.5
payport_http_request_duration_seconds_bucket{le="+Inf"} 9
payport_memory_bytes 12
payport_odd NaN
no metric at all
`

test("metrics are read line by line, with their labels", () => {
  const samples = readMetrics(TEXT)
  expect(samples.map(({ name, value }) => [name.slice(8), value])).toEqual([
    ["due_records", 3],
    ["due_records", 0],
    ["channel_calls_total", 4],
    ["channel_calls_total", 1],
    ["channel_calls_total", 2.5],
    ["http_request_duration_seconds_bucket", 9],
    ["memory_bytes", 12],
  ])
  expect(samples[3]?.labels).toEqual({
    channel: "wallet_a",
    outcome: 'un"known',
    operation: "ask",
  })
  expect([...sumsBy(samples, "payport_channel_calls_total", "channel")]).toEqual([
    ["wallet_a", 5],
    ["wallet_b", 2.5],
  ])
})
