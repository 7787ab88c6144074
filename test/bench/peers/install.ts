import { execFile } from "node:child_process"
import { mkdir, writeFile } from "node:fs/promises"
import { promisify } from "node:util"

const execute = promisify(execFile)

/** Puts packages into a folder of the bench: nothing of ours depends on them. */
export const install = async (
  folder: string,
  packages: { readonly [name: string]: string },
  options: ReadonlyArray<string> = [],
): Promise<void> => {
  await mkdir(folder)
  await writeFile(`${folder}/package.json`, JSON.stringify({ private: true }))
  const named = Object.entries(packages).map(([name, version]) => `${name}@${version}`)
  const quiet = ["--no-audit", "--no-fund", "--ignore-scripts", ...options]
  await execute("npm", ["install", ...quiet, ...named], { cwd: folder })
}
