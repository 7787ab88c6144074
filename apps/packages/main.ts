import { execFile } from "node:child_process"
import { relative, resolve } from "node:path"
import { promisify } from "node:util"
import { assemble, WrongManifest } from "./assemble.ts"

const root = resolve(import.meta.dirname, "../..")

/** The `prepack` step of each package: compiles, and copies the package's files into its folder. */
const main = async (): Promise<number> => {
  const folder = relative(root, process.cwd())
  await promisify(execFile)("tsc", ["-b", "apps"], { cwd: root })
  try {
    const { files, name, packages } = await assemble(root, folder)
    process.stderr.write(`${name}: ${files} files, which import ${packages.join(", ")}\n`)
    return 0
  } catch (error) {
    if (!(error instanceof WrongManifest)) throw error
    process.stderr.write(`${error.message}\n`)
    return 1
  }
}

process.exitCode = await main()
