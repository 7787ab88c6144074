import { basename, dirname, join } from "node:path/posix"

/** An import between two files, by their paths from the project's root. */
export interface Arrow {
  readonly from: string
  readonly to: string
}

/** The kind of a core file, by its place and name (core/README.md). */
export type Floor = "noun" | "port" | "verb"

/** Everything in `ports/` is a port; elsewhere nouns begin with a capital and verbs do not. */
const floorOf = (file: string): Floor => {
  if (file.startsWith("core/ports/")) return "port"
  return /^[A-Z]/.test(basename(file)) ? "noun" : "verb"
}

const IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*"(\.{1,2}\/[^"]+)"/g

/** The imports of the project's own files, type imports included. */
export const arrowsOf = (files: ReadonlyMap<string, string>): ReadonlyArray<Arrow> =>
  [...files].flatMap(([from, text]) =>
    [...text.matchAll(IMPORT)].map(([, to = ""]) => ({ from, to: join(dirname(from), to) })),
  )

const MAY_IMPORT: { readonly [F in Floor]: ReadonlyArray<Floor> } = {
  noun: ["noun"],
  port: ["noun", "port"],
  verb: ["noun", "port", "verb"],
}

/** Arrows that lead up: from a noun to a port or a verb, or from a port to a verb. */
export const upwards = (arrows: ReadonlyArray<Arrow>): ReadonlyArray<string> =>
  arrows
    .filter(({ from, to }) => !MAY_IMPORT[floorOf(from)].includes(floorOf(to)))
    .map(({ from, to }) => `${floorOf(from)} ${from} imports ${floorOf(to)} ${to}`)

const EFFECTFUL = /\bEffect\.(Effect|gen|fn|fnUntraced|flatMap|map|sync|promise|andThen)\b/

/** Returns nouns that make or return effects. The default of a schema's field does not count. */
export const effectfulNouns = (files: ReadonlyMap<string, string>): ReadonlyArray<string> =>
  [...files].flatMap(([file, text]) =>
    floorOf(file) === "noun" && EFFECTFUL.test(text) ? [file] : [],
  )

type Arrows = ReadonlyMap<string, ReadonlyMap<string, ReadonlyArray<Arrow>>>

/** The arrows between the rooms that files are in; a file in none (undefined) is left out. */
const between = (
  arrows: ReadonlyArray<Arrow>,
  roomOf: (file: string) => string | undefined,
): Arrows => {
  const found = new Map<string, Map<string, Array<Arrow>>>()
  for (const arrow of arrows) {
    const [from, to] = [roomOf(arrow.from), roomOf(arrow.to)]
    if (from === undefined || to === undefined || from === to) continue
    const targets = found.get(from) ?? new Map<string, Array<Arrow>>()
    targets.set(to, [...(targets.get(to) ?? []), arrow])
    found.set(from, targets.set(to, targets.get(to) ?? []))
  }
  return found
}

/** The shortest way from a room back to it, as the rooms that it passes; undefined without one. */
const wayBack = (graph: Arrows, start: string): ReadonlyArray<string> | undefined => {
  const seen = new Set<string>()
  let ways: ReadonlyArray<ReadonlyArray<string>> = [[start]]
  while (ways.length > 0) {
    const longer: Array<ReadonlyArray<string>> = []
    for (const way of ways) {
      for (const next of graph.get(way.at(-1) ?? "")?.keys() ?? []) {
        if (next === start) return way
        if (!seen.has(next)) longer.push([...way, next])
        seen.add(next)
      }
    }
    ways = longer
  }
  return undefined
}

/**
 * Returns the shortest cycle between rooms as text, one line for each arrow with its files;
 * undefined if there is none.
 */
export const cycleIn = (
  arrows: ReadonlyArray<Arrow>,
  roomOf: (file: string) => string | undefined,
): string | undefined => {
  const graph = between(arrows, roomOf)
  const ways = [...graph.keys()].flatMap((room) => [wayBack(graph, room) ?? []])
  const [shortest] = ways.filter((way) => way.length > 0).toSorted((a, b) => a.length - b.length)
  return shortest
    ?.map((from, n) => {
      const to = shortest[(n + 1) % shortest.length] ?? ""
      const files = graph.get(from)?.get(to) ?? []
      return [`${from} → ${to}`, ...files.map((it) => `  ${it.from} imports ${it.to}`)].join("\n")
    })
    .join("\n")
}

/**
 * Returns the first folder below `core`, without ports, since they import nouns and verbs import
 * them.
 */
export const folderOf = (file: string): string | undefined => {
  const [, folder, rest] = file.split("/")
  return rest === undefined || folder === "ports" ? undefined : folder
}

/** Returns the folder below that, if the file is in one. */
export const subfolderOf = (file: string): string | undefined => {
  const [, folder, sub, rest] = file.split("/")
  return rest === undefined || folder === "ports" ? undefined : `${folder}/${sub}`
}
