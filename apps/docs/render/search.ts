import MiniSearch from "minisearch"
import { type Page, slug } from "../Page.ts"

/** A search result: a section of a page. The pages' script reads the same fields. */
interface Section {
  readonly id: number
  /** Relative to the root of the documentation. */
  readonly url: string
  readonly page: string
  readonly heading: string
  readonly text: string
  readonly excerpt: string
}

const MOST_EXCERPT = 120

/** Removes Markdown syntax, table rules and code blocks from a text. */
const plainText = (markdown: string): string =>
  markdown
    .replaceAll(/^```[^]*?^```$/gm, "")
    .replaceAll(/^\|[-| ]+\|$/gm, "")
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/^\s*- /gm, "")
    .replaceAll(/[`*|#]/g, "")
    .replaceAll(/\s+/g, " ")
    .trim()

const sectionsOf = (page: Page): ReadonlyArray<Omit<Section, "id">> =>
  page.markdown.split(/^(?=## )/m).map((part) => {
    const heading = /^## (.*)$/m.exec(part)?.[1]?.replaceAll("`", "") ?? ""
    const text = plainText(part.replace(/^##? .*$/m, ""))
    const cut = text.slice(0, MOST_EXCERPT)
    return {
      url: `${page.path}.html${heading === "" ? "" : `#${slug(heading)}`}`,
      page: page.title,
      heading,
      text,
      excerpt: cut.length < text.length ? `${cut.replace(/\s\S*$/, "")} …` : cut,
    }
  })

/** Returns the search index of all pages for `minisearch`, as JSON. */
export const searchIndex = (pages: ReadonlyArray<Page>): string => {
  const search = new MiniSearch<Section>({
    fields: ["page", "heading", "text"],
    storeFields: ["url", "page", "heading", "excerpt"],
  })
  search.addAll(pages.flatMap(sectionsOf).map((section, id) => ({ id, ...section })))
  return JSON.stringify(search)
}
