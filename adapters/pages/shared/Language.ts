/** The languages of payers' pages. */
export type Language = "en" | "zh"

/** A page's texts in all languages. A missing text does not compile. */
export type Texts<Table> = { readonly [L in Language]: Table }

const LANGUAGES: ReadonlyArray<Language> = ["en", "zh"]

const known = (tag: string): Language | undefined =>
  LANGUAGES.find((language) => language === tag.trim().toLowerCase().split("-")[0])

/** Returns a reader's weight for a language, from 0 to 1 (RFC 9110, 12.5.4). */
const weightOf = (parameters: ReadonlyArray<string>): number => {
  const said = parameters.find((part) => part.trim().startsWith("q="))
  const weight = said === undefined ? 1 : Number(said.trim().slice(2))
  return weight >= 0 && weight <= 1 ? weight : 0
}

/** Returns the reader's language, by `?lang=` or `Accept-Language`; English by default. */
export const languageOf = (asked: string | null, accepted: string | undefined): Language => {
  const wanted = known(asked ?? "")
  if (wanted !== undefined) return wanted
  let [best, weight]: [Language, number] = ["en", 0]
  for (const range of (accepted ?? "").split(",")) {
    const [tag = "", ...parameters] = range.split(";")
    const language = known(tag)
    const own = weightOf(parameters)
    if (language !== undefined && own > weight) [best, weight] = [language, own]
  }
  return best
}

/** Returns the query of the same page in a language: with everything else that it names. */
export const inLanguage = (query: URLSearchParams, language: Language): string => {
  const kept = new URLSearchParams(query)
  kept.set("lang", language)
  return `?${kept.toString()}`
}

/** Languages with script and region. Extensions could change digits and calendars. */
const LOCALE = /^[a-z]{2}(?:-[a-z]{4})?(?:-[a-z]{2})?$/i

/** Returns the locale of a language for a reader: with the first accepted region, if any. */
export const localeOf = (language: Language, accepted = ""): string => {
  const tags = accepted.split(",").map((range) => (range.split(";")[0] ?? "").trim())
  const own = tags.find((tag) => known(tag) === language && LOCALE.test(tag))
  return own ?? (language === "zh" ? "zh-Hans" : "en")
}
