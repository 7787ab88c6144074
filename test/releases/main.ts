import { PgConnection } from "@effect/sql-pg"
import { Effect } from "effect"
import { mkdir, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { RELEASES } from "../../adapters/postgres/schema/releases.ts"
import { STEPS } from "../../adapters/postgres/schema.ts"
import { readManifest } from "../../apps/packages/Manifest.ts"
import { startServer } from "../bench/database.ts"
import { openScratch } from "../packages/Scratch.ts"
import { explain, parseOptions, whole } from "../support/commandLine.ts"
import { projectRoot } from "../support/sourceFiles.ts"
import { readRelease, restore } from "./Release.ts"
import { runBoth } from "./runBoth.ts"

const HELP = `Usage: npm run releases -- [options]

Starts each release on the data set that it left in test/releases, puts load on it, starts the
newest on the same database meanwhile, and puts load on both. What one has begun the other goes on
with and answers alike, nothing is lost, and the books add up. A release comes by npm, into a
temporary folder.

  --before FILE  the program of the version before, such as another checkout's
                 dist/apps/server/main.js, in the place of what npm has
  --seconds N    how long each part of the load lasts, in seconds, 1 to 600 (5)
  --help         this text

It ends with 0, and with 1 where anything is wrong or there is no version before.
`

const OPTIONS = {
  before: { type: "string" },
  seconds: { type: "string", default: "5" },
  help: { type: "boolean", default: false },
} as const

const say = (text: string) => void process.stderr.write(`${text}\n`)

const NEWEST = join(projectRoot, "dist/apps/server/main.js")

/** A release's program as its users have it. */
const installed = async (version: string) => {
  const scratch = await openScratch(`release-${version}`)
  await scratch.install(`@payport/server@${version}`)
  const program = join(scratch.folder, "node_modules/@payport/server/dist/apps/server/main.js")
  return { program, remove: scratch.remove }
}

/** Runs both versions on the data of a release, in a separate database. */
const tryOne = async (version: string, before: string | undefined, seconds: number) => {
  const folder = await mkdtemp(join(tmpdir(), "payport-releases-"))
  const older =
    before === undefined
      ? await installed(version)
      : { program: resolve(before), remove: async () => {} }
  try {
    const server = await startServer(join(folder, "database"))
    try {
      const release = readRelease(join(import.meta.dirname, version))
      await server.create("left_behind")
      const opened = PgConnection.make(server.connection("left_behind"))
      const restoring = Effect.flatMap(opened, (session) => restore(session, release))
      await Effect.runPromise(Effect.scoped(restoring))
      for (const name of ["before", "after"]) await mkdir(join(folder, name))
      const start = { folder, databaseUrl: server.url("left_behind"), keys: release.keys }
      const ask = (sql: string) => server.query("left_behind", sql)
      await runBoth({ ...start, older: older.program, newest: NEWEST, seconds, ask, say })
    } finally {
      await server.stop()
    }
  } finally {
    await older.remove()
    await rm(folder, { recursive: true, force: true })
  }
}

try {
  const { before, help, seconds } = parseOptions(process.argv.slice(2), OPTIONS)
  const present = (await readManifest(join(projectRoot, "apps/server"))).version
  const versions = RELEASES.map(({ version }) => version)
  const older = before === undefined ? versions.filter((one) => one !== present) : versions
  if (help) process.stdout.write(HELP)
  else if (older.length === 0) {
    say(`There is no release before ${present}: give --before.`)
    process.exitCode = 1
  } else {
    const beside = Math.max(...STEPS.map((step) => step.beside))
    for (const version of older) {
      const { step = 0 } = RELEASES.find((one) => one.version === version) ?? {}
      if (before === undefined && step < beside) {
        say(`${version} is too old to run beside the newest, which refuses to migrate meanwhile.`)
        continue
      }
      say(`on what ${version} has left:`)
      await tryOne(version, before, whole("seconds", seconds, 1, 600))
    }
  }
} catch (error) {
  say(explain(error))
  process.exitCode = 1
}
