import { Result } from "effect"
import { type Issue, isObject, type Path } from "./Issue.ts"

/** The value of a variable. */
export type Value = string | number | boolean

/** The variables of a scenario, with their defaults. */
export type Variables = { readonly [name: string]: Value }

const WHOLE = /^\$\{([^{}]*)\}$/
const USE = /\$(\$\{)|\$\{([^{}]*)\}/g

const list = (names: ReadonlyArray<string>): string =>
  names.length === 0 ? "None is declared." : `Declared are ${names.join(", ")}.`

/** Returns the names that a text uses; `$${` is an escaped `${` and uses none. */
const namesIn = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(USE)].flatMap(([, , name]) => name ?? [])

/** Returns the names of the variables that are used anywhere in `data`. */
export const usedIn = (data: unknown): ReadonlySet<string> => {
  if (typeof data === "string") return new Set(namesIn(data))
  if (Array.isArray(data)) return new Set(data.flatMap((item) => [...usedIn(item)]))
  if (!isObject(data)) return new Set()
  return new Set(Object.values(data).flatMap((value) => [...usedIn(value)]))
}

/** A place whose value came from a variable. */
export interface Use {
  readonly path: Path
  readonly name: string
}

/** Data with every variable replaced by its value, the variables' places, and unknown names. */
export interface Replaced {
  readonly data: unknown
  readonly uses: ReadonlyArray<Use>
  readonly unknown: ReadonlyArray<Issue>
}

const replaceText = (text: string, variables: Variables, path: Path): Replaced => {
  const names = namesIn(text)
  const isKnown = (name: string) => Object.hasOwn(variables, name)
  const unknown = names
    .filter((name) => !isKnown(name))
    .map((name) => ({
      path,
      message:
        `there is no variable ${JSON.stringify(name)} for ${JSON.stringify(text)}. ` +
        `${list(Object.keys(variables))} Declare it under "variables", or write "$\${" for text.`,
    }))
  const only = WHOLE.exec(text)?.[1]
  const data =
    only !== undefined && isKnown(only)
      ? variables[only]
      : text.replaceAll(USE, (_, escaped: string | undefined, name: string | undefined) =>
          escaped === undefined ? String(variables[name ?? ""]) : "${",
        )
  return { data, uses: names.map((name) => ({ path, name })), unknown }
}

/** Replaces `${name}` in every value of `data`. A value that is only a variable gets its type. */
export const replaceVariables = (
  data: unknown,
  variables: Variables,
  path: Path = [],
): Replaced => {
  if (typeof data === "string") return replaceText(data, variables, path)
  if (!Array.isArray(data) && !isObject(data)) return { data, uses: [], unknown: [] }
  const parts = Object.entries(data).map(
    ([key, value]) => [key, replaceVariables(value, variables, [...path, key])] as const,
  )
  return {
    data: Array.isArray(data)
      ? parts.map(([, part]) => part.data)
      : Object.fromEntries(parts.map(([key, part]) => [key, part.data])),
    uses: parts.flatMap(([, part]) => part.uses),
    unknown: parts.flatMap(([, part]) => part.unknown),
  }
}

const valueLike = (value: Value, text: string): Value | undefined => {
  if (typeof value === "string") return text
  if (typeof value === "boolean") {
    return text === "true" ? true : text === "false" ? false : undefined
  }
  const number = Number(text)
  return text.trim() !== "" && Number.isFinite(number) ? number : undefined
}

const setOne = (variables: Variables, given: string): Result.Result<Variables, string> => {
  const at = given.indexOf("=")
  const name = given.slice(0, at)
  if (at < 1) {
    return Result.fail(`--set ${given}: it has to be name=value. ${list(Object.keys(variables))}`)
  }
  const text = given.slice(at + 1)
  const before = Object.hasOwn(variables, name) ? variables[name] : undefined
  if (before === undefined) {
    return Result.fail(
      `--set ${given}: there is no variable ${JSON.stringify(name)}. ` +
        list(Object.keys(variables)),
    )
  }
  const value = valueLike(before, text)
  if (value === undefined) {
    return Result.fail(
      `--set ${given}: ${name} is a ${typeof before} (${before} is declared), and ` +
        `${JSON.stringify(text)} is none.`,
    )
  }
  return Result.succeed({ ...variables, [name]: value })
}

/** Returns the variables with the values of `name=value`, each in its declared type. */
export const setVariables = (
  declared: Variables,
  set: ReadonlyArray<string>,
): { readonly variables: Variables; readonly wrong: ReadonlyArray<string> } => {
  let variables = declared
  const wrong: Array<string> = []
  for (const given of set) {
    const next = setOne(variables, given)
    if (Result.isSuccess(next)) variables = next.success
    else wrong.push(next.failure)
  }
  return { variables, wrong }
}
