import { PAIRS, pairName } from "../../../simulator/auditor/Pairs.ts"
import type { Counts } from "../batch/Totals.ts"
import { escaped, grouped } from "./markup.ts"

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
    `<p class="lead">${title}</p><div class="scroll"><table class="pairs">` +
    `<tr><th>state</th>${head}</tr>${rows.join("")}</table></div><br>`
  )
}

/** What happened to payments in which state, and how often. */
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
