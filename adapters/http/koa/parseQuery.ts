import { Result } from "effect"
import { Failure } from "../../../core/shared/Failure.ts"

const refuse = (message: string, field?: string) =>
  Result.fail(
    new Failure({
      code: "INVALID_QUERY",
      message,
      ...(field !== undefined && { field, details: { field } }),
    }),
  )

const decodePart = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text.replaceAll("+", " "))
  } catch {
    return undefined
  }
}

/** A name of any other form may be a secret, so the refusal does not repeat it. */
const NAME = /^[a-z_]{1,32}$/

const NONE = Result.succeed({})

/** The parameters of a query string, each at most once and of the given names only. */
export const parseQuery = (
  query: string,
  names: ReadonlySet<string>,
): Result.Result<{ readonly [name: string]: string }, Failure> => {
  if (query === "") return NONE
  const found: { [name: string]: string } = {}
  for (const pair of query.split("&")) {
    if (pair === "") continue
    const [rawName = "", ...rest] = pair.split("=")
    const name = decodePart(rawName)
    const value = decodePart(rest.join("="))
    if (name === undefined || value === undefined) {
      return refuse("The query string is not valid percent-encoding.")
    }
    if (!names.has(name)) {
      const known = names.size === 0 ? "none" : [...names].join(", ")
      const given = NAME.test(name) ? ` ${name}` : " of this name"
      return refuse(`There is no query parameter${given} here; there are: ${known}.`)
    }
    if (Object.hasOwn(found, name)) return refuse(`The parameter ${name} comes twice.`, name)
    found[name] = value
  }
  return Result.succeed(found)
}
