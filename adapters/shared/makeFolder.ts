import { mkdirSync, statSync } from "node:fs"
import { mkdir, stat } from "node:fs/promises"
import { dirname } from "node:path"

const codeOf = (cause: unknown): string | undefined => (cause as NodeJS.ErrnoException).code

/** Whether making the folder above may help. */
const lacksParent = (folder: string, cause: unknown): boolean =>
  codeOf(cause) === "ENOENT" && dirname(folder) !== folder

const makeOne = async (folder: string, mode: number | undefined): Promise<void> => {
  try {
    await mkdir(folder, { mode })
  } catch (cause) {
    const isThere = await stat(folder).then(
      (found) => found.isDirectory(),
      () => false,
    )
    if (!isThere) throw cause
  }
}

/**
 * Makes a folder with those above it, each with this mode; it may exist. Rejects where one cannot
 * be made. `mkdir` with `recursive` never ends where a file system takes no folders and calls the
 * new one absent, as `/proc` does.
 */
export const makeFolder = async (folder: string, mode?: number): Promise<void> => {
  try {
    await makeOne(folder, mode)
  } catch (cause) {
    if (!lacksParent(folder, cause)) throw cause
    await makeFolder(dirname(folder), mode)
    await makeOne(folder, mode)
  }
}

const makeOneSync = (folder: string): void => {
  try {
    mkdirSync(folder)
  } catch (cause) {
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) throw cause
  }
}

/** The same at once. */
export const makeFolderSync = (folder: string): void => {
  try {
    makeOneSync(folder)
  } catch (cause) {
    if (!lacksParent(folder, cause)) throw cause
    makeFolderSync(dirname(folder))
    makeOneSync(folder)
  }
}
