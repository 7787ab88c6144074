/** Takes one of its account's places, numbered from 1: no count of them can be raced past. */
export interface Placed {
  readonly place: number
}

/** A place of so many that none of the account's takes, by chance of the id; undefined without. */
export const freePlace = (
  taken: ReadonlyArray<Placed>,
  most: number,
  id: string,
): number | undefined => {
  // A smaller plan may leave an account more than it could have.
  if (taken.length >= most) return undefined
  const places = new Set(taken.map(({ place }) => place))
  const free = Array.from({ length: most }, (_, n) => n + 1).filter((place) => !places.has(place))
  return free[Number.parseInt(id.slice(-6), 16) % free.length]
}
