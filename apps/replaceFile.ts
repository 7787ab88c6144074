import { renameSync, rmSync, writeFileSync } from "node:fs"

/**
 * Writes a file as a whole: readers find the old content or the new one, and so do programs that
 * write it at the same time. Throws if it cannot be written, and leaves nothing behind.
 */
export const replaceFile = (file: string, text: string): void => {
  const draft = `${file}.${process.pid}.${crypto.randomUUID().slice(0, 8)}`
  try {
    writeFileSync(draft, text, { flag: "wx" })
    renameSync(draft, file)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}
