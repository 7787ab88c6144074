import type { PageRequest } from "../Page.ts"

/** Returns the requested language (`?lang=`) for the next address. */
export const languageQuery = ({ language, query }: PageRequest): string =>
  query.get("lang") === null ? "" : `?lang=${language}`
