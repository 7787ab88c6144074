import { isObject, type Path } from "./Issue.ts"

/** The source of a scenario, or of one that it extends, and its content. */
export interface ScenarioSource {
  /** A file or a name of the library. */
  readonly place: string
  readonly data: unknown
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

/** Returns how many steps of a path exist in `data`. */
const depthOf = (data: unknown, [name, ...rest]: Path): number => {
  if (name === undefined || typeof data !== "object" || data === null) return 0
  if (!Object.hasOwn(data, name)) return 0
  return 1 + depthOf(Reflect.get(data, name), rest)
}

/** Returns the source of the value at a path, from a scenario and those it extends, in order. */
export const originOf = (
  chain: ReadonlyArray<ScenarioSource>,
  path: Path,
): ScenarioSource | undefined => {
  const depths = chain.map(({ data }) => depthOf(data, path))
  const deepest = Math.max(0, ...depths)
  return chain[deepest === 0 ? 0 : depths.indexOf(deepest)]
}
