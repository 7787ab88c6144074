import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { copyFile, mkdir, rename, rm } from "node:fs/promises"
import { join } from "node:path"
import { projectRoot } from "../support/sourceFiles.ts"

/** Where Quint is kept once it has been installed; `npm ci` removes it. */
const FOLDER = join(projectRoot, "node_modules/.payport-twin")

const PACKAGE = join(import.meta.dirname, "tool")
const FILES = ["package.json", "package-lock.json"]
const FLAGS = ["--ignore-scripts", "--no-audit", "--no-fund"]

const npm = (cwd: string): Promise<void> =>
  new Promise((done, reject) => {
    const child = spawn("npm", ["ci", ...FLAGS], { cwd, stdio: ["ignore", "ignore", "pipe"] })
    let said = ""
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
      said = (said + chunk).slice(-2_000)
    })
    child.once("error", reject)
    child.once("close", (code) =>
      code === 0 ? done() : reject(new Error(`npm ended with ${code}: ${said.trim()}`)),
    )
  })

/** The folder of the installed Quint; undefined where `npm run twin` has not installed it yet. */
export const installedQuint = (): string | undefined =>
  existsSync(join(FOLDER, "node_modules/@informalsystems/quint")) ? FOLDER : undefined

/**
 * Installs Quint as `tool/package-lock.json` pins it, unless it is there. It is no dependency of
 * the workspace: 79 packages and 44 MB, for one check.
 */
export const installQuint = async (): Promise<string> => {
  const installed = installedQuint()
  if (installed !== undefined) return installed
  const folder = `${FOLDER}-${process.pid}`
  try {
    await mkdir(folder, { recursive: true })
    for (const file of FILES) await copyFile(join(PACKAGE, file), join(folder, file))
    await npm(folder)
    // One that was interrupted, or is older, makes way; one of another process is as good.
    await rm(FOLDER, { recursive: true, force: true })
    await rename(folder, FOLDER)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  return FOLDER
}
