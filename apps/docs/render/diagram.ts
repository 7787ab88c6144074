import * as dagre from "@dagrejs/dagre"
import { type Lifecycle, movesOf } from "../lifecycles.ts"
import { escape } from "./escape.ts"

interface Point {
  readonly x: number
  readonly y: number
}

interface Edge {
  readonly v: string
  readonly w: string
}

interface LaidEdge extends Point {
  readonly points: ReadonlyArray<Point>
  readonly lines?: ReadonlyArray<string>
}

interface LaidNode extends Point {
  readonly width: number
  readonly height: number
}

/** The used part of the library, whose own declarations cannot be resolved here. */
interface Graph {
  readonly setGraph: (label: object) => void
  readonly setNode: (name: string, size: object) => void
  readonly setEdge: (from: string, to: string, label: object) => void
  readonly graph: () => { readonly width: number; readonly height: number }
  readonly nodes: () => ReadonlyArray<string>
  readonly edges: () => ReadonlyArray<Edge>
  readonly node: (name: string) => LaidNode
  readonly edge: (edge: Edge) => LaidEdge
}

const { graphlib, layout } = dagre as {
  readonly graphlib: { readonly Graph: new () => Graph }
  readonly layout: (graph: Graph) => void
}

const CHARACTER = 7.2
const LINE = 16
const PADDING = 14

const at = ({ x, y }: Point): string => `${x.toFixed(1)} ${y.toFixed(1)}`

/** Returns a line through points, with round corners. */
const pathOf = ([first, ...others]: ReadonlyArray<Point>): string => {
  const last = others.pop()
  if (first === undefined || last === undefined) return ""
  const bends = others.map((point, n) => {
    const next = others[n + 1]
    const end = next === undefined ? last : { x: (point.x + next.x) / 2, y: (point.y + next.y) / 2 }
    return `Q ${at(point)} ${at(end)}`
  })
  return `M ${at(first)} ${bends.length === 0 ? `L ${at(last)}` : bends.join(" ")}`
}

const widthOf = (lines: ReadonlyArray<string>): number =>
  Math.max(...lines.map((line) => line.length)) * CHARACTER

interface Arrow {
  readonly from: string
  readonly to: string
  readonly events: ReadonlyArray<string>
}

/** From so many states on, a shared transition is drawn once, from a box with their names. */
const SHARED = 3

/** Returns the arrows of a diagram: one for all transitions between two places. */
const arrowsOf = (lifecycle: Lifecycle): ReadonlyArray<Arrow> => {
  const moves = movesOf(lifecycle).filter(({ from, to }) => from !== to)
  const alike = Map.groupBy(moves, ({ event, to }) => `${event} ${to}`)
  const placed = [...alike.values()].flatMap((same) => {
    const box = same.map(({ from }) => from).join("\n")
    return same.length < SHARED ? same : same.slice(0, 1).map((move) => ({ ...move, from: box }))
  })
  return [...Map.groupBy(placed, ({ from, to }) => `${from} ${to}`).values()].flatMap((same) => {
    const [first] = same
    return first === undefined ? [] : [{ ...first, events: same.map(({ event }) => event) }]
  })
}

const START = "*"

/** Returns the lines in a state's box: its name, and events that do not leave it. */
const linesOf = (lifecycle: Lifecycle, name: string): ReadonlyArray<string> => [
  ...name.split("\n"),
  ...movesOf(lifecycle).flatMap(({ event, from, to }) =>
    from === name && to === name ? [`\u21bb ${event}`] : [],
  ),
]

const sizeOf = (lines: ReadonlyArray<string>) => ({
  width: widthOf(lines) + 2 * PADDING,
  height: lines.length * LINE + 18,
})

const laidOut = (lifecycle: Lifecycle): Graph => {
  const graph = new graphlib.Graph()
  graph.setGraph({ rankdir: "TB", nodesep: 36, ranksep: 34, marginx: 12, marginy: 12 })
  graph.setNode(START, { width: 14, height: 14 })
  const arrows = arrowsOf(lifecycle)
  for (const name of new Set([
    ...Object.keys(lifecycle.table),
    ...arrows.map(({ from }) => from),
  ])) {
    graph.setNode(name, sizeOf(linesOf(lifecycle, name)))
  }
  graph.setEdge(START, lifecycle.first, { width: 0, height: 0 })
  for (const { events, from, to } of arrows) {
    const size = { width: widthOf(events) + 12, height: events.length * LINE + 6 }
    graph.setEdge(from, to, { ...size, labelpos: "c", lines: events })
  }
  layout(graph)
  return graph
}

const textAt = (lines: ReadonlyArray<string>, { x, y }: Point, kind: string): string => {
  const top = y - ((lines.length - 1) * LINE) / 2
  return lines
    .map((line, n) => {
      const place = `x="${x.toFixed(1)}" y="${(top + n * LINE + 4).toFixed(1)}"`
      return `<text class="${kind}" ${place} text-anchor="middle">${escape(line)}</text>`
    })
    .join("")
}

/** Draws a lifecycle as SVG, with the colours of its page. */
export const drawLifecycle = (lifecycle: Lifecycle, id: string): string => {
  const graph = laidOut(lifecycle)
  const { height, width } = graph.graph()
  const edges = graph.edges().map((edge) => {
    const { lines, points, x, y } = graph.edge(edge)
    const path = `<path class="arrow" d="${pathOf(points)}" marker-end="url(#${id}-head)"/>`
    return { path, text: lines === undefined ? "" : textAt(lines, { x, y }, "move") }
  })
  const nodes = graph.nodes().map((name) => {
    const { height: tall, width: wide, x, y } = graph.node(name)
    if (name === START) return `<circle class="start" cx="${x}" cy="${y}" r="6"/>`
    const lines = linesOf(lifecycle, name)
    const isEnd = Object.keys(lifecycle.table[name] ?? {}).length === 0
    const kind = name.includes("\n") ? " several" : isEnd ? " end" : ""
    const place = `x="${x - wide / 2}" y="${y - tall / 2}" width="${wide}" height="${tall}" rx="8"`
    return `<rect class="state${kind}" ${place}/>${textAt(lines, { x, y }, "name")}`
  })
  const head = `<marker id="${id}-head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8"
    markerHeight="8" orient="auto"><path class="head" d="M0 0 8 4 0 8z"/></marker>`
  const size = `width="${Math.ceil(width)}" height="${Math.ceil(height)}"`
  return [
    `<svg class="lifecycle" role="img" aria-label="The lifecycle ${escape(lifecycle.title)}"`,
    ` ${size} viewBox="0 0 ${Math.ceil(width)} ${Math.ceil(height)}"><defs>${head}</defs>`,
    ...edges.map(({ path }) => path),
    ...nodes,
    ...edges.map(({ text }) => text),
    "</svg>",
  ].join("")
}
