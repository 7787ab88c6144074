import type { Bench } from "./Bench.ts"
import { cpuOf } from "./processes.ts"

/** Seconds of a core: of the service's process, all threads, and of its database sessions. */
export interface ProcessorTime {
  readonly service: number
  readonly database: number
}

/** The processes that are measured. */
interface Runs {
  readonly service: { readonly pid: number }
  readonly database: string
}

const sessions = async ({ server }: Pick<Bench, "server">, { database }: Runs) => {
  const rows = await server.query(
    "postgres",
    "SELECT pid FROM pg_stat_activity WHERE datname = $1::name ORDER BY pid",
    [database],
  )
  return rows.map(({ pid }) => Number(pid))
}

/**
 * Returns the seconds of a core that the process has used. Fails if the system does not report
 * them.
 */
export const used = async (pid: number): Promise<number> => {
  const seconds = await cpuOf(pid)
  if (seconds === undefined) throw new Error("This system does not tell processor times.")
  return seconds
}

/** Returns the times of the sessions. An idle session that has ended meanwhile has none. */
const usedByEach = async (pids: ReadonlyArray<number>) => {
  const times = new Map<number, number>()
  for (const pid of pids) {
    const seconds = await cpuOf(pid)
    if (seconds !== undefined) times.set(pid, seconds)
  }
  return times
}

const sum = (values: Iterable<number>): number => [...values].reduce((all, value) => all + value, 0)

/** Does the work, and says what processor time it took. */
export const spentOn = async <A>(
  bench: Pick<Bench, "server">,
  running: Runs,
  work: () => Promise<A>,
): Promise<{ readonly result: A; readonly spent: ProcessorTime }> => {
  const pids = await sessions(bench, running)
  const before = await used(running.service.pid)
  const sessionsBefore = await usedByEach(pids)
  const result = await work()
  const after = await used(running.service.pid)
  // Sessions that were opened meanwhile count from their beginning.
  const sessionsAfter = await usedByEach(await sessions(bench, running))
  const ended = [...sessionsAfter].map(([pid, time]) => time - (sessionsBefore.get(pid) ?? 0))
  return { result, spent: { service: after - before, database: sum(ended) } }
}
