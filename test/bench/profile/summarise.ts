import { areaOf, areaOfRest } from "./areas.ts"
import type { CpuProfile } from "./Inspector.ts"

/** Microseconds spent in an area, and in the functions of the profile by name and place. */
export interface Summary {
  readonly areas: ReadonlyMap<string, number>
  readonly functions: ReadonlyArray<{ readonly name: string; readonly microseconds: number }>
  readonly busy: number
}

const add = (sums: Map<string, number>, name: string, value: number): void => {
  sums.set(name, (sums.get(name) ?? 0) + value)
}

/** `folder/file.ts:12` of a URL. */
const placeOf = (url: string, line: number): string =>
  url === "" ? "" : ` ${url.replace(/^.*\/(?=[^/]+\/[^/]+$)/, "")}:${line + 1}`

/**
 * Assigns each sample to the area of the innermost call that has one, so the work of libraries and
 * Node for a part of the service counts for that part.
 */
export const summarise = ({ nodes, samples, timeDeltas }: CpuProfile): Summary => {
  const spent = new Map<number, number>()
  for (const [n, id] of samples.entries()) {
    spent.set(id, (spent.get(id) ?? 0) + (timeDeltas[n] ?? 0))
  }
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const parents = new Map<number, number>()
  for (const { children = [], id } of nodes) {
    for (const child of children) parents.set(child, id)
  }
  const areaAt = (id: number): string | undefined => {
    const node = byId.get(id)
    if (node === undefined) return undefined
    const { functionName, url } = node.callFrame
    const parent = parents.get(id)
    return areaOf(functionName, url) ?? (parent === undefined ? undefined : areaAt(parent))
  }
  const areas = new Map<string, number>()
  const functions = new Map<string, number>()
  let busy = 0
  for (const [id, microseconds] of spent) {
    const frame = byId.get(id)?.callFrame
    if (frame === undefined) continue
    const area = areaAt(id) ?? areaOfRest(frame.url)
    add(areas, area, microseconds)
    if (area === "idle") continue
    busy += microseconds
    const name = frame.functionName === "" ? "(anonymous)" : frame.functionName
    add(functions, `${name}${placeOf(frame.url, frame.lineNumber)}`, microseconds)
  }
  return {
    areas,
    functions: [...functions]
      .map(([name, microseconds]) => ({ name, microseconds }))
      .toSorted((a, b) => b.microseconds - a.microseconds),
    busy,
  }
}

/** The cost of an area. */
export interface Area {
  readonly area: string
  /** Per piece of work. */
  readonly microseconds: number
}

/**
 * Returns the areas of a profile per piece of work, the most expensive first, with idle time as an
 * area.
 */
export const areasOf = (profile: CpuProfile, pieces: number): ReadonlyArray<Area> =>
  [...summarise(profile).areas]
    .map(([area, microseconds]) => ({ area, microseconds: microseconds / pieces }))
    .toSorted((a, b) => b.microseconds - a.microseconds)
