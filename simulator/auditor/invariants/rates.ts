import type { Plan } from "../../../core/accounts/Account.ts"
import type { Timestamp } from "../../../core/shared/Timestamp.ts"
import type { Rule, Rulebook } from "../Observation.ts"

/** The outcomes of requests of one class. */
export interface Counted {
  accepted: number
  refused: number
}

declare module "../Observation.ts" {
  interface Observations {
    /** The outcomes of an account's requests in a minute, when all of them are answered. */
    readonly window: {
      readonly account: string
      readonly plan: Plan
      readonly begins: Timestamp
      readonly standard: Counted
      readonly reserve: Counted
      /** How many got no answer or could not be judged. */
      readonly lost: number
      /** How many processes have decided about any. */
      readonly processes: number
    }
  }
}

/** How many requests a minute each plan allows; a fifth as many are kept for what was begun. */
const A_MINUTE: { readonly [P in Plan]: number } = { starter: 100, pro: 1_000, enterprise: 10_000 }

const within: Rule<"window"> = ({ plan, reserve, standard }) => {
  const limit = A_MINUTE[plan]
  const all = standard.accepted + reserve.accepted
  if (standard.accepted > limit) return `took ${standard.accepted} requests of ${limit}`
  return all > limit + limit / 5 ? `took ${all} requests of ${limit} and a fifth` : undefined
}

/** The part of a limit that may stay unused in each process, and for each lost answer. */
const SHARE = 25

const reached: Rule<"window"> = (seen) => {
  const { lost, plan, processes, reserve, standard } = seen
  if (standard.refused + reserve.refused === 0) return undefined
  const limit = A_MINUTE[plan]
  const whole = reserve.refused > 0 ? limit + limit / 5 : limit
  const slice = limit / SHARE + 1
  const least = whole - (processes + lost) * slice - lost
  const all = standard.accepted + reserve.accepted
  return all >= least ? undefined : `refused requests after ${all} of ${whole}`
}

/** The rules about the request rates of plans. */
export const rateRules: Rulebook = {
  45: { window: (seen, model) => within(seen, model) ?? reached(seen, model) },
}
