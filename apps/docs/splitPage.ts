import { type Page, slug } from "./Page.ts"

/** The largest page that a phone displays without delay, in characters of Markdown. */
const MOST = 40_000

/** The length of the parts of a longer page. */
const PART = 25_000

interface Section {
  readonly title: string
  readonly text: string
}

/** Returns the sections of a page. Lines in code that look like headings are skipped. */
const sectionsOf = (markdown: string): ReadonlyArray<Section> => {
  const found: Array<Array<string>> = [[]]
  let isCode = false
  for (const line of markdown.split("\n")) {
    if (line.startsWith("```")) isCode = !isCode
    if (!isCode && line.startsWith("## ")) found.push([])
    found.at(-1)?.push(line)
  }
  return found.map((lines) => ({
    title: (lines[0] ?? "").replace(/^#+ /, ""),
    text: lines.join("\n").trim(),
  }))
}

/** Groups adjacent sections that fit together. */
const grouped = (sections: ReadonlyArray<Section>): ReadonlyArray<ReadonlyArray<Section>> => {
  const groups: Array<Array<Section>> = []
  let size = PART
  for (const section of sections) {
    if (size + section.text.length > PART) {
      groups.push([])
      size = 0
    }
    groups.at(-1)?.push(section)
    size += section.text.length
  }
  return groups
}

const partOf = (page: Page, own: ReadonlyArray<Section>): Page => {
  const [first, last] = [own[0]?.title ?? "", own.at(-1)?.title ?? ""]
  const range = first === last ? first : `${first} to ${last}`
  const title = `${page.title}: ${range}`
  const about = `What ${page.title} has, from ${first} to ${last}.`
  const back = `A part of [${page.title}](/${page.path}), which lists all of them.`
  return {
    ...page,
    path: `${page.path}-${slug(first)}`,
    title,
    about,
    markdown: [`# ${title}`, back, ...own.map(({ text }) => text)].join("\n\n"),
  }
}

/**
 * Splits a page that is too long into one that lists its sections and pages of a few sections each.
 * Other pages stay as they are.
 */
export const splitPage = (page: Page): ReadonlyArray<Page> => {
  const [head, ...sections] = sectionsOf(page.markdown)
  if (page.markdown.length <= MOST || head === undefined) return [page]
  const groups = grouped(sections)
  const parts = groups.map((own) => partOf(page, own))
  const lists = groups.map((own, n) => {
    const { path = "", title = "" } = parts[n] ?? {}
    const links = own.map((section) => `[${section.title}](/${path}#${slug(section.title)})`)
    return [`## ${title.slice(page.title.length + 2)}`, links.join(", ")].join("\n\n")
  })
  return [{ ...page, markdown: [head.text, ...lists].join("\n\n") }, ...parts]
}
