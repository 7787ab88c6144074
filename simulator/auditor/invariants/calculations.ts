import type { Rule, Rulebook } from "../Observation.ts"
import { difference } from "../saysTheSame.ts"

/** A result of the service's arithmetic beside the same, worked out in another way. */
export interface Calculated {
  /** What was calculated, with its arguments. */
  readonly what: string
  readonly expected: unknown
  readonly found: unknown
}

declare module "../Observation.ts" {
  interface Observations {
    readonly calculated: Calculated
  }
}

const isRight: Rule<"calculated"> = ({ expected, found, what }) => {
  const differs = difference(expected ?? null, found ?? null)
  return differs === undefined ? undefined : `is calculated with ${differs}: ${what}`
}

/** The rules about arithmetic. */
export const calculationRules: Rulebook = { 149: { calculated: isRight } }
