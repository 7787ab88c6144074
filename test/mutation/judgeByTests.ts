import { spawn } from "node:child_process"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { existsSync } from "node:fs"
import { projectRoot } from "../support/sourceFiles.ts"
import type { Mutant, MutatedCore } from "./Mutant.ts"

/** The variable with the path of the mutated files, for the tests' configuration. */
export const MUTATED = "PAYPORT_MUTATED"

/** The global that mutated code reads when it is loaded: the active mutant. */
const ACTIVE = "__STRYKER_ACTIVE_MUTANT__"

export interface MutatedFile {
  readonly file: string
  readonly source: string
}

/** A test run that does not end in time counts as failed. */
const MOST_MINUTES = 15

const CONFIG = join(import.meta.dirname, "vitest.config.ts")

interface Results {
  readonly numFailedTestSuites: number
  readonly numFailedTests: number
  readonly numTotalTests: number
}

const vitest = (args: ReadonlyArray<string>, env: NodeJS.ProcessEnv): Promise<void> =>
  new Promise((done, reject) => {
    const program = join(projectRoot, "node_modules/vitest/vitest.mjs")
    const child = spawn(process.execPath, [program, "run", "--config", CONFIG, ...args], {
      cwd: projectRoot,
      env: { ...process.env, ...env },
      stdio: "ignore",
      timeout: MOST_MINUTES * 60_000,
    })
    child.once("error", reject)
    child.once("close", () => done())
  })

/** Returns the tests closest to a file of the core, and then all tests that depend on it. */
const partsFor = (mutant: Mutant | undefined): ReadonlyArray<ReadonlyArray<string>> => {
  const everything = ["test/core", "test/http"]
  if (mutant === undefined) return [everything]
  const own = `test/${dirname(mutant.file)}`
  return existsSync(join(projectRoot, own)) ? [[own], everything] : [everything]
}

/** Judges mutants by tests of the core and of its use over HTTP, one after the other. */
export const judgeByTests = async (
  core: MutatedCore,
  mutants: ReadonlyArray<Mutant>,
  heard: (mutant: Mutant, isNoticed: boolean) => void,
): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), "payport-mutants-"))
  const mutated = join(folder, "core.json")
  const results = join(folder, "results.json")
  const files = [...new Set(mutants.map(({ file }) => file))].map((file): MutatedFile => {
    return { file, source: core.sources.get(file) ?? "" }
  })
  const run = async (active: string | undefined, paths: ReadonlyArray<string>) => {
    await rm(results, { force: true })
    const report = ["--reporter=json", `--outputFile=${results}`, "--bail=1"]
    await vitest([...paths, ...report], { [MUTATED]: mutated, [ACTIVE]: active })
    // It has written none where the mutant keeps a test from ending.
    if (!existsSync(results)) return undefined
    return JSON.parse(await readFile(results, "utf8")) as Results
  }
  const isNoticed = async (mutant: Mutant | undefined): Promise<boolean> => {
    for (const paths of partsFor(mutant)) {
      const found = await run(mutant?.id, paths)
      if (found === undefined || found.numFailedTestSuites + found.numFailedTests > 0) return true
    }
    return false
  }
  try {
    await writeFile(mutated, JSON.stringify(files))
    if (await isNoticed(undefined)) throw new Error("Tests fail also without a mutant.")
    for (const mutant of mutants) heard(mutant, await isNoticed(mutant))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
