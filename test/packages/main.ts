import { Effect, Exit, Scope } from "effect"
import { randomBytes } from "node:crypto"
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { apiReport } from "../../apps/packages/apiReport.ts"
import { serverReport } from "../../apps/packages/commandReport.ts"
import { type Manifest, readManifest } from "../../apps/packages/Manifest.ts"
import { openServer } from "../databases/Server.ts"
import { projectRoot } from "../support/sourceFiles.ts"
import { openBank } from "./bank.ts"
import { examples, tryExample } from "./examples.ts"
import { tryImage } from "./image.ts"
import { type Measured, measure, type Row } from "./rows.ts"
import { tryNpmStart } from "./npmStart.ts"
import { RUNNERS, tryRunners } from "./runners.ts"
import { openScratch, run, type RunOptions, type Scratch, start } from "./Scratch.ts"
import { tryVitests, VITESTS } from "./vitests.ts"

const ROWS: ReadonlyArray<Row> = [
  {
    folder: "apps/payport",
    beside: ["effect@4.1.0", "fast-check@4.10.2", "vitest@5.1.1"],
    packages: null,
    megabytes: null,
    load: {},
  },
  {
    folder: "apps/sdk",
    beside: [],
    packages: 5,
    megabytes: 8,
    load: { "./webhooks": 15 },
  },
  { folder: "apps/server", beside: [], packages: null, megabytes: null, load: {} },
]

/** The older Node on which everything runs too; this process is the newer. */
const OLDER = "node@22"

/** The oldest PostgreSQL that is supported. */
const POSTGRES = "15.18.0-beta.17"

const say = (text: string) => void process.stdout.write(`${text}\n`)

/** The commands of the server's package. */
const COMMANDS = [
  "start",
  "migrate",
  "move",
  "doctor",
  "audit",
  "rotate-master-key",
  "bench",
  "simulate",
  "grade",
  "listen",
  "record",
  "mcp",
]

/** Packs a package as it would be published. Returns the tarball's path, and what it holds. */
const pack = async (folder: string, target: string) => {
  const cwd = join(projectRoot, folder)
  const args = ["pack", "--json", "--silent", "--pack-destination", target]
  const said = await run("npm", args, { cwd })
  const [packed] = JSON.parse(said.slice(said.indexOf("["))) as Array<{
    filename: string
    files: ReadonlyArray<{ path: string }>
  }>
  const files = packed?.files.map(({ path }) => path) ?? []
  return { tarball: join(target, packed?.filename ?? ""), files }
}

/** Returns the complaints of publint and attw about a tarball. */
const lint = async (tarball: string, cwd: string): Promise<ReadonlyArray<string>> => {
  const flaws: Array<string> = []
  const note = (error: unknown) => flaws.push(String(error))
  const bin = join(cwd, "node_modules/.bin")
  await run(join(bin, "publint"), ["run", tarball, "--strict"], { cwd }).catch(note)
  const args = [tarball, "--profile", "esm-only", "--no-color"]
  await run(join(bin, "attw"), args, { cwd }).catch(note)
  return flaws
}

const print = ({ bundled, load, megabytes, name, packages }: Measured) => {
  say(`${name}: ${packages} packages, ${megabytes} MB`)
  for (const [entry, ms] of Object.entries(load)) {
    say(`  ${entry.padEnd(12)} loads in ${ms} ms, is ${bundled[entry] ?? 0} KB in one file`)
  }
}

/** Installs the server from its tarball and starts it, for examples that need one. */
const startServer = async (scratch: Scratch, tarball: string) => {
  await scratch.install(tarball)
  const options: RunOptions = { cwd: scratch.folder, env: { PAYPORT_PORT: "0" } }
  const bin = join(scratch.folder, "node_modules/.bin/payport")
  for (const command of COMMANDS) {
    await run(bin, [command, "--help"], options)
  }
  const begun = performance.now()
  await run(bin, ["--help"], options)
  const helped = Math.round(performance.now() - begun)
  say(`payport --help takes ${helped} ms`)
  const started = performance.now()
  const { line, stop } = await start(bin, [], options, /http:\/\/127\.0\.0\.1:\d+/)
  const took = Math.round(performance.now() - started)
  say(`payport's first start takes ${took} ms, with a new database`)
  const key = (who: string) =>
    readFile(join(scratch.folder, `.payport/demo-${who}.key`), "utf8").then((text) => text.trim())
  const env = {
    PAYPORT_URL: line[0],
    PAYPORT_SELLER_KEY: await key("seller"),
    PAYPORT_BUYER_KEY: await key("buyer"),
  }
  return { env, stop }
}

const HELP = `Usage: npm run packages -- [names]

Packs what is published, installs it as its users do, on the oldest and the newest Node, and runs
the examples from the tarballs. Names of examples, or one of these, are run alone:

  start      npm start on this repository says what the README promises
  runners    the contracts of payport/testing, by each test runner
  vitest     payport/vitest, with each major version of Vitest
  image      the image of the service
`

