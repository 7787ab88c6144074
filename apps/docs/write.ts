import { writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { makeFolder } from "../../adapters/shared/makeFolder.ts"
import { buildAssets } from "./buildAssets.ts"
import { llmsFull, llmsIndex } from "./llms.ts"
import type { Page } from "./Page.ts"
import { layoutOf } from "./render/layout.ts"
import { markdownOf, renderMarkdown, siteOf } from "./render/markdown.ts"
import { searchIndex } from "./render/search.ts"

/** Writes all files of the documentation into an empty folder. */
export const writeDocs = async (pages: ReadonlyArray<Page>, folder: string): Promise<number> => {
  await makeFolder(join(folder, "assets"))
  const assets = await buildAssets(join(folder, "assets"))
  const site = siteOf(pages)
  const files: Array<readonly [string, string]> = [
    ["llms.txt", llmsIndex(pages, "./")],
    ["llms-full.txt", llmsFull(pages, site)],
    ["search.json", searchIndex(pages)],
  ]
  for (const page of pages) {
    const rendered = renderMarkdown(page, site)
    files.push([`${page.path}.html`, layoutOf(pages, page, rendered, assets)])
    files.push([`${page.path}.md`, markdownOf(page, site)])
  }
  for (const [path, text] of files) {
    await makeFolder(dirname(join(folder, path)))
    await writeFile(join(folder, path), text)
  }
  return files.length
}
