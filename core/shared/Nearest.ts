/**
 * Returns how many letters have to be changed, added, left out or swapped to turn one into the
 * other.
 */
const distance = (one: string, other: string): number => {
  let before: ReadonlyArray<number> = []
  let last: ReadonlyArray<number> = Array.from({ length: other.length + 1 }, (_, n) => n)
  for (let at = 1; at <= one.length; at += 1) {
    const row = [at]
    for (let to = 1; to <= other.length; to += 1) {
      const same = one[at - 1] === other[to - 1]
      const changed = (last[to - 1] ?? 0) + (same ? 0 : 1)
      const longer = Math.min((last[to] ?? 0) + 1, (row[to - 1] ?? 0) + 1)
      const swaps = one[at - 1] === other[to - 2] && one[at - 2] === other[to - 1]
      const swapped = swaps ? (before[to - 2] ?? Infinity) + 1 : Infinity
      row.push(Math.min(changed, longer, swapped))
    }
    before = last
    last = row
  }
  return last[other.length] ?? 0
}

const plainName = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, "")

/**
 * Returns the known name that the given one probably means: up to a third of its letters may
 * differ. Case and punctuation do not count. Returns undefined if none is near enough.
 */
export const nearestOf = (name: string, known: ReadonlyArray<string>): string | undefined => {
  const given = plainName(name.slice(0, 64))
  const found = known
    .map((each) => ({ each, far: distance(given, plainName(each)) }))
    .toSorted((a, b) => a.far - b.far)[0]
  return found !== undefined && found.far <= Math.max(1, Math.floor(given.length / 3))
    ? found.each
    : undefined
}
