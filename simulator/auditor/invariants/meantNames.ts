// Written independently of core/shared on purpose: see Model.ts.

const plain = (name: string): string => name.toLowerCase().replace(/[\W_]/g, "")

/** Returns by how many slips of the finger one name differs from another. */
const slips = (one: string, other: string): number => {
  const known = new Map<string, number>()
  const from = (a: number, b: number): number => {
    if (a === one.length || b === other.length) return one.length - a + other.length - b
    const place = `${a} ${b}`
    const before = known.get(place)
    if (before !== undefined) return before
    const isSame = one.charAt(a) === other.charAt(b)
    const isSwapped =
      a + 1 < one.length &&
      b + 1 < other.length &&
      one.charAt(a) === other.charAt(b + 1) &&
      one.charAt(a + 1) === other.charAt(b)
    const least = Math.min(
      from(a + 1, b + 1) + (isSame ? 0 : 1),
      from(a + 1, b) + 1,
      from(a, b + 1) + 1,
      isSwapped ? from(a + 2, b + 2) + 1 : Infinity,
    )
    known.set(place, least)
    return least
  }
  return from(0, 0)
}

/** Returns the name that was probably meant: up to a third of its letters may be wrong. */
export const meantBy = (name: string, names: ReadonlyArray<string>): string | undefined => {
  const given = plain(name.slice(0, 64))
  const far = names.map((each) => slips(given, plain(each)))
  const least = Math.min(...far)
  return least <= Math.max(1, given.length / 3 - ((given.length / 3) % 1))
    ? names[far.indexOf(least)]
    : undefined
}
