import { Effect, Exit, Scope } from "effect"
import { spawn } from "node:child_process"
import { resolve } from "node:path"
import { chosen, explain, OptionError, parseOptions } from "../support/commandLine.ts"
import { openServer } from "./Server.ts"
import { WORLD } from "./WorldByWorld.ts"
import { readWorlds, type Worlds } from "./Worlds.ts"

/** The package of each version, except the embedded one that `npm test` uses. */
const PACKAGES = {
  15: "15.18.0-beta.17",
  16: "16.14.0-beta.17",
  17: "17.10.0-beta.17",
} as const
const VERSIONS = ["15", "16", "17", "18"] as const

/**
 * Tests of everything that depends on the version: the store's contract, its statements, its
 * schema, a whole start.
 */
const FILES = [
  "adapters/postgres/PostgresStore.test.ts",
  "adapters/postgres/audit.test.ts",
  "adapters/postgres/groupCommit.test.ts",
  "adapters/postgres/ledger.test.ts",
  "adapters/postgres/migrate.test.ts",
  "adapters/postgres/rateLeases.test.ts",
  "adapters/postgres/roles.test.ts",
  "adapters/postgres/unusable.test.ts",
  "apps/server/migrate.test.ts",
  "releases/releases.test.ts",
].map((file) => `test/${file}`)

const HELP = `Usage: npm run databases -- [options]

Runs the store's contract, its schema and a whole start on PostgreSQL 15, 16 and 17; npm test runs
on 18. On the oldest and the newest payports share one database, each in a schema of its own, at the
same time: three pass the contract (on sessions of their own, over a host's pool, behind a pooler
that shares sessions), and two play simulated worlds, of which 200 are the full size. Each version
comes by npm into a temporary folder (25 MB), and goes afterwards.

  --only A,B      versions (all)
  --worlds N      simulated worlds in each of two schemas, seeds 1 to N (1); 0 for none
  --worlds A..B   the same of the seeds from A to B
  --worlds-alone  nothing but the worlds, which only 15 and 18 have
  --json          one JSON object instead of sentences
  --help          this text

Progress goes to stderr, a line for each world, results to stdout. It exits with 1 when a test
failed or none ran. A world that breaks an invariant is a test that fails: its line names the seed
and what did not hold.
`

interface Result {
  readonly version: string
  readonly passed: number
  readonly failed: number
  readonly seconds: number
}

const write = (text: string): void => void process.stderr.write(text)

const CLOSING = /^(\d+) passed, (\d+) failed/m

/** The oldest and the newest, on which several payports share a database as well. */
const SHARING: ReadonlySet<string> = new Set(["15", "18"])

/** Several payports in one database at the same time. */
const SHARED = ["--config", "test/databases/vitest.config.ts"]

const NO_WORLDS: Worlds = { first: 1, last: 0 }

/** Prints the results of worlds as they arrive; a chunk may end within a line. */
const showWorlds = () => {
  let rest = ""
  return (chunk: string) => {
    const lines = (rest + chunk).split("\n")
    rest = lines.pop() ?? ""
    for (const line of lines) if (line.startsWith(WORLD)) write(`${line}\n`)
  }
}

/**
 * Runs tests, on the server if one is named. The rest of the output is shown only after a failure.
 */
const test = (
  run: ReadonlyArray<string>,
  { url, worlds = NO_WORLDS }: { readonly url?: string; readonly worlds?: Worlds } = {},
): Promise<Pick<Result, "passed" | "failed">> =>
  new Promise((done, reject) => {
    const vitest = resolve(import.meta.dirname, "../../node_modules/vitest/vitest.mjs")
    const args = [vitest, "run", ...run]
    const child = spawn(process.execPath, args, {
      cwd: resolve(import.meta.dirname, "../.."),
      env: {
        ...process.env,
        PAYPORT_TEST_WORLDS: worlds.last < worlds.first ? "0" : `${worlds.first}..${worlds.last}`,
        ...(url !== undefined && { PAYPORT_TEST_SERVER: url }),
      },
      stdio: ["ignore", "pipe", "pipe"],
    })
    let said = ""
    const show = showWorlds()
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => (said += chunk))
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
      said += chunk
      show(chunk)
    })
    child.once("error", reject)
    child.once("close", (code) => {
      const [, passed = "0", failed = "1"] = CLOSING.exec(said) ?? []
      if (code !== 0) write(`${said}\n`)
      done({ passed: Number(passed), failed: Math.max(Number(failed), code === 0 ? 0 : 1) })
    })
  })

type Version = (typeof VERSIONS)[number]

interface Plan {
  readonly worlds: Worlds
  /** Whether only worlds are played. */
  readonly alone: boolean
}

const runOn = async (version: Version, { alone, worlds }: Plan): Promise<Result> => {
  const began = performance.now()
  const seconds = () => Math.round((performance.now() - began) / 1_000)
  const shared = alone ? [...SHARED, "orlds.contract.ts"] : SHARED
  if (version === "18") return { version, ...(await test(shared, { worlds })), seconds: seconds() }
  const scope = Scope.makeUnsafe()
  write(`PostgreSQL ${version}: installing ${PACKAGES[version]}\n`)
  try {
    const url = await Effect.runPromise(Scope.provide(openServer(PACKAGES[version]), scope))
    write(`PostgreSQL ${version}: testing\n`)
    const none = { passed: 0, failed: 0 }
    const one = alone ? none : await test(["--config", "test/vitest.config.ts", ...FILES], { url })
    const several = SHARING.has(version) ? await test(shared, { url, worlds }) : none
    const [passed, failed] = [one.passed + several.passed, one.failed + several.failed]
    return { version, passed, failed, seconds: seconds() }
  } finally {
    await Effect.runPromise(Scope.close(scope, Exit.void))
  }
}

const isGood = ({ failed, passed }: Result): boolean => failed === 0 && passed > 0

const run = async (only: ReadonlySet<string>, plan: Plan, json: boolean): Promise<void> => {
  const results: Array<Result> = []
  for (const version of VERSIONS.filter((one) => only.has(one))) {
    const result = await runOn(version, plan)
    const { failed, passed, seconds } = result
    const sentence = `PostgreSQL ${version}: ${passed} passed, ${failed} failed (${seconds} s)\n`
    if (json) write(sentence)
    else process.stdout.write(sentence)
    results.push(result)
  }
  const ok = results.length > 0 && results.every(isGood)
  if (json) process.stdout.write(`${JSON.stringify({ ok, versions: results })}\n`)
  if (!ok) process.exitCode = 1
}

// Ends the started programs with this process, also after a signal.
for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => process.exit(1))

try {
  const given = parseOptions(process.argv.slice(2), {
    only: { type: "string", default: VERSIONS.join(",") },
    worlds: { type: "string", default: "1" },
    "worlds-alone": { type: "boolean", default: false },
    json: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  })
  if (given.help) process.stdout.write(HELP)
  else {
    const plan = { worlds: readWorlds(given.worlds), alone: given["worlds-alone"] }
    const only = chosen(VERSIONS, given.only)
    if (
      plan.alone &&
      (plan.worlds.last === 0 || [...only].some((version) => !SHARING.has(version)))
    ) {
      throw new OptionError("--worlds-alone needs worlds, and --only 15, 18 or both.")
    }
    await run(only, plan, given.json)
  }
} catch (error) {
  write(`\nThe databases were not tested: ${explain(error)}\n`)
  process.exitCode = 1
}
