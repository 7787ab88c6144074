import type { Money } from "../../../../adapters/http/client/Resources.ts"
import { minorOf } from "../show/money.ts"
import type { Issue, Issues } from "./issues.ts"

/**
 * The typed values, by the paths of the body's fields. A ticked box holds `yes`; a list holds its
 * number of rows under its own path.
 */
export type Draft = Readonly<Record<string, string>>

/** A body that was read from a draft, with mistakes that the body cannot hold. */
export interface Read<Body> {
  readonly body: Body
  readonly issues: Issues
}

export const YES = "yes"

export const typedAt = (draft: Draft, name: string): string => (draft[name] ?? "").trim()

export const isTicked = (draft: Draft, name: string): boolean => draft[name] === YES

/** Returns the ticked values, each of which has a box under the path. */
export const tickedOf = (
  draft: Draft,
  name: string,
  values: ReadonlyArray<string>,
): ReadonlyArray<string> => values.filter((value) => isTicked(draft, `${name}.${value}`))

/** Returns the rows of a list, by the paths that they begin with. */
export const rowsOf = (draft: Draft, list: string): ReadonlyArray<string> =>
  Array.from({ length: Number(draft[list] ?? 0) }, (_, n) => `${list}.${n}`)

/** Returns the draft with one more row that holds `row`. */
export const withRow = (draft: Draft, list: string, row: Draft): Draft => {
  const count = Number(draft[list] ?? 0)
  const own = Object.entries(row).map(
    ([name, value]) => [`${list}.${count}.${name}`, value] as const,
  )
  return { ...draft, ...Object.fromEntries(own), [list]: String(count + 1) }
}

/** Returns the draft without a row; later rows move up. */
export const withoutRow = (draft: Draft, list: string, gone: number): Draft => {
  const moved = Object.entries(draft).flatMap(([name, value]): ReadonlyArray<[string, string]> => {
    const rest = name.startsWith(`${list}.`) ? name.slice(list.length + 1) : undefined
    if (rest === undefined) return [[name, value]]
    const at = Number(rest.split(".")[0])
    if (at === gone) return []
    const field = rest.slice(String(at).length)
    return [[`${list}.${at > gone ? at - 1 : at}${field}`, value]]
  })
  return { ...Object.fromEntries(moved), [list]: String(Math.max(0, Number(draft[list] ?? 0) - 1)) }
}

/** Returns the typed fields without the blank ones. */
export const filled = <Name extends string>(
  draft: Draft,
  prefix: string,
  names: ReadonlyArray<Name>,
): { readonly [N in Name]?: string } =>
  Object.fromEntries(
    names.flatMap((name) => {
      const text = typedAt(draft, `${prefix}${name}`)
      return text === "" ? [] : [[name, text]]
    }),
  ) as { readonly [N in Name]?: string }

/** Splits words at commas. */
export const listOf = (text: string): ReadonlyArray<string> =>
  text
    .split(/[,，\n]/)
    .map((word) => word.trim())
    .filter((word) => word !== "")

/** Returns the minor units of a typed amount; 0 and the reason if it is invalid. */
export const amountAt = (
  draft: Draft,
  name: string,
  currency: string,
): readonly [value: number, issues: ReadonlyArray<Issue>] => {
  const text = typedAt(draft, name)
  const value = minorOf(text, currency)
  if (value !== undefined) return [value, []]
  const reason = text === "" ? "is required" : `must be an amount in ${currency}, such as 6.99`
  return [0, [{ field: name, reason }]]
}

/** Returns a typed amount from `<name>.value` and `<name>.currency`; null if nothing is typed. */
export const moneyAt = (draft: Draft, name: string): Read<Money | null> => {
  if (typedAt(draft, `${name}.value`) === "") return { body: null, issues: [] }
  const currency = typedAt(draft, `${name}.currency`).toUpperCase()
  const [value, issues] = amountAt(draft, `${name}.value`, currency)
  return { body: { currency, value }, issues }
}
