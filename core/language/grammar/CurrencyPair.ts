import { currencyAt, isMeantBy, isPeso, type NamedCurrency } from "./CurrencyText.ts"

/** Returns where the blanks end that begin at `at`. */
export const skipSpace = (text: string, at: number): number => {
  let next = at
  while (text.charAt(next) === " ") next++
  return next
}

/** Signs and words that several currencies share. */
const SHARED = /^(?:\$|¥|dollars?|bucks?|元钱?|块钱?|圆)$/i

/** A currency in a text, and where its name begins and ends. */
export type NamedAt = NamedCurrency & { readonly start: number }

/** Tells whether a yen sign stands beside the name of a currency that it never means. */
const isNoYen = (text: string, { end, start }: NamedAt, { code }: NamedAt): boolean =>
  text.slice(start, end) === "¥" && !isMeantBy("¥", code)

/**
 * Decides the currency of `$20 CAD`, `$20 MXN`, `港币120元`. Returns undefined where the two names
 * contradict, as in `$20 EUR`.
 */
export const oneOf = (
  text: string,
  before: NamedAt | undefined,
  behind: NamedAt | undefined,
): NamedAt | undefined => {
  if (before === undefined || behind === undefined) return before ?? behind
  if (isNoYen(text, before, behind) || isNoYen(text, behind, before)) return undefined
  const fits = ({ end, shared, start }: NamedAt, { code }: NamedAt) => {
    const name = text.slice(start, end)
    const isDollar = shared === "$"
    return (
      SHARED.test(name) && (!isDollar || isMeantBy("$", code) || (name === "$" && isPeso(code)))
    )
  }
  if (fits(behind, before)) return before
  return before.code === behind.code || fits(before, behind) ? behind : undefined
}

/** Reads the currency before a number: `USD`, `$`, `USD $`. "none" where two names contradict. */
export const currencyBefore = (
  text: string,
  start: number,
  codes: ReadonlySet<string>,
): NamedAt | undefined | "none" => {
  const first = currencyAt(text, start, codes)
  if (first === undefined) return undefined
  const next = skipSpace(text, first.end)
  const second = currencyAt(text, next, codes)
  if (second === undefined) return { ...first, start }
  const meant = oneOf(text, { ...first, start }, { ...second, start: next })
  return meant === undefined ? "none" : { ...meant, start, end: second.end }
}
