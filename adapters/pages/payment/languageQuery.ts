import type { PageRequest } from "../Page.ts"

/** The language that a reader has asked for by `?lang=`, for the next address. */
export const languageQuery = ({ language, query }: PageRequest): string =>
  query.get("lang") === null ? "" : `?lang=${language}`
