/** The words as an alternation of a pattern; an underscore is a blank. */
export const oneOf = (...lines: ReadonlyArray<string>): string =>
  `(?:${lines.join(" ").split(" ").join("|").replaceAll("_", " ")})`

/** What plans are called, from small to large and by whom they are for. */
export const TIERS = oneOf(
  "free basic starter standard plus pro professional premium business team teams enterprise",
  "gold silver bronze platinum advanced lite essential essentials growth unlimited student",
  "family personal individual developer ultimate",
)

/** What a table has for the first of its patterns that the text fits. */
export const firstOf = <A>(
  text: string,
  table: ReadonlyArray<readonly [RegExp, A]>,
): A | undefined => table.find(([fits]) => fits.test(text))?.[1]
