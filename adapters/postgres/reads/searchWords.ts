import { searchEntries, type SearchPlace } from "../../../core/registry/SearchEntries.ts"

const WEIGHTS: { readonly [P in SearchPlace]: string } = { name: "A", tags: "B", description: "C" }

/** The text search vector of a manifest: name, tags and description, weighted in that order. */
export const searchVector = (manifest: Parameters<typeof searchEntries>[0]): string =>
  // Entries hold letters, marks and digits only, so there is nothing in them to escape.
  [...searchEntries(manifest)].map(([entry, place]) => `'${entry}':1${WEIGHTS[place]}`).join(" ")

/** A text search query for words that begin so, of that weight if one is given. */
export const prefixQuery = (prefix: string, weight = ""): string => `'${prefix}':*${weight}`