/** Names of examples, `start`, `runners`, `vitest` or `image`, to run these alone. */
const only = new Set(process.argv.slice(2))

const main = async (): Promise<number> => {
  const folder = await mkdtemp(join(tmpdir(), "payport-packed-"))
  // What is installed in one stays for later steps, since npm takes seconds to write the files.
  const [tools, library, sdk, served] = await Promise.all([
    openScratch("tools"),
    openScratch("payport"),
    openScratch("sdk"),
    openScratch("server"),
  ])
  const projects: Record<string, Scratch> = {
    "apps/payport": library,
    "apps/sdk": sdk,
    "apps/server": served,
  }
  const scope = Scope.makeUnsafe()
  const flaws: Array<string> = []
  try {
    await tools.install("publint@0.3.25", "@arethetypeswrong/cli@0.18.5", OLDER)
    const older = join(tools.folder, "node_modules/node/bin")
    const nodes = new Map([
      [(await run("node", ["--version"], { cwd: folder, node: older })).trim(), older],
      [process.version, dirname(process.execPath)],
    ])
    const tarballs: Record<string, string> = {}
    const manifests = new Map<string, Manifest>()
    for (const place of ["apps/payport", "apps/sdk", "apps/server"]) {
      const manifest = await readManifest(join(projectRoot, place))
      manifests.set(place, manifest)
      const { files, tarball } = await pack(place, folder)
      tarballs[manifest.name] = tarball
      const map = files.find((file) => file.endsWith(".map"))
      if (map !== undefined) flaws.push(`${manifest.name} has ${map}, and not its sources.`)
    }
    for (const row of only.size === 0 ? ROWS : []) {
      const manifest = manifests.get(row.folder)
      const project = projects[row.folder]
      if (manifest === undefined || project === undefined) continue
      const tarball = tarballs[manifest.name] ?? ""
      const measured = await measure(project, row, manifest, tarball)
      print(measured)
      const report = manifest.bin === undefined ? apiReport : serverReport
      const shown = await report(join(projectRoot, "dist"), manifest)
      const written = await readFile(join(projectRoot, row.folder, "API.md"), "utf8")
      if (shown !== written) flaws.push(`${row.folder}/API.md is of before: npm run generate.`)
      flaws.push(...measured.flaws, ...(await lint(tarball, tools.folder)))
    }
    if (only.size === 0 || only.has("start")) {
      const found = await tryNpmStart()
      say(`npm start: ${found.length === 0 ? "compiles, and then says three lines" : "fails"}`)
      flaws.push(...found)
    }
    if (only.size === 0 || only.has("runners")) {
      const found = await tryRunners(library, tarballs["payport"] ?? "")
      say(`payport/testing: ${found.length === 0 ? "runs" : "fails"} under ${RUNNERS.join(", ")}`)
      flaws.push(...found)
    }
    if (only.size === 0 || only.has("vitest")) {
      const found = await tryVitests(library, tarballs["payport"] ?? "")
      const versions = VITESTS.map(({ version }) => version).join(", ")
      say(`payport/vitest: ${found.length === 0 ? "runs" : "fails"} with Vitest ${versions}`)
      flaws.push(...found)
    }
    const database = await Effect.runPromise(Scope.provide(openServer(POSTGRES), scope))
    const server = await startServer(served, tarballs["@payport/server"] ?? "")
    const key = randomBytes(32).toString("base64")
    const bank = await openBank()
    const env = { ...server.env, ...bank.env, DATABASE_URL: database, MASTER_KEY: key }
    say("@payport/server: started from its tarball")
    try {
      for (const name of await examples()) {
        if (only.size > 0 && !only.has(name)) continue
        const tried = await tryExample(library, name, tarballs, nodes, env)
        const took = [...tried.seconds].map(([version, s]) => `${version} in ${s.toFixed(1)} s`)
        const how = tried.flaws.length === 0 ? "runs" : "fails"
        say(`${name}: ${tried.lines} lines, ${how} on ${took.join(", ")}`)
        flaws.push(...tried.flaws)
      }
    } finally {
      await bank.close()
      await server.stop()
    }
    if (only.size === 0 || only.has("image")) {
      const { bytes, flaws: found } = await tryImage(database)
      say(
        `the image: built by its Dockerfile's commands, ${Math.round(bytes / 1e6)} MB without Node`,
      )
      flaws.push(...found)
    }
  } finally {
    await Effect.runPromise(Scope.close(scope, Exit.void))
    for (const project of [tools, library, sdk, served]) await project.remove()
    await rm(folder, { recursive: true, force: true })
  }
  for (const flaw of flaws) say(flaw)
  return flaws.length === 0 ? 0 : 1
}

if (only.has("--help")) process.stdout.write(HELP)
else process.exitCode = await main()
