import { describe, expect, test } from "vitest"
import { sourceFiles, sourceText } from "../support/sourceFiles.ts"

const files = await sourceFiles()
const documents = new Map(
  await Promise.all(
    files
      .filter((path) => path.endsWith(".md"))
      .map(async (path) => [path, await sourceText(path)] as const),
  ),
)

const folderOf = (path: string): string => path.slice(0, Math.max(path.lastIndexOf("/"), 0))

/** The largest number of code files in a folder without a README. */
const MOST_UNEXPLAINED = 10

/** A page. */
const MOST_LINES = 60
const MOST_COLUMNS = 160

const counts = new Map<string, number>()
for (const path of files.filter((name) => /\.(tsx?|cjs)$/.test(name))) {
  counts.set(folderOf(path), (counts.get(folderOf(path)) ?? 0) + 1)
}
const large = [...counts].filter(([, count]) => count > MOST_UNEXPLAINED).map(([folder]) => folder)

/** Whether the file named in a document exists, below its folder or by its whole path. */
const exists = (document: string, named: string): boolean => {
  const folder = folderOf(document)
  const under = files.filter((path) => folder === "" || path.startsWith(`${folder}/`))
  return (
    under.some((path) => path.endsWith(`/${named}`)) ||
    [named, `core/${named}`, `test/${named}`, `test/support/${named}`].some((path) =>
      files.includes(path),
    )
  )
}

describe("documents", () => {
  test(`a folder of more than ${MOST_UNEXPLAINED} files has a README`, () => {
    const bare = large.filter((folder) => !documents.has(`${folder}/README.md`))
    expect(bare).toEqual([])
  })

  test("and that README is at most a page", () => {
    const long = large.filter((folder) => {
      const lines = (documents.get(`${folder}/README.md`) ?? "").trimEnd().split("\n")
      return (
        lines.length > MOST_LINES ||
        lines.some((line) => !line.startsWith("|") && [...line].length > MOST_COLUMNS)
      )
    })
    expect(long).toEqual([])
  })

  test("the core's README tells of each of its folders", () => {
    const text = documents.get("core/README.md") ?? ""
    const folders = files.flatMap((path) => /^core\/([^/]+)\//.exec(path)?.[1] ?? [])
    expect([...new Set(folders)].filter((folder) => !text.includes(`\`${folder}/\``))).toEqual([])
  })

  test("every file that a document names is there", () => {
    const missing = [...documents].flatMap(([document, text]) =>
      Array.from(text.replace(/^```[\s\S]*?^```/gm, "").matchAll(/`([\w./-]+\.tsx?)`/g))
        .map(([, named = ""]) => named)
        .filter((named) => !exists(document, named))
        .map((named) => `${document} names ${named}`),
    )
    expect(missing).toEqual([])
  })

  const walks = (documents.get("core/README.md") ?? "").split(/^### /m).slice(1)
  const stations = (walk: string) =>
    Array.from(walk.matchAll(/^\d+\. `([\w./-]+)` `(\w+)`/gm)).map(([, file = "", name = ""]) => ({
      path: file.startsWith("adapters/") ? file : `core/${file}`,
      name,
    }))

  test("the four walks have at most fifteen stations each", () => {
    const lengths = walks.map((walk) => stations(walk).length)
    expect(lengths).toHaveLength(4)
    expect(lengths.filter((length) => length < 5 || length > 15)).toEqual([])
  })

  test.each(walks.flatMap(stations))("$path has $name", async ({ name, path }) => {
    expect(await sourceText(path)).toMatch(new RegExp(`^export (?:const|class) ${name}\\b`, "m"))
  })
})
