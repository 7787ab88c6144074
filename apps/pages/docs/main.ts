import { addCopyButtons } from "./copy.ts"
import { openSearch } from "./search.ts"

/** What pages of the documentation do with scripts: searching, copying, marking the section. */
addCopyButtons()
openSearch()
