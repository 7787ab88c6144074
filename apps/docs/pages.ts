import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { type Page, PARTS } from "./Page.ts"
import { errorPage, eventPage, lifecyclePage } from "./reference/catalogues.ts"
import { libraryPages } from "./reference/library.ts"
import { operationPages } from "./reference/operationPages.ts"
import { splitPage } from "./splitPage.ts"
import { root, type Written, WRITTEN } from "./written.ts"

const read = async (written: Written): Promise<Page> => ({
  ...written,
  markdown: (await readFile(join(root, written.source), "utf8")).trimEnd(),
})

/** Returns every page, in reading order. */
export const allPages = async (): Promise<ReadonlyArray<Page>> => {
  const written = await Promise.all(WRITTEN.map(read))
  const pages = [
    ...written.filter(({ part }) => part !== "Reference"),
    ...operationPages(),
    ...(await libraryPages(root)).flatMap(splitPage),
    errorPage(),
    eventPage(),
    lifecyclePage(),
    ...written.filter(({ part }) => part === "Reference"),
  ]
  return PARTS.flatMap((part) => pages.filter((page) => page.part === part))
}
