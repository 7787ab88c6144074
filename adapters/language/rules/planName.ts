import { pattern } from "../../../core/language/grammar/Pattern.ts"
import { hanPlanIn } from "../../../core/language/grammar/PlanText.ts"
import { oneOf, TIERS } from "./words.ts"

const PLAN = oneOf(
  "plan tier membership package subscription level edition version account one option member",
)

const CALLED: ReadonlyArray<RegExp> = [
  pattern("iu")`
    \b(${TIERS})\b\s*(?:-\s*)?(?:monthly|yearly|annual|weekly|quarterly|daily)?\s*${PLAN}\b
  `,
  pattern("iu")`
    \b(?:plan|tier|package)\s+(?:called\s+|named\s+)?["“']?(${TIERS}|[\w-]*[\d_-][\w-]*)\b
  `,
  /\b([\w]+[_-][\w-]+)\s+plan\b/iu,
  pattern("iu")`
    (?:\b(?:on|with|for|the)|,)\s+(${TIERS})\b(?=\s*(?:$|[,.]|monthly|yearly|annual|please))
  `,
]

/** Returns a plan's name in lower case. Chinese names become their English counterparts. */
export const planName = (text: string): string | undefined => {
  for (const called of CALLED) {
    const tier = called.exec(text)?.[1]
    if (tier !== undefined) return tier.toLowerCase()
  }
  return hanPlanIn(text)
}

const OF_PLAN = pattern("iu")`
  \b(?:on|to|for)?\s*(?:the|their|its|a)?\s*(?:monthly\s+|yearly\s+
  |annual\s+)?${TIERS}\s+(?:monthly\s+|yearly\s+|annual\s+)?(?:plan|tier|package
  |membership)\b(?:\s+(?:of|from|at|with|for))?
`

/** Returns the text without its plan, so that no part of the plan is taken for the service. */
export const withoutPlan = (text: string): string =>
  text.replace(OF_PLAN, (found) => (/(?:of|from|at|with|for)$/i.test(found) ? " for " : " with "))
