import { searchEntries, type SearchPlace } from "../../../core/registry/SearchEntries.ts"

const WEIGHTS: { readonly [P in SearchPlace]: string } = { name: "A", tags: "B", description: "C" }

/** Returns a manifest's text search vector, weighted in the order name, tags, description. */
export const searchVector = (manifest: Parameters<typeof searchEntries>[0]): string =>
  // Entries consist of letters, marks and digits, so they need no escapes.
  [...searchEntries(manifest)].map(([entry, place]) => `'${entry}':1${WEIGHTS[place]}`).join(" ")

/** Returns a text search query for words with that prefix, optionally of one weight. */
export const prefixQuery = (prefix: string, weight = ""): string => `'${prefix}':*${weight}`
