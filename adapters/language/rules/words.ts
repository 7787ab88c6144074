import { TIERS as PLAN_TIERS } from "../../../core/language/grammar/PlanText.ts"

/** Returns the words as an alternation of a pattern. An underscore is a blank. */
export const oneOf = (...lines: ReadonlyArray<string>): string =>
  `(?:${lines.join(" ").split(" ").join("|").replaceAll("_", " ")})`

/** The names of plans, as an alternation of a pattern. */
export const TIERS = oneOf([...PLAN_TIERS].join(" "))

/** Returns the table's value for the first pattern that the text matches. */
export const firstOf = <A>(
  text: string,
  table: ReadonlyArray<readonly [RegExp, A]>,
): A | undefined => table.find(([fits]) => fits.test(text))?.[1]
