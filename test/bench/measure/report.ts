import { setTimeout as sleep } from "node:timers/promises"
import { type Bench, countIntents, type Running, withService } from "../Bench.ts"
import { seedMonth } from "../seedMonth.ts"
import { median } from "../../../apps/bench/statistics.ts"

const PAYMENTS = 1_000_000
const DAYS = 31
const TARGET = 2
const ASKED = 20

/** The largest number of discrepancies that a run keeps. The report has to search them. */
const FOUND = 500

/** Seconds that a report took over a million payments of a month. */
export interface ReportTime {
  readonly payments: number
  readonly discrepancies: number
  readonly rows: number
  /** The first after the service has started, the median and the longest of the others. */
  readonly first: number
  readonly median: number
  readonly longest: number
  readonly target: number
  readonly met: boolean
}

type Json = { readonly [field: string]: unknown }

const caller =
  ({ service: { url } }: Running, key: string) =>
  async (method: string, path: string, body?: object): Promise<Json> => {
    const answer = await fetch(url + path, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body !== undefined && { "content-type": "application/json" }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path} was answered ${answer.status}: ${text}`)
    return JSON.parse(text) as Json
  }

/**
 * Has the shop's payment paid and captured, and lets a day pass on which its channel's statement
 * leaves it out: the worker finds that. Returns the service's time.
 */
const liveOn = async (running: Running): Promise<string> => {
  const { service, shop } = running
  const seller = caller(running, service.sellerKey)
  const pay = `/v1/sandbox/payment-intents/${shop.intentId}/simulate`
  await caller(running, service.buyerKey)("POST", pay, { action: "authorize" })
  await seller("POST", `/v1/payment-intents/${shop.intentId}/capture`)
  await seller("PUT", "/v1/sandbox/channels/wallet_b/faults", { statement_drops: true })
  let { now } = await seller("POST", "/v1/sandbox/clock/advance", { seconds: 36 * 3_600 })
  for (let tries = 0; tries < 100; tries++) {
    const path = `/v1/payment-intents/${shop.intentId}`
    const { status } = await seller("GET", path)
    if (status === "succeeded") return String(now)
    await sleep(100)
    now = (await seller("POST", "/v1/sandbox/clock/advance", { seconds: 1 }))["now"]
  }
  throw new Error("The payment that the others are copies of does not succeed.")
}

const dayOf = (now: string, days: number): string =>
  new Date(Date.parse(now) + days * 86_400_000).toISOString().slice(0, 10)

const measure = async (bench: Bench, running: Running): Promise<ReportTime> => {
  const { progress, server } = bench
  const seller = caller(running, running.service.sellerKey)
  const now = await progress.step("report: one payment and a day", 5, () => liveOn(running))
  const { data } = await seller("GET", "/v1/channels")
  const channels = (data as ReadonlyArray<{ readonly channel: string }>).map(
    ({ channel }) => channel,
  )
  // The month before the payment: the payment's own day has only its own records.
  const [first, last] = [dayOf(now, -DAYS - 3), dayOf(now, -4)]
  await seedMonth(
    server,
    running,
    {
      first,
      days: DAYS,
      channels,
      payments: PAYMENTS,
      model: running.shop.intentId,
      discrepancies: FOUND,
    },
    (what, work) => progress.step(`report: storing 1,000,000 payments, ${what}`, 4, work),
  )
  if ((await countIntents(bench, running.database)) !== PAYMENTS + 1) {
    throw new Error("The database does not hold the payments that it was to be filled with.")
  }
  const path = `/v1/reports/reconciliation?from=${first}&to=${last}`
  const times: Array<number> = []
  let report: Json = {}
  await progress.step("report: asking", 10, async () => {
    for (let n = 0; n <= ASKED; n++) {
      const started = performance.now()
      report = await seller("GET", path)
      times.push((performance.now() - started) / 1_000)
    }
  })
  const rows = (report["rows"] as ReadonlyArray<Json>).length
  const totals = report["totals"] as ReadonlyArray<Json>
  const counted = totals.reduce((sum, total) => sum + Number(total["payments"]), 0)
  const pending = report["pending_days"] as ReadonlyArray<string>
  if (counted !== PAYMENTS || rows !== DAYS * channels.length || pending.length > 0) {
    throw new Error(
      `The report has ${counted} payments in ${rows} rows, ${pending.length} pending.`,
    )
  }
  const [cold = Infinity, ...others] = times
  const longest = Math.max(...times)
  return {
    payments: PAYMENTS,
    discrepancies: DAYS * channels.length * FOUND,
    rows,
    first: cold,
    median: median(others),
    longest,
    target: TARGET,
    met: longest < TARGET,
  }
}

/** The reconciliation report over a month of 1,000,000 payments, through HTTP. */
export const measureReport = (bench: Bench): Promise<ReportTime> =>
  withService(bench, "bench_report", (running) => measure(bench, running))
