import { execFile } from "node:child_process"
import { writeFile } from "node:fs/promises"
import { join, resolve } from "node:path"
import { promisify } from "node:util"
import { apiReport } from "./apiReport.ts"
import { serverReport } from "./commandReport.ts"
import { readManifest } from "./Manifest.ts"
import { scenarioSchemaFile } from "./scenarioSchemaFile.ts"
import { sdkFiles } from "./sdkFiles.ts"

const root = resolve(import.meta.dirname, "../..")

/**
 * Writes the SDK's types and routes anew after a change of the contract, and what each package
 * shows after a change of its types.
 */
const files = Object.entries({ ...sdkFiles(), ...scenarioSchemaFile() })
for (const [path, text] of files) await writeFile(join(root, path), text)
const run = promisify(execFile)
await run(
  "oxfmt",
  files.map(([path]) => path),
  { cwd: root },
)
await run("tsc", ["-b", "apps"], { cwd: root })
for (const folder of ["apps/payport", "apps/sdk"]) {
  const home = join(root, folder)
  await writeFile(
    join(home, "API.md"),
    await apiReport(join(root, "dist"), await readManifest(home)),
  )
}
const server = join(root, "apps/server")
await writeFile(
  join(server, "API.md"),
  await serverReport(join(root, "dist"), await readManifest(server)),
)
