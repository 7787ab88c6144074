import { createHash } from "node:crypto"
import { readdir, readFile, rename, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { BadOptions } from "../commandLine.ts"
import { makeFolder } from "../../adapters/shared/makeFolder.ts"
import { root, WRITTEN } from "./written.ts"

interface Options {
  /** A folder of the caller; `dist/docs` by default. */
  readonly out?: string | undefined
  readonly ifStale?: boolean
}

/** The written pages, and their folder. */
interface Written {
  readonly folder: string
  readonly files: number
}

/** The sources of the pages: declarations with everything that the code says, and texts. */
const MADE_OF = ["dist/core", "dist/adapters", "dist/apps", "dist/simulator", "apps/pages"]

const STAMP = ".made-of"

const filesBeneath = async (folder: string): Promise<ReadonlyArray<string>> => {
  const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile() && /\.(?:d\.ts|js|css|ts)$/.test(entry.name))
    .map(({ name, parentPath }) => join(parentPath, name))
    .toSorted()
}

/** Returns a hash of all sources of the pages. */
const hashOfSources = async (): Promise<string> => {
  const compiled = (await Promise.all(MADE_OF.map(filesBeneath))).flat()
  const texts = WRITTEN.map(({ source }) => join(root, source))
  const hash = createHash("sha256")
  for (const file of [...compiled, ...texts, join(root, "package-lock.json")]) {
    hash.update(file.slice(root.length)).update(await readFile(file))
  }
  return hash.digest("hex")
}

/** Returns the names in a folder; none if it does not exist. A file and its like have no names. */
const namesIn = (folder: string): Promise<ReadonlyArray<string>> =>
  readdir(folder).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === "ENOENT") return []
    const what = cause.code === "ENOTDIR" ? "is a file" : `cannot be read: ${cause.message}`
    throw new BadOptions(`${folder} ${what}. Name a folder that is empty or new.`, { cause })
  })

/** Makes a new folder beside the caller's. Rejects at once where none can be made. */
const makeBeside = async (folder: string): Promise<string> => {
  const beside = `${folder}.${process.pid}`
  try {
    await rm(beside, { recursive: true, force: true })
    await makeFolder(beside)
    return beside
  } catch (cause) {
    const { message } = cause as Error
    throw new BadOptions(`${folder} cannot be made: ${message}. Name another folder.`, { cause })
  }
}

const isOurs = async (folder: string): Promise<boolean> => {
  const names = await namesIn(folder)
  return names.length === 0 || names.includes("llms-full.txt")
}

/**
 * Writes the documentation. Undefined if it was to be written only when stale, and is not stale.
 * Throws `BadOptions` for a file or a folder with other contents, which would be lost, and for one
 * that cannot be made.
 */
export const buildDocs = async ({ ifStale, out }: Options): Promise<Written | undefined> => {
  const folder = out ?? join(root, "dist/docs")
  if (!(await isOurs(folder))) {
    throw new BadOptions(`${folder} holds something else: name a folder that is empty or new.`)
  }
  const stamp = join(folder, STAMP)
  const made = await hashOfSources()
  if (ifStale === true) {
    const before = await readFile(stamp, "utf8").catch(() => undefined)
    if (before === made) return undefined
  }
  // Loading the sources of the pages takes a second, so they are loaded only if needed.
  const { allPages } = await import("./pages.ts")
  const { writeDocs } = await import("./write.ts")
  // Readers see the old folder or the new one, and nothing is lost if this process is stopped.
  const beside = await makeBeside(folder)
  const files = await writeDocs(await allPages(), beside)
  if (out === undefined || ifStale === true) await writeFile(join(beside, STAMP), made)
  await rm(folder, { recursive: true, force: true })
  await rename(beside, folder)
  return { folder, files }
}
