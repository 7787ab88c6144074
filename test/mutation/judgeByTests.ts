import { spawn } from "node:child_process"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join, relative } from "node:path"
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
  readonly testResults: ReadonlyArray<{
    readonly name: string
    readonly status: string
    readonly assertionResults: ReadonlyArray<{ readonly status: string; readonly fullName: string }>
  }>
}

/** A failed test: its file, from the root, and its name. */
interface Failed {
  readonly file: string
  readonly test: string
}

/** Where a mutant keeps the tests from ending, no report names one. */
const UNENDED: Failed = { file: "", test: "the tests do not end" }

const failedIn = ({ testResults }: Results): Failed | undefined => {
  const broken = testResults.find(({ status }) => status === "failed")
  if (broken === undefined) return undefined
  const first = broken.assertionResults.find(({ status }) => status === "failed")
  return { file: relative(projectRoot, broken.name), test: first?.fullName ?? "it does not load" }
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

/**
 * Judges mutants by tests of the core and of its use over HTTP, one after the other. `heard` gets
 * the test that notices; undefined if none does.
 */
export const judgeByTests = async (
  core: MutatedCore,
  mutants: ReadonlyArray<Mutant>,
  heard: (mutant: Mutant, noticedBy: string | undefined) => void,
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
    if (!existsSync(results)) return UNENDED
    return failedIn(JSON.parse(await readFile(results, "utf8")) as Results)
  }
  // A test that a busy machine lets fail does not notice the mutant: its file has to fail again.
  const failing = async (active: string | undefined, paths: ReadonlyArray<string>) => {
    const failed = await run(active, paths)
    return failed === undefined || failed === UNENDED ? failed : run(active, [failed.file])
  }
  const noticedBy = async (mutant: Mutant | undefined): Promise<Failed | undefined> => {
    for (const paths of partsFor(mutant)) {
      const failed = await failing(mutant?.id, paths)
      if (failed !== undefined) return failed
    }
    return undefined
  }
  const nameOf = ({ file, test }: Failed) => `${file} ${test}`.trim()
  try {
    await writeFile(mutated, JSON.stringify(files))
    const flawed = await noticedBy(undefined)
    if (flawed !== undefined) throw new Error(`Tests fail also without a mutant: ${nameOf(flawed)}`)
    for (const mutant of mutants) {
      const failed = await noticedBy(mutant)
      heard(mutant, failed && nameOf(failed))
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
