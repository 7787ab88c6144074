import { pairName, PAIRS } from "../../../simulator/auditor/Pairs.ts"
import type { Counts } from "../batch/Totals.ts"
import { escaped, grouped, stretch } from "./markup.ts"
import { bucketEnd, type Buckets, quantile } from "../../../simulator/report/Latencies.ts"
import type { Report } from "../../../simulator/Report.ts"

const FLOWS = [
  ["request_payment", "Request Payment"],
  ["one_time_pay", "One-Time Pay"],
] as const

const unique = (items: ReadonlyArray<string>): ReadonlyArray<string> => [...new Set(items)]

const cellOf = (flow: string, state: string, event: string, counts: Counts): string => {
  const pair = PAIRS.find(
    (known) => known.flow === flow && known.state === state && known.event === event,
  )
  if (pair === undefined) return `<td class="none">·</td>`
  const count = counts[pairName(pair)] ?? 0
  const classes = [pair.legal ? "legal" : "", count === 0 ? "zero" : ""].join(" ").trim()
  return `<td class="${classes}" title="${state}, ${event}">${grouped(count)}</td>`
}

const tableOf = (flow: string, title: string, counts: Counts): string => {
  const own = PAIRS.filter((pair) => pair.flow === flow)
  const events = unique(own.map(({ event }) => event))
  const states = unique(own.map(({ state }) => state))
  const head = events.map((event) => `<th>${escaped(event.replaceAll("_", " "))}</th>`).join("")
  const rows = states.map((state) => {
    const cells = events.map((event) => cellOf(flow, state, event, counts)).join("")
    return `<tr><th>${escaped(state.replaceAll("_", " "))}</th>${cells}</tr>`
  })
  return (
    `<p class="lead">${title}</p><div class="scroll" tabindex="0"><table class="pairs">` +
    `<tr><th>state</th>${head}</tr>${rows.join("")}</table></div><br>`
  )
}

/** Shows how often each event happened to payments in each state. */
export const pairsSection = (counts: Counts): string => {
  const legal = PAIRS.filter((pair) => pair.legal)
  const others = PAIRS.filter((pair) => !pair.legal)
  const visited = (pairs: typeof PAIRS) =>
    pairs.filter((pair) => (counts[pairName(pair)] ?? 0) > 0).length
  const tables = FLOWS.map(([flow, title]) => tableOf(flow, title, counts))
  return (
    `<h2>State by event</h2><p class="lead">${visited(legal)} of ${legal.length} legal pairs ` +
    `(framed) and ${visited(others)} of ${others.length} illegal ones came up.</p>` +
    tables.join("")
  )
}

const WIDTH = 320
const HEIGHT = 84
const BASE = 64

/** How many routes are shown, those with most requests first. */
const SHOWN = 9

const total = (buckets: Buckets): number => buckets.reduce((sum, count) => sum + count, 0)

const plotOf = (what: string, buckets: Buckets): string => {
  const last = buckets.findLastIndex((count) => count > 0)
  const shown = buckets.slice(0, last + 1)
  const most = Math.max(1, ...shown)
  const step = WIDTH / Math.max(shown.length, 1)
  const bars = shown.map((count, n) => {
    const height = (count / most) * (BASE - 6)
    return (
      `<rect x="${(n * step + 1).toFixed(1)}" y="${(BASE - height).toFixed(1)}" ` +
      `width="${Math.max(step - 2, 1).toFixed(1)}" height="${height.toFixed(1)}" rx="2" ` +
      `fill="var(--bar)"><title>below ${stretch(bucketEnd(n))}: ${grouped(count)}</title></rect>`
    )
  })
  const quantiles = [0.5, 0.95, 0.99].map(
    (part) => `p${part * 100} ≤ ${stretch(quantile(buckets, part))}`,
  )
  return (
    `<div class="card"><span>${escaped(what)} · ${grouped(total(buckets))}</span>` +
    `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escaped(what)}">` +
    `${bars.join("")}<text class="soft" x="1" y="${HEIGHT - 4}">1 ms</text>` +
    `<text class="soft" x="${WIDTH}" y="${HEIGHT - 4}" text-anchor="end">` +
    `${stretch(bucketEnd(Math.max(last, 0)))}</text></svg>` +
    `<span>${quantiles.join(" · ")}</span></div>`
  )
}

const VIRTUAL =
  "In virtual time, in buckets that double. It tells of slow stores, silent channels and " +
  "processes that stood still, not of the machine."
const REAL = "In real time, from here, in buckets that double."

/** Shows how long clients waited for responses: in virtual time, or of a real service. */
export const latenciesSection = (latencies: Report["latencies"], outside: boolean): string => {
  const shown = Object.entries(latencies)
    .toSorted(([, a], [, b]) => total(b) - total(a))
    .slice(0, SHOWN)
  if (shown.length === 0) return ""
  const plots = shown.map(([what, buckets]) => plotOf(what, buckets)).join("")
  return (
    `<h2>How long clients waited</h2><p class="lead">${outside ? REAL : VIRTUAL}</p>` +
    `<div class="cards plots">${plots}</div>`
  )
}
