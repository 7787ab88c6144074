import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { copyFile, mkdir, rename, rm } from "node:fs/promises"
import { join } from "node:path"
import { projectRoot } from "./sourceFiles.ts"

/** A tool for one check, with its packages. It is no dependency of the workspace. */
export interface Tool {
  /** It is kept in `node_modules/.payport-NAME` once it has been installed; `npm ci` removes it. */
  readonly name: string
  /** The folder of the package.json and the lock that pin it. */
  readonly pinned: string
  /** The package that is there once it is. */
  readonly provides: string
}

const FILES = ["package.json", "package-lock.json"]
const FLAGS = ["--ignore-scripts", "--no-audit", "--no-fund"]

const folderOf = ({ name }: Tool): string => join(projectRoot, `node_modules/.payport-${name}`)

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

/** The folder of the installed tool; undefined where it is not installed yet. */
export const installedTool = (tool: Tool): string | undefined =>
  existsSync(join(folderOf(tool), "node_modules", tool.provides)) ? folderOf(tool) : undefined

/** Installs the tool as its lock pins it, unless it is there; returns its folder. */
export const installTool = async (tool: Tool): Promise<string> => {
  const installed = installedTool(tool)
  if (installed !== undefined) return installed
  const folder = `${folderOf(tool)}-${process.pid}`
  try {
    await mkdir(folder, { recursive: true })
    for (const file of FILES) await copyFile(join(tool.pinned, file), join(folder, file))
    await npm(folder)
    // One that was interrupted, or is older, makes way; one of another process is as good.
    await rm(folderOf(tool), { recursive: true, force: true })
    await rename(folder, folderOf(tool))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  return folderOf(tool)
}
