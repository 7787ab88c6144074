/** The parts of the documentation, in the order in which they are read. */
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

/** A page, as Markdown. Its HTML, its place in the search and in `llms.txt` are made of it. */
export interface Page {
  /** Beneath the documentation, without an ending: `guides/embed`. */
  readonly path: string
  readonly title: string
  /** What a reader finds there, in a sentence. */
  readonly about: string
  readonly part: Part
  /** Begins with its title, as `# Title`. */
  readonly markdown: string
  /** The file in the repository that it is taken from; links in it are read from there. */
  readonly source?: string
}

/** What names a heading in its page's address. */
export const slug = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "-")
    .replaceAll(/^-|-$/g, "")

/** The way from one page to another one, or to a file, as static files have it. */
export const linkFrom = (from: string, to: string): string => {
  const up = "../".repeat(from.split("/").length - 1)
  return `${up === "" ? "./" : up}${to}`
}
