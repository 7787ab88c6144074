import type { Line, LineKind } from "../../../simulator/live/Line.ts"
import { escaped } from "./markup.ts"

/** The participants, from left to right. */
const LANES = ["clients", "service", "store", "channels"] as const
type Lane = (typeof LANES)[number]

interface Arrow {
  readonly from: Lane
  readonly to: Lane
}

/** The participants between which a kind of line passes; other kinds have no arrow. */
const ARROWS: { readonly [K in LineKind]?: Arrow } = {
  answer: { from: "clients", to: "service" },
  read: { from: "clients", to: "service" },
  message: { from: "channels", to: "service" },
  money: { from: "channels", to: "channels" },
  payment: { from: "service", to: "store" },
  work: { from: "service", to: "store" },
  process: { from: "service", to: "service" },
}

const TIME = 96
const STEP = 92
const ROW = 22
const HEAD = 30
const LANE_WIDTH = 72
const TEXT = TIME + STEP * LANES.length
const WIDTH = 1_080

/** How many characters fit beside the lanes, and how many rows are drawn. */
const FITTING = 96
const DRAWN = 120

const centre = (lane: Lane): number => TIME + LANES.indexOf(lane) * STEP + LANE_WIDTH / 2

const clipped = (text: string): string =>
  text.length <= FITTING ? text : `${text.slice(0, FITTING - 1)}…`

const pad = (value: number, digits: number): string => String(value).padStart(digits, "0")

/** Formats the time since the beginning, such as `2 d 03:04:05.678`. */
export const clockOf = (at_ms: number): string => {
  const days = Math.floor(at_ms / 86_400_000)
  const seconds = Math.floor(at_ms / 1_000)
  const [hours, minutes] = [Math.floor(seconds / 3_600) % 24, Math.floor(seconds / 60) % 60]
  const within = `${pad(seconds % 60, 2)}.${pad(at_ms % 1_000, 3)}`
  const time = `${pad(hours, 2)}:${pad(minutes, 2)}:${within}`
  return days === 0 ? time : `${days} d ${time}`
}

const arrowOf = ({ from, to }: Arrow, y: number): string => {
  const [start, end] = [centre(from), centre(to)]
  if (from === to) return `<circle cx="${start}" cy="${y}" r="4"/>`
  const way = Math.sign(end - start)
  const tip = `${end - way * 7},${y - 4} ${end},${y} ${end - way * 7},${y + 4}`
  return `<line x1="${start}" y1="${y}" x2="${end}" y2="${y}"/><polygon points="${tip}"/>`
}

const rowOf = ({ at_ms, kind, text }: Line, n: number): string => {
  const y = HEAD + n * ROW + ROW / 2
  const arrow = ARROWS[kind]
  const band = `<rect x="0" y="${y - ROW / 2}" width="${WIDTH}" height="${ROW}"/>`
  return (
    `<g class="${kind}"><title>${escaped(text)}</title>${arrow === undefined ? band : ""}` +
    `<text class="soft" x="0" y="${y + 4}">${clockOf(at_ms)}</text>` +
    (arrow === undefined ? "" : arrowOf(arrow, y)) +
    `<text x="${TEXT}" y="${y + 4}">${escaped(clipped(text))}</text></g>`
  )
}

const laneOf = (lane: Lane, height: number): string => {
  const x = centre(lane)
  return (
    `<line class="lane" x1="${x}" x2="${x}" y1="${HEAD - 6}" y2="${height}"/>` +
    `<text x="${x}" y="14" text-anchor="middle">${lane}</text>`
  )
}

/** Draws a story's last lines as a sequence diagram, a row each; undefined if there are none. */
export const sequenceDiagram = (lines: ReadonlyArray<Line>): string | undefined => {
  const drawn = lines.slice(-DRAWN)
  if (drawn.length === 0) return undefined
  const height = HEAD + drawn.length * ROW + 6
  const lanes = LANES.map((lane) => laneOf(lane, height)).join("")
  return (
    `<svg class="wide sequence" viewBox="0 0 ${WIDTH} ${height}" role="img" ` +
    `aria-label="What passed between clients, the service, its store and the channels">` +
    `${lanes}${drawn.map(rowOf).join("")}</svg>`
  )
}
