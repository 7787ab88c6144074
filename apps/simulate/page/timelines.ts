import type { Timeline } from "../../../simulator/report/Latencies.ts"
import { escaped, stretch } from "./markup.ts"

const COLOURS: { readonly [status: string]: string } = {
  pending: "#b9b4a7",
  qr_generated: "#8fb8de",
  scanning: "#5b8fd6",
  authorized: "#e0b04c",
  debiting: "#c9a56b",
  capturing: "#d9822b",
  captured: "#8abf7f",
  succeeded: "#2e7d4f",
  completed: "#2e7d4f",
  failed: "#b3261e",
  expired: "#8d8478",
  cancelled: "#a0607a",
  voided: "#7a5ea8",
}

const ROW = 20
const LEFT = 170
const WIDTH = 1_000
const TAIL = 26

/** Returns a time's position in a row, on a logarithmic scale for seconds and days. */
const along = (millis: number, most: number): number =>
  (Math.log10(1 + millis / 100) / Math.log10(1 + most / 100)) * (WIDTH - LEFT - TAIL)

const TICKS = [1_000, 10_000, 60_000, 600_000, 3_600_000, 86_400_000]

const rowOf = ({ amount, flow, states }: Timeline, n: number, most: number): string => {
  const y = n * ROW + 4
  const label = `<text x="0" y="${y + 12}">${n + 1} · ${escaped(amount)}</text>`
  const isLink = flow === "one_time_pay"
  const segments = states.map(({ at_ms, status }, m) => {
    const x = LEFT + along(at_ms, most)
    const next = states[m + 1]
    const end = next === undefined ? x + TAIL - 8 : LEFT + along(next.at_ms, most)
    const width = Math.max(end - x, 3).toFixed(1)
    const colour = COLOURS[status] ?? "#999"
    return (
      `<rect x="${x.toFixed(1)}" y="${y}" width="${width}" height="${isLink ? 8 : 14}" rx="3" ` +
      `fill="${colour}"><title>${escaped(status)} after ${stretch(at_ms)}</title></rect>`
    )
  })
  return label + segments.join("")
}

const swatch = (colour: string): string =>
  `<svg viewBox="0 0 10 10" aria-hidden="true">` +
  `<rect width="10" height="10" rx="3" fill="${colour}"/></svg>`

/** Shows the states of some payments, a row each. */
export const timelinesSection = (timelines: ReadonlyArray<Timeline>): string => {
  if (timelines.length === 0) return ""
  const ends = timelines.flatMap(({ states }) => states.map(({ at_ms }) => at_ms))
  const most = Math.max(1_000, ...ends)
  const height = timelines.length * ROW + 28
  const bottom = height - 8
  const ticks = TICKS.filter((tick) => tick <= most).map((tick) => {
    const x = (LEFT + along(tick, most)).toFixed(1)
    return (
      `<line x1="${x}" x2="${x}" y1="0" y2="${bottom - 14}" stroke="currentColor" ` +
      `stroke-opacity="0.12"/><text class="soft" x="${x}" y="${bottom}" text-anchor="middle">` +
      `${stretch(tick)}</text>`
    )
  })
  const seen = new Set(timelines.flatMap(({ states }) => states.map(({ status }) => status)))
  const legend = Object.entries(COLOURS)
    .filter(([status]) => seen.has(status))
    .map(([status, colour]) => `<span>${swatch(colour)}${status}</span>`)
  const rows = timelines.map((timeline, n) => rowOf(timeline, n, most))
  return (
    `<h2>Payments, from their creation</h2><p class="lead">The ${timelines.length} of the first ` +
    `world that went through most. Low rows are One-Time payments; the scale is logarithmic.</p>` +
    `<div class="legend">${legend.join("")}</div><div class="card scroll" tabindex="0">` +
    `<svg class="wide" viewBox="0 0 ${WIDTH} ${height}" role="img" ` +
    `aria-label="Timelines of payments">${ticks.join("")}${rows.join("")}</svg></div>`
  )
}
