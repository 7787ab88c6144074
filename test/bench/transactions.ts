import { setTimeout as sleep } from "node:timers/promises"
import type { Bench, Running } from "./Bench.ts"

/** Sessions report what they have done when they have been idle for so long, in milliseconds. */
const REPORTED = 11_000

/** Returns how many transactions each build's database has committed, including single reads. */
export const committed = async (
  { server }: Bench,
  builds: ReadonlyArray<{ readonly running: Running }>,
): Promise<ReadonlyArray<number>> => {
  await sleep(REPORTED)
  const found: Array<number> = []
  for (const { running } of builds) {
    const [row] = await server.query(
      "postgres",
      "SELECT xact_commit::float8 AS n FROM pg_stat_database WHERE datname = $1::name",
      [running.database],
    )
    found.push(Number(row?.["n"]))
  }
  return found
}

/** Returns how many transactions of the whole server have written. */
export const written = async ({ server }: Bench): Promise<number> => {
  const [row] = await server.query(
    "postgres",
    "SELECT (pg_snapshot_xmax(pg_current_snapshot())::text)::float8 AS n",
  )
  return Number(row?.["n"])
}

/** Bytes of log that the whole server has written. */
export const logged = async ({ server }: Bench): Promise<number> => {
  const [row] = await server.query(
    "postgres",
    "SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 AS bytes",
  )
  return Number(row?.["bytes"])
}
