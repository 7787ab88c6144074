import { writeFile } from "node:fs/promises"
import { setTimeout as sleep } from "node:timers/promises"
import { type Bench, create, type Running, withService } from "../Bench.ts"
import { cpuOf } from "../processes.ts"
import { Inspector } from "../profile/Inspector.ts"
import { summarise } from "../profile/summarise.ts"
import { logged } from "../transactions.ts"
import { type CommitShares, watchCommits } from "./commitWatch.ts"

/** The cost of a creation, step by step. */
export interface Steps {
  readonly rate: number
  /** Milliseconds. */
  readonly p50: number
  /** Microseconds of the service's one thread per creation, dearest first; idle time is apart. */
  readonly areas: ReadonlyArray<{ readonly area: string; readonly microseconds: number }>
  readonly functions: ReadonlyArray<{ readonly name: string; readonly microseconds: number }>
  /** Microseconds per creation in which the thread was busy, and idle. */
  readonly busy: number
  readonly idle: number
  /**
   * Microseconds of a core per creation, of whole processes; null if the system does not report
   * them.
   */
  readonly cpu: {
    readonly service: number | null
    readonly commits: number | null
    readonly load: number
  }
  readonly commit: CommitShares & {
    readonly perGroup: number
    /** Milliseconds from one group to the next. */
    readonly groupTime: number
    readonly walBytes: number
  }
}

/** The database counts its flushes only about once a second. */
const STATISTICS_DELAY = 1_500

const FUNCTIONS = 25

const logState = async (bench: Bench) => {
  const [row] = await bench.server.query(
    "postgres",
    `SELECT sum(fsyncs)::float8 AS flushes FROM pg_stat_io
      WHERE object = 'wal' AND backend_type = 'client backend'`,
  )
  return { flushes: Number(row?.["flushes"]), bytes: await logged(bench) }
}

const commitBackend = async ({ server }: Bench, { database }: Running) => {
  const [row] = await server.query(
    database,
    `SELECT pid FROM pg_stat_activity WHERE datname = current_database()
      AND query LIKE 'SELECT "payport".payport_commit_%' AND pid <> pg_backend_pid()`,
  )
  return Number(row?.["pid"])
}

const observe = async (bench: Bench, running: Running, inspector: Inspector) => {
  const {
    options: { seconds },
    server,
  } = bench
  const { service, database } = running
  const backend = await commitBackend(bench, running)
  await server.checkpoint()
  await sleep(STATISTICS_DELAY)
  const log = await logState(bench)
  const before = { ...log, own: await cpuOf(service.pid), db: await cpuOf(backend) }
  await inspector.start()
  const { result, shares } = await watchCommits(server.connection(database), () =>
    create(bench, running, { until: { seconds } }),
  )
  const profile = await inspector.stop()
  const own = await cpuOf(service.pid)
  const db = await cpuOf(backend)
  await sleep(STATISTICS_DELAY)
  const after = { ...(await logState(bench)), own, db }
  return { result, shares, profile, before, after }
}

type Observed = Awaited<ReturnType<typeof observe>>

const costs = ({ after, before, profile, result, shares }: Observed, seconds: number): Steps => {
  const creations = result.acknowledged
  const per = (value: number) => value / creations
  const used = (from: number | undefined, to: number | undefined) =>
    from === undefined || to === undefined ? null : per((to - from) * 1e6)
  const { areas, busy, functions } = summarise(profile)
  const groups = after.flushes - before.flushes
  return {
    rate: result.rate,
    p50: result.latency.p50,
    areas: [...areas]
      .filter(([area]) => area !== "idle")
      .map(([area, microseconds]) => ({ area, microseconds: per(microseconds) }))
      .toSorted((a, b) => b.microseconds - a.microseconds),
    functions: functions
      .slice(0, FUNCTIONS)
      .map(({ microseconds, name }) => ({ name, microseconds: per(microseconds) })),
    busy: per(busy),
    idle: per(areas.get("idle") ?? 0),
    cpu: {
      service: used(before.own, after.own),
      commits: used(before.db, after.db),
      load: per(result.cpu * 1e6),
    },
    commit: {
      ...shares,
      perGroup: creations / groups,
      groupTime: (seconds * 1000) / groups,
      walBytes: per(after.bytes - before.bytes),
    },
  }
}

/**
 * Measures the cost of each step of a creation, by a profile of the service under load and by the
 * database.
 */
export const measureSteps = (bench: Bench): Promise<Steps> =>
  withService(
    bench,
    "bench_steps",
    async (running) => {
      const {
        options: { seconds, warmUp },
        progress,
      } = bench
      const { inspector: url } = running.service
      if (url === undefined) throw new Error("The service did not say where its inspector listens.")
      const inspector = await Inspector.open(url)
      await progress.step("steps: warm-up", Math.max(1, warmUp), () =>
        create(bench, running, { until: { seconds: Math.max(1, warmUp) } }),
      )
      const observed = await progress.step("steps: profile", seconds, () =>
        observe(bench, running, inspector),
      )
      const { profile: file } = bench.options
      if (file !== undefined) await writeFile(file, JSON.stringify(observed.profile))
      return costs(observed, seconds)
    },
    { inspected: true },
  )
