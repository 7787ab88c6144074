/** The parts of the documentation, in reading order. */
export const PARTS = [
  "Begin",
  "Build",
  "Agents",
  "Test",
  "Run",
  "API",
  "Library",
  "Reference",
] as const
export type Part = (typeof PARTS)[number]

/** A page as Markdown. Its HTML and its entries in the search and `llms.txt` are made from it. */
export interface Page {
  /** The path within the documentation, without an extension: `guides/embed`. */
  readonly path: string
  readonly title: string
  /** A summary of the page in one sentence. */
  readonly about: string
  readonly part: Part
  /** Begins with its title, as `# Title`. */
  readonly markdown: string
  /** The repository file that it comes from; links in it are relative to that file. */
  readonly source?: string
}

/** Returns the anchor of a heading. */
export const slug = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "-")
    .replaceAll(/^-|-$/g, "")

/** Returns the relative link from one page to another, or to a file, for static files. */
export const linkFrom = (from: string, to: string): string => {
  const up = "../".repeat(from.split("/").length - 1)
  return `${up === "" ? "./" : up}${to}`
}
