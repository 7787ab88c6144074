import { Result } from "effect"
import { describe, expect, test } from "vitest"
import type { Exchange } from "../../../apps/record/Exchange.ts"
import { Recording } from "../../../apps/record/Recording.ts"
import { scenarioFrom } from "../../../apps/record/scenarioFrom.ts"
import { recordingText } from "../../../apps/record/summary.ts"
import { readScenario } from "../../../simulator/scenarios/readScenario.ts"

const exchange = (said: Partial<Exchange>): Exchange => ({
  method: "GET",
  path: "/v1/payment-intents/pi_1",
  caller: "one",
  isBuyer: true,
  keyed: false,
  at: 0,
  status: 200,
  replayed: false,
  asked: undefined,
  answered: undefined,
  ...said,
})

const intent = (said: object) => ({
  id: "pi_1",
  status: "qr_generated",
  amount: { currency: "USD", value: 500 },
  channel: "wallet_a",
  created_at: "2026-03-01T12:00:00.000Z",
  ...said,
})

const created = (said: object = {}) =>
  exchange({ method: "POST", path: "/v1/payment-intents", status: 201, answered: intent(said) })

const recorded = (...exchanges: ReadonlyArray<Exchange>) => {
  const recording = new Recording()
  for (const one of exchanges) recording.add(one)
  return { recording, scenario: scenarioFrom(recording, "recorded") }
}

describe("what a payer has done without a sandbox's wallet", () => {
  test.each([
    ["pays", { status: "captured", authorized_at: "2026-03-01T12:00:05.000Z" }],
    ["pays", { status: "voided", authorized_at: "2026-03-01T12:00:05.000Z" }],
    ["rejects", { status: "failed", failure_code: "PAYER_REJECTED" }],
    ["lacks_funds", { status: "failed", failure_code: "INSUFFICIENT_BALANCE" }],
    ["is_closed_out", { status: "failed", failure_code: "CHANNEL_CLOSED" }],
    ["scans", { status: "expired", scanned_at: "2026-03-01T12:00:02.000Z" }],
    ["sleeps", { status: "expired" }],
    ["sleeps", {}],
  ])("is seen in later answers: %s of %j", (act, said) => {
    const { scenario } = recorded(created(), exchange({ answered: { data: [intent(said)] } }))
    expect(scenario?.plays?.[0]?.payer.act).toBe(act)
  })
})

test.each([
  ["pays", "captured", { authorized_at: "2026-03-01T12:00:05.000Z" }],
  ["rejects", "failed", { failure_code: "PAYER_REJECTED" }],
])("a slow response does not undo that the payer %s", (act, status, said) => {
  const { scenario } = recorded(
    created(),
    exchange({ at: 20, answered: intent({ status, ...said }) }),
    exchange({ at: 10, answered: intent({ status: "scanning" }) }),
  )
  expect(scenario?.plays?.[0]?.payer.act).toBe(act)
})

test("times are the service's, and of two payments the second is counted from the first", () => {
  const { scenario } = recorded(
    created({ id: "pi_2", created_at: "2026-03-01T12:01:00.000Z", channel: "own_bank" }),
    created(),
    exchange({
      method: "POST",
      path: "/v1/payment-intents/pi_1/capture",
      at: 9_000,
      asked: { amount: { currency: "USD", value: 120 } },
      answered: intent({
        status: "captured",
        scanned_at: "2026-03-01T12:00:02.000Z",
        authorized_at: "2026-03-01T12:00:05.000Z",
        captured_at: "2026-03-01T12:00:06.500Z",
      }),
    }),
  )
  expect(scenario).toMatchObject({ payments: 2, start: "2026-03-01T12:00:00.000Z" })
  expect(scenario?.plays).toMatchObject([
    {
      after_ms: 0,
      channel: "wallet_a",
      payer: { act: "pays", scans_after_ms: 2_000, decides_after_ms: 3_000 },
      payee: { act: "captures", after_ms: 1_500, captures: 120 },
    },
    { after_ms: 60_000, channel: null, payee: { act: "waits" } },
  ])
})

