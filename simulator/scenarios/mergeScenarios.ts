import { isObject, type Path } from "./Issue.ts"

/** Returns the line of the value at a path, or of the deepest part of the path that exists. */
export type LineOf = (path: Path) => number | undefined

/** The source of a scenario, or of one that it extends, and its content. */
export interface ScenarioSource {
  /** A file or a name of the library. */
  readonly place: string
  readonly data: unknown
  readonly lineOf?: LineOf | undefined
}

/** Whether the objects differ in `shape`, such as a steady load and a ramp, and share no field. */
const isOther = (base: object, over: object): boolean =>
  "shape" in over && "shape" in base && base.shape !== over.shape

/** Merges `over` into `base`: objects are merged, everything else is replaced. */
export const merge = (base: unknown, over: unknown): unknown => {
  if (!isObject(base) || !isObject(over) || isOther(base, over)) return over
  const fields = Object.entries(over).map(
    ([name, value]) =>
      [name, Object.hasOwn(base, name) ? merge(base[name], value) : value] as const,
  )
  return { ...base, ...Object.fromEntries(fields) }
}

/**
 * Returns how many steps of a path exist in `data`, and whether nothing it extends counts at the
 * path: it has the value, or a list or another value on the way, which replaces what is below.
 */
const follow = (data: unknown, [name, ...rest]: Path): { depth: number; decides: boolean } => {
  if (name === undefined || typeof data !== "object" || data === null) {
    return { depth: 0, decides: data !== undefined }
  }
  if (!Object.hasOwn(data, name)) return { depth: 0, decides: !isObject(data) }
  const { decides, depth } = follow(Reflect.get(data, name), rest)
  return { depth: depth + 1, decides: decides || !isObject(data) }
}

/** Returns the source of the value at a path, from a scenario and those it extends, in order. */
export const originOf = (
  chain: ReadonlyArray<ScenarioSource>,
  path: Path,
): ScenarioSource | undefined => {
  const found = chain.map((source) => ({ source, ...follow(source.data, path) }))
  const deepest = Math.max(0, ...found.map(({ depth }) => depth))
  return (found.find(({ decides }) => decides) ?? found.find(({ depth }) => depth === deepest))
    ?.source
}
