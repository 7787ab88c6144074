/**
 * A record with a numbered place of its account, from 1. Parallel requests cannot exceed the count.
 */
export interface Placed {
  readonly place: number
}

/** Returns a free place, chosen by the id's random digits; undefined if none is free. */
export const freePlace = (
  taken: ReadonlyArray<Placed>,
  most: number,
  id: string,
): number | undefined => {
  // After a change to a smaller plan, an account may have more than the limit.
  if (taken.length >= most) return undefined
  const places = new Set(taken.map(({ place }) => place))
  const free = Array.from({ length: most }, (_, n) => n + 1).filter((place) => !places.has(place))
  return free[Number.parseInt(id.slice(-6), 16) % free.length]
}
