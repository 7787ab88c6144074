import { mkdir } from "node:fs/promises"
import { dirname } from "node:path"

const codeOf = (cause: unknown): string | undefined => (cause as NodeJS.ErrnoException).code

/**
 * Makes a folder with those above it. Where one cannot be made, it rejects. `mkdir` with
 * `recursive` never ends where a file system takes no folders and calls the new one absent, as
 * `/proc` does.
 */
export const makeFolder = async (folder: string): Promise<void> => {
  try {
    await mkdir(folder)
  } catch (cause) {
    if (codeOf(cause) === "EEXIST") return
    if (codeOf(cause) !== "ENOENT" || dirname(folder) === folder) throw cause
    await makeFolder(dirname(folder))
    await mkdir(folder)
  }
}
