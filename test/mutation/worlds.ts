import { LIBRARY } from "../../simulator/scenarios/library.ts"

/** A world that mutants are played in. */
export interface Wanted {
  readonly scenario: string
  readonly seed: number
}

export const nameOf = ({ scenario, seed }: Wanted): string => `${scenario} ${seed}`

/**
 * The first worlds: of nearly three hundred, those that together reach the most code, and most of
 * it several times. They were chosen by what they reach, and not by what they notice.
 */
const CHOSEN: ReadonlyArray<readonly [scenario: string, seed: number]> = [
  ["listening_hosts", 6],
  ["mixed", 148],
  ["mixed", 189],
  ["mixed", 94],
  ["subscription_year", 6],
  ["mixed", 151],
  ["mixed", 131],
  ["mixed", 23],
  ["key_rotation", 4],
  ["mixed", 162],
  ["mixed", 156],
  ["mixed", 107],
  ["daylight_saving_night", 6],
  ["mixed", 99],
  ["mixed", 147],
  ["mixed", 121],
  ["failover", 1],
  ["mixed", 10],
  ["mixed", 128],
  ["mixed", 19],
  ["double_scan", 4],
  ["mixed", 160],
  ["mixed", 110],
  ["mixed", 2],
]

/**
 * Returns so many worlds: the chosen ones first. Behind them, every third plays a scenario of the
 * library, in turns, and the others are mixed.
 */
export const worldsOf = (count: number): ReadonlyArray<Wanted> => {
  const [mixed, ...others] = LIBRARY.map(({ name }) => name)
  const first = CHOSEN.map(([scenario, seed]): Wanted => ({ scenario, seed }))
  const further = Array.from({ length: Math.max(0, count - first.length) }, (_, n): Wanted => {
    const other = n % 3 === 2 ? others[Math.floor(n / 3) % others.length] : undefined
    // No seed of a chosen world is that large.
    return { scenario: other ?? mixed ?? "", seed: 1_000 + n }
  })
  return [...first, ...further].slice(0, count)
}
