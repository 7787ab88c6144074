import type { Report } from "../../simulator/Report.ts"
import { mixed } from "../../simulator/scenarios/library.ts"
import { simulate } from "../../simulator/perform.ts"
import { untraced } from "../../simulator/untraced.ts"
import type { Flaw } from "./flaw.ts"

/** A world as far as a flaw leaves it open. */
export interface Place {
  readonly seed: number
  readonly payments: number
}

/** A world in which a flaw was noticed, and the invariants that noticed it. */
export interface Noticed extends Place {
  readonly numbers: ReadonlyArray<number>
  /** The number of steps played until then. */
  readonly steps: number
}

const numbersOf = ({ noticed_by }: Flaw, { invariants }: Report): ReadonlyArray<number> =>
  invariants
    .filter(({ violations }) => violations > 0)
    .map(({ number }) => number)
    .filter((number) => noticed_by.includes(number))

/** Plays a world with a flaw until it is noticed; undefined where it is not. */
export const notice = (flaw: Flaw, { seed, payments }: Place): Noticed | undefined => {
  const { alterations, faults = {}, noticed_by, parts, scenario = mixed } = flaw
  const drawn = { seed, scenario, intents: payments, faults, ...(parts !== undefined && { parts }) }
  const world = { ...drawn, alterations, stop_at: noticed_by }
  const report = untraced(() => simulate(world))
  const numbers = numbersOf(flaw, report)
  return numbers.length > 0 ? { seed, payments, numbers, steps: report.trace_steps } : undefined
}

/** The numbers of payments of the worlds to try. */
const SIZES = [1, 4, 16, 40]

/** The worlds of so many seeds are all tried, since the first to show a flaw may be a long one. */
const LEAST = 1

/**
 * Returns the shortest world of the first seeds that shows a flaw, or the first later one up to
 * `seeds`; undefined if none does.
 */
export const search = (flaw: Flaw, seeds: number): Noticed | undefined => {
  let best: Noticed | undefined
  for (let seed = 1; seed <= seeds && (seed <= LEAST || best === undefined); seed += 1) {
    for (const payments of SIZES) {
      const noticed = notice(flaw, { seed, payments })
      if (noticed !== undefined && noticed.steps < (best?.steps ?? Infinity)) best = noticed
    }
  }
  return best
}
