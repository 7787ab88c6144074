import { addCopyButtons } from "./copy.ts"
import { openSearch } from "./search.ts"

/** The scripts of the documentation's pages: search, copy buttons, and the current section. */
addCopyButtons()
openSearch()
