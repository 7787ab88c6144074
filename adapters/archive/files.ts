import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"
import { link, open, readdir, rm, stat } from "node:fs/promises"
import { join } from "node:path"
import { pipeline } from "node:stream/promises"

/** Whether it is a system error with that code. */
export const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && "code" in error && error.code === code

/** Makes a file's bytes durable, or a folder's names. */
export const flush = async (path: string): Promise<void> => {
  const handle = await open(path, "r")
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/**
 * Gives a durable file its final name. Returns false, and changes nothing, if a file has that name:
 * a rename would replace it.
 */
export const place = async (from: string, folder: string, name: string): Promise<boolean> => {
  try {
    await link(from, join(folder, name))
  } catch (error) {
    if (hasCode(error, "EEXIST")) return false
    throw error
  }
  await rm(from)
  await flush(folder)
  return true
}

/** The size of a file in bytes; undefined if there is none. */
export const sizeOf = (path: string): Promise<number | undefined> =>
  stat(path).then(
    ({ size }) => size,
    (error: unknown) => (hasCode(error, "ENOENT") ? undefined : Promise.reject(error)),
  )

/** Returns the SHA-256 of a file in lower-case hex. */
export const digestOf = async (path: string): Promise<string> => {
  const hash = createHash("sha256")
  await pipeline(createReadStream(path), hash)
  return hash.digest("hex")
}

/** Files that a run is still writing, or that an ended one has left, end so. */
export const UNFINISHED = ".part"

/** Removes the files that a run has not finished. The folder may be missing. */
export const removeUnfinished = async (folder: string): Promise<void> => {
  const names = await readdir(folder).catch((error: unknown) =>
    hasCode(error, "ENOENT") ? [] : Promise.reject(error),
  )
  for (const name of names) {
    if (name.endsWith(UNFINISHED)) await rm(join(folder, name), { force: true })
  }
}
