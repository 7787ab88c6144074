import { execFile } from "node:child_process"
import { writeFile } from "node:fs/promises"
import { join, resolve } from "node:path"
import { promisify } from "node:util"
import { sdkFiles } from "./sdkFiles.ts"

const root = resolve(import.meta.dirname, "../..")

/** Writes the SDK's types and routes anew, after a change of the contract. */
const files = Object.entries(sdkFiles())
for (const [path, text] of files) await writeFile(join(root, path), text)
await promisify(execFile)(
  "oxfmt",
  files.map(([path]) => path),
  { cwd: root },
)
