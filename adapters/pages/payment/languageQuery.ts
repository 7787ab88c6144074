import type { PageRequest } from "../Page.ts"

/** Returns the requested language (`?lang=`) for the next address. */
export const languageQuery = ({ language, query }: PageRequest): string =>
  query.get("lang") === null ? "" : `?lang=${language}`

/** Returns the query of the page of a printed code: the requested language, and the channel. */
export const codeQuery = ({ language, query }: PageRequest): string => {
  const kept = new URLSearchParams()
  const channel = query.get("channel")
  if (query.get("lang") !== null) kept.set("lang", language)
  if (channel !== null) kept.set("channel", channel)
  return kept.size === 0 ? "" : `?${kept.toString()}`
}
