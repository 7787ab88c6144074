import { readdir, readFile } from "node:fs/promises"
import { join, relative, resolve, sep } from "node:path"

/** The folder that holds package.json. */
export const projectRoot = resolve(import.meta.dirname, "../..")

/** Folders made by installing, building or running; the same names as in .gitignore. */
const generated = new Set([".git", ".payport", "coverage", "dist", "node_modules"])

/** Files that programs leave, such as the tarballs of `npm pack`; as in .gitignore, too. */
const isLeft = (name: string): boolean => name.endsWith(".log") || name.endsWith(".tgz")

/** Paths of the project's own files from its root, with forward slashes, in order. */
export const sourceFiles = async (): Promise<ReadonlyArray<string>> => {
  const walk = async (folder: string): Promise<Array<string>> => {
    const entries = await readdir(folder, { withFileTypes: true })
    const kept = entries.filter(({ name }) => !generated.has(name) && !isLeft(name))
    const nested = await Promise.all(
      kept.map(async (entry) => {
        const path = join(folder, entry.name)
        return entry.isDirectory() ? walk(path) : [path]
      }),
    )
    return nested.flat()
  }
  const paths = await walk(projectRoot)
  return paths.map((path) => relative(projectRoot, path).split(sep).join("/")).toSorted()
}

/** The text of one of them. */
export const sourceText = (path: string): Promise<string> =>
  readFile(join(projectRoot, path), "utf8")
