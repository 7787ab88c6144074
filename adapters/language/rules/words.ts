import { TIERS as PLAN_TIERS } from "../../../core/language/grammar/PlanText.ts"

/** The words as an alternation of a pattern; an underscore is a blank. */
export const oneOf = (...lines: ReadonlyArray<string>): string =>
  `(?:${lines.join(" ").split(" ").join("|").replaceAll("_", " ")})`

/** What plans are called, as an alternation of a pattern. */
export const TIERS = oneOf([...PLAN_TIERS].join(" "))

/** What a table has for the first of its patterns that the text fits. */
export const firstOf = <A>(
  text: string,
  table: ReadonlyArray<readonly [RegExp, A]>,
): A | undefined => table.find(([fits]) => fits.test(text))?.[1]
