// Written independently of core/oauth on purpose: see Model.ts.

import { HOUR, MINUTE, SECOND, type Timestamp } from "../../../core/shared/Timestamp.ts"
import { knowledge } from "../Knowledge.ts"
import type { Model } from "../Model.ts"
import type { Finding, Rule, Rulebook } from "../Observation.ts"

/** What a program, or whoever took something of it, does with what it has of a person's consent. */
export interface Use {
  readonly type: "code" | "refresh" | "access" | "revoke" | "revoke_access"
  /** How often tokens had been given when this one was; 0 for a code. */
  readonly generation: number
  /** Whether it comes from the program, with all that belongs to it. */
  readonly isRight: boolean
  readonly asked: Timestamp
  readonly at: Timestamp
  readonly outcome: "given" | "refused"
}

interface Uses {
  readonly key_id: string
  /** When the person consented, at the earliest and at the latest. */
  readonly consented: readonly [from: Timestamp, to: Timestamp]
  /** Everything that was asked at once. */
  readonly uses: ReadonlyArray<Use>
}

/** A consent that asks for more than the program, or without the limits that it needs. */
interface Consented {
  readonly isRight: boolean
  readonly code: string | undefined
}

declare module "../Observation.ts" {
  interface Observations {
    /** The uses of a program's code and tokens that were answered together. */
    readonly program: Uses
    /** The answer to a person who consents to a program. */
    readonly consented: Consented
  }
}

/** A grant as it may be: how often tokens were given, when last, and whether it has ended. */
interface Grant {
  readonly generation: number
  readonly given: readonly [from: Timestamp, to: Timestamp]
  readonly hasEnded: boolean
}

interface Step {
  readonly outcome: Use["outcome"]
  readonly grant: Grant
}

const CODE_LASTS = MINUTE
const TOKEN_LASTS = HOUR

/** How long an answer may take, in which the service looks at its clock. */
const DECIDES_WITHIN = 30 * SECOND

/** Whether something lasts; both, if the time is near its end or a clock may be wrong. */
const lasts = (
  [from, to]: readonly [Timestamp, Timestamp],
  lifetime: number,
  { asked, at }: Use,
  slack: number,
): ReadonlyArray<boolean> => {
  if (at + slack < from + lifetime) return [true]
  return asked - slack > to + lifetime ? [false] : [true, false]
}

const given = (grant: Grant, { asked, at }: Use): Step => ({
  outcome: "given",
  grant: { ...grant, generation: grant.generation + 1, given: [asked, at] },
})

/** Returns how a use may end, given a grant as it may be. */
const stepsOf = (
  grant: Grant,
  use: Use,
  { consented }: Uses,
  slack: number,
): ReadonlyArray<Step> => {
  const refused: Step = { outcome: "refused", grant }
  const ended: Step = { outcome: "refused", grant: { ...grant, hasEnded: true } }
  const isLatest = use.generation === grant.generation
  switch (use.type) {
    case "code": {
      if (grant.generation > 0) return [ended]
      if (grant.hasEnded || !use.isRight) return [refused]
      const isThere = lasts(consented, CODE_LASTS, use, slack)
      return isThere.map((there) => (there ? given(grant, use) : refused))
    }
    case "refresh":
      if (!isLatest) return [ended]
      return grant.hasEnded || !use.isRight ? [refused] : [given(grant, use)]
    case "access": {
      const opens: Step = { outcome: "given", grant }
      if (grant.hasEnded || !use.isRight || !isLatest) return [refused]
      const isThere = lasts(grant.given, TOKEN_LASTS, use, slack)
      return isThere.map((there) => (there ? opens : refused))
    }
    // The answer to a revocation is the same whatever the token was.
    case "revoke":
      return [{ ...(use.isRight ? ended : refused), outcome: "given" }]
    case "revoke_access":
      return [{ ...(use.isRight && isLatest ? ended : refused), outcome: "given" }]
  }
}

const orders = <A>(items: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> =>
  items.length < 2
    ? [items]
    : items.flatMap((first, n) =>
        orders(items.filter((_, other) => other !== n)).map((rest) => [first, ...rest]),
      )

/** Returns how a grant may be after uses in an order, with the outcomes that were seen. */
const after = (
  grant: Grant,
  ordered: ReadonlyArray<Use>,
  seen: Uses,
  slack: number,
): ReadonlyArray<Grant> => {
  const [use, ...rest] = ordered
  if (use === undefined) return [grant]
  return stepsOf(grant, use, seen, slack)
    .filter(({ outcome }) => outcome === use.outcome)
    .flatMap((step) => after(step.grant, rest, seen, slack))
}

/** By key, how a program's grant may be. */
class Programs {
  readonly grants = new Map<string, ReadonlyArray<Grant>>()
}

/** The auditor's knowledge about programs that people let in. */
export const programs = knowledge("programs", Programs)

const described = ({ generation, isRight, outcome, type }: Use): string =>
  `a ${isRight ? "right" : "wrong"} ${type} ${generation} is ${outcome}`

const used: Rule<"program"> = (seen, model: Model): Finding => {
  const { grants } = model.know(programs)
  const slack = DECIDES_WITHIN + model.clocksOff
  const begun: Grant = { generation: 0, given: seen.consented, hasEnded: false }
  const before = grants.get(seen.key_id) ?? [begun]
  const all = before.flatMap((grant) =>
    orders(seen.uses).flatMap((ordered) => after(grant, ordered, seen, slack)),
  )
  const possible = new Map(all.map((grant) => [JSON.stringify(grant), grant]))
  grants.set(seen.key_id, [...possible.values()])
  if (possible.size > 0 || before.length === 0) return undefined
  const [{ generation, hasEnded } = begun] = before
  const state = hasEnded ? "has ended" : `has given tokens ${generation} times`
  return `${seen.uses.map(described).join(", ")} by a grant that ${state}`
}

const consent: Rule<"consented"> = ({ code, isRight }) => {
  if (isRight) return code === undefined ? undefined : `refuses a consent with ${code}`
  return code === "INVALID_REQUEST" ? undefined : `takes a consent without limits: ${code}`
}

/** The rules about programs that people let in. */
export const programRules: Rulebook = { 124: { program: used, consented: consent } }
