import { mkdtemp, rm } from "node:fs/promises"
import { cpus, tmpdir } from "node:os"
import { join } from "node:path"
import type { Bench } from "./Bench.ts"
import { startServer } from "./database.ts"
import { measureCost } from "./measure/cost.ts"
import { measureCreate } from "./measure/create.ts"
import { measureDeliveries } from "./measure/deliveries.ts"
import { measureDoors } from "./measure/doors.ts"
import { measureExchanges } from "./measure/exchange.ts"
import { measureFixtures } from "./measure/fixture.ts"
import { measureGet } from "./measure/get.ts"
import { measureLife } from "./measure/life.ts"
import { measureMedusa } from "./measure/medusa.ts"
import { measureMemory } from "./measure/memory.ts"
import { measurePages } from "./measure/pages.ts"
import { measurePeers } from "./measure/peers.ts"
import { measureReplicas } from "./measure/replicas.ts"
import { measureReport } from "./measure/report.ts"
import { measureSearch } from "./measure/search.ts"
import { measureStalls } from "./measure/stall.ts"
import { measureStarts } from "./measure/start.ts"
import { measureSteps } from "./measure/steps.ts"
import { measureStored } from "./measure/stored.ts"
import { HELP, type Options, type Part, readOptions } from "./options.ts"
import { explain } from "../support/commandLine.ts"
import { CLIENTS, findPgbench } from "./pgbench.ts"
import { busyShare } from "./processes.ts"
import { Progress } from "../../apps/bench/progress.ts"
import { report as tables, type Results } from "./report.ts"

const NO_PGBENCH =
  "pgbench and psql were not found, so there is no limit to compare with: what " +
  "follows\n   are absolute numbers, which say little on another machine. Debian has both in " +
  "the\n   packages postgresql-contrib and postgresql-client."

/** Returns the expected seconds of a part's steps. */
const plan = (
  { against, deliveries, lives, manifests, rounds, seconds, warmUp }: Options,
  hasLimit: boolean,
) => {
  const limited = hasLimit ? 5 + CLIENTS.length * rounds * seconds : 0
  const compared = limited + 2 * warmUp + rounds * seconds
  const parts: { readonly [P in Part]: number } = {
    create: compared,
    get: compared + 15,
    memory: 50,
    stored: 60 + 2 * warmUp + 2 * rounds * seconds,
    deliveries: 20 + deliveries / 500,
    report: 15 + 32 * 4,
    search: 125 + manifests / 1_800,
    steps: Math.max(1, warmUp) + seconds,
    cost: (against === undefined ? 1 : 2) * (warmUp + rounds * seconds),
    replicas: 90 + 6 * (rounds + 1) * seconds,
    doors: 10 + 4 * (warmUp + rounds * seconds),
    402: (against === undefined ? 2 : 3) * (warmUp + rounds * (seconds + 3)),
    life: (against === undefined ? 1 : 2) * (warmUp + (rounds * lives) / 100),
    peers: 20 + (3 * rounds * deliveries) / 1_000,
    medusa: 60 + ((rounds + 1) * 2 * lives) / 100,
    stall: 33,
    start: 4 * rounds,
    fixture: 12 * rounds,
    pages: 65,
  }
  return parts
}

/** More than this, and the machine measures the others too. */
const QUIET = 0.1

const measure = async (bench: Bench): Promise<Results> => {
  const {
    options: { only },
    progress,
  } = bench
  let busyBefore = 0
  const part = async <A>(
    name: Part,
    work: (bench: Bench) => Promise<A>,
  ): Promise<A | undefined> => {
    if (!only.has(name)) return undefined
    const busy = await busyShare()
    busyBefore = Math.max(busyBefore, busy)
    if (busy > QUIET) progress.warn(`Other programs use ${Math.round(100 * busy)}% of the machine.`)
    return work(bench)
  }
  const create = await part("create", measureCreate)
  const get = await part("get", measureGet)
  const memory = await part("memory", measureMemory)
  const stored = await part("stored", measureStored)
  const deliveries = await part("deliveries", measureDeliveries)
  const report = await part("report", measureReport)
  const search = await part("search", measureSearch)
  const steps = await part("steps", measureSteps)
  const cost = await part("cost", measureCost)
  const replicas = await part("replicas", measureReplicas)
  const doors = await part("doors", measureDoors)
  const exchange = await part("402", measureExchanges)
  const life = await part("life", measureLife)
  const peers = await part("peers", measurePeers)
  const medusa = await part("medusa", measureMedusa)
  const stall = await part("stall", measureStalls)
  const start = await part("start", measureStarts)
  const fixture = await part("fixture", measureFixtures)
  const pages = await part("pages", measurePages)
  const machine = {
    cpus: cpus().length,
    model: cpus()[0]?.model.trim() ?? "unknown",
    node: process.versions.node,
    busyBefore,
  }
  return {
    machine,
    create,
    get,
    memory,
    stored,
    deliveries,
    report,
    search,
    steps,
    cost,
    replicas,
    doors,
    402: exchange,
    life,
    peers,
    medusa,
    stall,
    start,
    fixture,
    pages,
  }
}

const run = async (options: Options): Promise<Results> => {
  const pgbench = await findPgbench()
  const planned = plan(options, pgbench !== undefined)
  const progress = new Progress([...options.only].reduce((sum, part) => sum + planned[part], 0))
  if (pgbench === undefined) progress.warn(NO_PGBENCH)
  const folder = await mkdtemp(join(tmpdir(), "payport-bench-"))
  try {
    const server = await startServer(join(folder, "database"))
    try {
      return await measure({ options, server, pgbench, progress, folder })
    } finally {
      await server.stop()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Prints the message with its causes, since a driver's own message says little. */
try {
  const options = readOptions(process.argv.slice(2))
  if (options === "help") process.stdout.write(HELP)
  else {
    const results = await run(options)
    process.stdout.write(`${options.json ? JSON.stringify(results) : tables(results)}\n`)
  }
} catch (error) {
  process.stderr.write(`\nThe bench ended without results: ${explain(error)}\n`)
  process.exitCode = 1
}
