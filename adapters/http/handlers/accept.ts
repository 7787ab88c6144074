/** Returns the weight of a media type in an Accept header; 0 for a type that it does not name. */
const weightOf = (accept: string, type: string): number => {
  const named = accept
    .toLowerCase()
    .split(",")
    .map((part) => part.split(";").map((piece) => piece.trim()))
    .find(([name]) => name === type)
  if (named === undefined) return 0
  const weight = named.find((piece) => piece.startsWith("q="))?.slice(2)
  return weight === undefined
    ? 1
    : /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(weight)
      ? +weight
      : 0
}

/** Returns the preferred type; undefined if JSON is preferred or none of the types is named. */
export const wanted = <const Type extends string>(
  accept: string | ReadonlyArray<string> | undefined,
  types: ReadonlyArray<Type>,
): Type | undefined => {
  const text = typeof accept === "string" ? accept : (accept ?? []).join(",")
  const weights = types.map((type) => weightOf(text, type))
  const most = Math.max(...weights)
  return most > 0 && most >= weightOf(text, "application/json")
    ? types[weights.indexOf(most)]
    : undefined
}
