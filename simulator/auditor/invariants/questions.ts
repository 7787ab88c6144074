import type { Rule, Rulebook } from "../Observation.ts"
import { difference } from "../saysTheSame.ts"

/** What a text means: the request that does it, or what it lacks. */
export interface Meant {
  readonly intent: string
  readonly action: {
    readonly method: "GET" | "POST"
    readonly path: string
    readonly body: object | null
  } | null
  readonly missing: ReadonlyArray<string>
}

declare module "../Observation.ts" {
  interface Observations {
    /** The answer to a text of which nothing is carried out. */
    readonly question_answered: {
      readonly text: string
      readonly context: object | undefined
      readonly meant: Meant
      readonly answer: Meant
    }
  }
}

/** Checks that a text is answered with what it means, and with nothing else. */
const asMeant: Rule<"question_answered"> = ({ answer, context, meant, text }) => {
  const { action, intent, missing } = answer
  const differs = difference(meant, { intent, action, missing })
  const given = context === undefined ? "" : ` with ${JSON.stringify(context)}`
  return differs === undefined ? undefined : `is answered${given} with ${differs}: ${text}`
}

/** The rules about what people ask for in words. */
export const questionRules: Rulebook = { 137: { question_answered: asMeant } }
