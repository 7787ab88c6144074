import type { PageRequest } from "../Page.ts"

/** Returns the requested language (`?lang=`) for the next address. */
export const languageQuery = ({ language, query }: PageRequest): string =>
  query.get("lang") === null ? "" : `?lang=${language}`

/** Whether the payer has come by a printed code, and can use that again. */
export const cameByCode = ({ query }: Pick<PageRequest, "query">): boolean =>
  query.get("from") === "code"

/** Returns the query of the page of a payment: the requested language, and `from` if by a code. */
export const paymentQuery = (request: PageRequest, byCode = cameByCode(request)): string => {
  const query = languageQuery(request)
  return byCode ? `${query === "" ? "?" : `${query}&`}from=code` : query
}

/** Returns the query of the page of a printed code: the requested language, and the channel. */
export const codeQuery = ({ language, query }: PageRequest): string => {
  const kept = new URLSearchParams()
  const channel = query.get("channel")
  if (query.get("lang") !== null) kept.set("lang", language)
  if (channel !== null) kept.set("channel", channel)
  return kept.size === 0 ? "" : `?${kept.toString()}`
}
