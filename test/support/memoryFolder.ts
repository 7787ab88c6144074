import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
} from "node:fs"
import { freemem } from "node:os"
import { join } from "node:path"
import { isAlive } from "../../adapters/postgres/embedded/processes.ts"

/** Where Linux keeps files in memory. */
const MEMORY = "/dev/shm"

/** Bytes that must be free. A run's databases and compiled code need about a fifth. */
const NEEDED = 6 * 2 ** 30

/** Whether programs can be started there, which containers often forbid. */
const isOpen = (): boolean => {
  const mounts = readFileSync("/proc/mounts", "utf8").split("\n")
  const [, , type, options = ""] =
    mounts.findLast((line) => line.includes(` ${MEMORY} `))?.split(" ") ?? []
  return type === "tmpfs" && options.startsWith("rw,") && !options.split(",").includes("noexec")
}

const isLarge = (): boolean => {
  const { bavail, bsize } = statfsSync(MEMORY)
  return Math.min(bavail * bsize, freemem()) >= NEEDED
}

const removed = (path: string): void =>
  rmSync(path, { recursive: true, force: true, maxRetries: 10 })

/** Removes the folders of this user's runs that were killed. */
const removeLeft = (): void => {
  for (const name of readdirSync(MEMORY)) {
    const run = /^payport-(\d+)-/.exec(name)?.[1]
    const path = join(MEMORY, name)
    if (run === undefined || isAlive(Number(run))) continue
    // Another run that starts may have removed it just now.
    const found = statSync(path, { throwIfNoEntry: false })
    if (found !== undefined && found.uid === process.getuid?.()) removed(path)
  }
}

/**
 * Lets this process and those that it starts make their temporary files in memory, where the system
 * has enough of it, and returns how to end that. Most of what a test's own database costs is files
 * that are written to a disk and deleted some seconds later.
 */
export const keepFilesInMemory = (): (() => void) => {
  if (process.platform !== "linux" || process.env["TMPDIR"] !== undefined) return () => undefined
  if (!isOpen() || !isLarge()) return () => undefined
  removeLeft()
  const folder = mkdtempSync(join(MEMORY, `payport-${process.pid}-`))
  // A database's user, who is not root, has to get in.
  chmodSync(folder, 0o711)
  process.env["TMPDIR"] = folder
  return () => {
    delete process.env["TMPDIR"]
    removed(folder)
  }
}
