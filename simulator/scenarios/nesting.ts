import type { Issue, Path } from "./Issue.ts"

/** How deep values may be nested, which is far more than any scenario needs. */
const DEEPEST = 32

/** How much of a path is shown. */
const SHOWN = 4

/** Returns the first value that contains itself or is nested too deep; undefined if none is. */
export const endlessIn = (
  data: unknown,
  path: Path = [],
  around: ReadonlySet<unknown> = new Set(),
): Issue | undefined => {
  if (typeof data !== "object" || data === null) return undefined
  if (around.has(data)) {
    return { path, message: "it contains itself, by an alias. Write out what is meant." }
  }
  if (path.length > DEEPEST) {
    const message = `it is nested more than ${DEEPEST} levels deep. Write it flatter.`
    return { path: path.slice(0, SHOWN), message }
  }
  const inside = new Set([...around, data])
  for (const [name, value] of Object.entries(data)) {
    const found = endlessIn(value, [...path, name], inside)
    if (found !== undefined) return found
  }
  return undefined
}
