import { cp, readdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { projectRoot } from "../support/sourceFiles.ts"
import { openScratch, run } from "./Scratch.ts"

const FOLDER = join(projectRoot, "apps/examples")

/** An example has fewer lines than this, in all its files together. */
const TOO_MANY_LINES = 60

/** The examples' names. */
export const examples = async (): Promise<ReadonlyArray<string>> => {
  const entries = await readdir(FOLDER, { withFileTypes: true })
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
}

type Tarballs = { readonly [name: string]: string }

/** Its package.json, with the packed packages in the place of their versions. */
const withTarballs = async (folder: string, tarballs: Tarballs): Promise<void> => {
  const path = join(folder, "package.json")
  const manifest = JSON.parse(await readFile(path, "utf8")) as { dependencies: Tarballs }
  const dependencies = Object.fromEntries(
    Object.entries(manifest.dependencies).map(([name, version]) => {
      const tarball = tarballs[name]
      return [name, tarball === undefined ? version : `file:${tarball}`]
    }),
  )
  await writeFile(path, JSON.stringify({ ...manifest, dependencies }))
}

const tooLong = async (folder: string): Promise<ReadonlyArray<string>> => {
  const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith(".ts"))
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), "utf8")))
  const lines = texts.reduce((sum, text) => sum + text.split("\n").length - 1, 0)
  return lines < TOO_MANY_LINES ? [] : [`${folder} has ${lines} lines, and not fewer than 60.`]
}

/** Installs an example from the packed packages, and runs it on each Node. Returns what failed. */
export const tryExample = async (
  name: string,
  tarballs: Tarballs,
  nodes: ReadonlyMap<string, string>,
  env: NodeJS.ProcessEnv,
): Promise<ReadonlyArray<string>> => {
  const scratch = await openScratch(name)
  try {
    const flaws = [...(await tooLong(join(FOLDER, name)))]
    await cp(join(FOLDER, name), scratch.folder, { recursive: true })
    await withTarballs(scratch.folder, tarballs)
    await scratch.install()
    for (const [version, node] of nodes) {
      const options = { cwd: scratch.folder, node, env }
      await run("npm", ["start", "--silent"], options).catch((error: unknown) =>
        flaws.push(`${name} on Node ${version}: ${String(error)}`),
      )
    }
    return flaws
  } finally {
    await scratch.remove()
  }
}
