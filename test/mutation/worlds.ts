import { LIBRARY } from "../../simulator/scenarios/library.ts"

/** A world that mutants are played in. */
export interface Wanted {
  readonly scenario: string
  readonly seed: number
}

export const nameOf = ({ scenario, seed }: Wanted): string => `${scenario} ${seed}`

/**
 * Returns so many worlds: every third plays a scenario of the library, in turns, and the others are
 * mixed.
 */
export const worldsOf = (count: number): ReadonlyArray<Wanted> => {
  const [mixed, ...others] = LIBRARY.map(({ name }) => name)
  return Array.from({ length: count }, (_, n) => {
    const other = n % 3 === 2 ? others[Math.floor(n / 3) % others.length] : undefined
    return { scenario: other ?? mixed ?? "", seed: n + 1 }
  })
}
