import { failed, notJudged, passed, type Verdict } from "../report/Report.ts"
import type { Check } from "../runChecks.ts"
import type { Service } from "./Service.ts"

/** The levels of a service, the lowest first. */
export type LevelName = "core" | "money" | "webhooks"

/** Ends a check with a verdict, from any place in it. */
class Ended extends Error {
  override readonly name = "Ended"
  readonly verdict: Verdict

  constructor(verdict: Verdict) {
    super(verdict.outcome)
    this.verdict = verdict
  }
}

/** Ends the check as failed unless the condition holds. */
export const want = (holds: boolean, expected: string, seen: string, advice: string): void => {
  if (!holds) throw new Ended(failed(expected, seen, advice))
}

/** Ends the check as failed. */
export const flaw = (expected: string, seen: string, advice: string): never => {
  throw new Ended(failed(expected, seen, advice))
}

/** Ends the check as not judged. */
export const skip = (why: string): never => {
  throw new Ended(notJudged(why))
}

/** A check without its level. It passes unless `want`, `flaw` or `skip` ends it. */
export interface Clause extends Omit<Check<Service>, "judge" | "level"> {
  readonly hold: (service: Service) => Promise<void>
}

/** Makes the clauses checks of a level. */
export const ofLevel = (
  level: LevelName,
  clauses: ReadonlyArray<Clause>,
): ReadonlyArray<Check<Service>> =>
  clauses.map(({ hold, ...named }) => ({
    ...named,
    level,
    judge: async (service) => {
      try {
        await hold(service)
        return passed
      } catch (error) {
        if (error instanceof Ended) return error.verdict
        throw error
      }
    },
  }))
