import { cp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { projectRoot } from "../support/sourceFiles.ts"
import { run, type Scratch } from "./Scratch.ts"

const FOLDER = join(projectRoot, "apps/examples")

/** An example has fewer lines than this, in all its files together. */
const TOO_MANY_LINES = 60

/** Those that promise less, and after how many seconds one is no example of being quick. */
const PROMISED: { readonly [name: string]: { readonly lines: number; readonly seconds: number } } =
  {
    "tested-plugin": { lines: 40, seconds: 300 },
  }

/** A package.json, with the packages that it depends on. */
interface Depending {
  readonly dependencies: { readonly [name: string]: string }
}

type Tarballs = { readonly [name: string]: string }

/**
 * The examples' names. Those that embed payport come first, so that it is installed for all of them
 * once.
 */
export const examples = async (): Promise<ReadonlyArray<string>> => {
  const entries = await readdir(FOLDER, { withFileTypes: true })
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  const manifests = await Promise.all(
    names.map((name) => readFile(join(FOLDER, name, "package.json"), "utf8")),
  )
  const embeds = manifests.map((text) => "payport" in (JSON.parse(text) as Depending).dependencies)
  return [...names.filter((_, n) => embeds[n]), ...names.filter((_, n) => !embeds[n])]
}

/** Its package.json, with the packed packages in the place of their versions. */
const withTarballs = async (folder: string, tarballs: Tarballs): Promise<void> => {
  const path = join(folder, "package.json")
  const manifest = JSON.parse(await readFile(path, "utf8")) as Depending
  const dependencies = Object.fromEntries(
    Object.entries(manifest.dependencies).map(([name, version]) => {
      const tarball = tarballs[name]
      return [name, tarball === undefined ? version : `file:${tarball}`]
    }),
  )
  await writeFile(path, JSON.stringify({ ...manifest, dependencies }))
}

const linesIn = async (folder: string): Promise<number> => {
  const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith(".ts"))
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), "utf8")))
  return texts.reduce((sum, text) => sum + text.split("\n").length - 1, 0)
}

/** The result of an example. */
export interface Tried {
  readonly lines: number
  /** The seconds that it ran on each Node, without the installation. */
  readonly seconds: ReadonlyMap<string, number>
  readonly flaws: ReadonlyArray<string>
}

/**
 * Puts an example in the place of the one before. Of that one's packages, npm keeps those that this
 * one asks for, and removes all others.
 */
const install = async (
  { folder, install: npmInstall }: Scratch,
  name: string,
  tarballs: Tarballs,
): Promise<void> => {
  for (const entry of await readdir(folder)) {
    if (entry !== "node_modules") await rm(join(folder, entry), { recursive: true })
  }
  await cp(join(FOLDER, name), folder, { recursive: true })
  await withTarballs(folder, tarballs)
  await npmInstall()
}

/** Installs an example from the packed packages, and runs it on each Node. */
export const tryExample = async (
  scratch: Scratch,
  name: string,
  tarballs: Tarballs,
  nodes: ReadonlyMap<string, string>,
  env: NodeJS.ProcessEnv,
): Promise<Tried> => {
  const flaws: Array<string> = []
  const seconds = new Map<string, number>()
  const most = PROMISED[name] ?? { lines: TOO_MANY_LINES, seconds: Infinity }
  const lines = await linesIn(join(FOLDER, name))
  if (lines >= most.lines) {
    flaws.push(`${name} has ${lines} lines, and not fewer than ${most.lines}.`)
  }
  await install(scratch, name, tarballs)
  for (const [version, node] of nodes) {
    const options = { cwd: scratch.folder, node, env }
    const begun = performance.now()
    await run("npm", ["start", "--silent"], options).catch((error: unknown) =>
      flaws.push(`${name} on Node ${version}: ${String(error)}`),
    )
    const took = (performance.now() - begun) / 1_000
    seconds.set(version, took)
    if (took > most.seconds) flaws.push(`${name} takes ${Math.round(took)} s on Node ${version}.`)
  }
  return { lines, seconds, flaws }
}