test("what was answered only at the second try is taken once, by that answer", () => {
  const post = (path: string, said: Partial<Exchange> = {}) =>
    exchange({ method: "POST", path, status: 201, keyed: true, ...said })
  const again = { replayed: true, keyed: true }
  const capture = post("/v1/payment-intents/pi_1/capture", { answered: intent({}) })
  const refund = post("/v1/payment-intents/pi_1/refund", { answered: { id: "ref_1" } })
  const subscribed = post("/v1/service-manifests/s_1/subscribe", { answered: { id: "sub_1" } })
  const lost = [created(), capture, refund, subscribed].map((one) => ({ ...one, ...again }))
  const { recording, scenario } = recorded(...lost, ...lost)
  expect(scenario?.plays).toMatchObject([
    { payee: { act: "captures" }, refunds: [{ value: null }] },
  ])
  expect(recording.subscriptions).toBe(1)
  const repeated = "answered before under the same key"
  expect([...recording.left]).toEqual([
    [`POST /v1/payment-intents, ${repeated}`, 1],
    [`POST /v1/payment-intents/:id/capture, ${repeated}`, 1],
    [`POST /v1/payment-intents/:id/refund, ${repeated}`, 1],
    [`POST /v1/service-manifests/:id/subscribe, ${repeated}`, 1],
  ])
})

test.each([
  ["a payment of nothing", { amount: { currency: "USD", value: 0 } }],
  ["a payment of too much", { amount: { currency: "USD", value: 1_000_000_000_001 } }],
  ["a payment at no instant", { created_at: "yesterday" }],
  ["a payment before all scenarios", { created_at: "1999-12-31T23:59:59.999Z" }],
])("%s, which another service takes, is counted and not written", (_, said) => {
  const { recording, scenario } = recorded(created(), created({ id: "pi_2", ...said }))
  expect(scenario).toMatchObject({ payments: 1 })
  expect([...recording.left]).toEqual([["POST /v1/payment-intents", 1]])
  expect(Result.isSuccess(readScenario(scenario))).toBe(true)
})

test("captures and refunds of nothing are counted and not written", () => {
  const asked = { amount: { currency: "USD", value: 0 } }
  const post = (path: string) =>
    exchange({ method: "POST", path: `/v1/payment-intents/pi_1/${path}`, asked })
  const { recording, scenario } = recorded(created(), post("capture"), post("refund"))
  expect(scenario?.plays).toMatchObject([{ payee: { act: "waits" }, refunds: [] }])
  expect([...recording.left.keys()]).toEqual([
    "POST /v1/payment-intents/:id/capture",
    "POST /v1/payment-intents/:id/refund",
  ])
})

test("what is no payment is counted and said", () => {
  const { recording, scenario } = recorded(
    created(),
    exchange({ method: "POST", path: "/v1/service-manifests/s_1/subscribe", status: 201 }),
    exchange({ method: "POST", path: "/v1/fx/quotes", status: 201 }),
    exchange({ method: "POST", path: "/mcp/market" }),
    exchange({ method: "POST", path: "/v1/payment-intents/pi_9/capture" }),
  )
  expect(scenario?.subscribed_months).toBe(1)
  const text = recordingText(scenario!, recording, "monday.yaml")
  for (const said of [
    /^Recorded in monday\.yaml$/m,
    /^ +1 {2}payments$/m,
    /^ +1 {2}subscriptions$/m,
    /^Not expressed$/m,
    /^ +1 {2}requests of other interfaces, such as pages and tools$/m,
    /^ +1 {2}POST \/v1\/fx\/quotes$/m,
    /^ +1 {2}POST \/v1\/payment-intents\/:id\/capture$/m,
    /payport simulate --scenario monday\.yaml$/,
  ]) {
    expect(text).toMatch(said)
  }
  expect(recorded().scenario).toBeUndefined()
})
