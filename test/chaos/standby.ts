import { Redacted } from "effect"
import { cp, readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import type { ServerSettings } from "../../adapters/postgres/embedded/serverSettings.ts"
import type { Postgres } from "./Postgres.ts"

const STANDBY = "payport_standby"

/** A small log, since the folders are copied repeatedly. */
const small = { max_wal_size: "96MB", min_wal_size: "32MB" }

/** Commits wait until the standby has them on disk, or asynchronously for no standby. */
const primarySettings = (asynchronous: boolean, room: ServerSettings) => ({
  ...room,
  synchronous_standby_names: asynchronous ? "" : STANDBY,
})

/** The standby's connection to the primary, as a setting of PostgreSQL. */
const follow = (primary: Postgres): string => {
  const { host, password, port, username } = primary.operator
  const connection =
    `host='${host}' port=${port} user=${username} ` +
    `password=${Redacted.value(password)} application_name=${STANDBY}`
  return `primary_conninfo = '${connection.replaceAll("'", "''")}'`
}

const untilFollowed = async (primary: Postgres, asynchronous: boolean): Promise<void> => {
  const state = asynchronous ? "async" : "sync"
  const limit = performance.now() + 120_000
  while (performance.now() < limit) {
    const rows = await primary.manage(
      `SELECT FROM pg_stat_replication WHERE state = 'streaming' AND sync_state = '${state}'`,
    )
    if (rows.length > 0) return
    await sleep(50)
  }
  throw new Error(`The standby of ${primary.folder} did not catch up in two minutes.`)
}

/** Makes a standby of a stopped primary, from a copy of its files, and starts both. */
export const pair = async (
  { options: { asynchronous } }: { readonly options: { readonly asynchronous: boolean } },
  primary: Postgres,
  standby: Postgres,
  room: ServerSettings = small,
): Promise<void> => {
  const [from, to] = [primary, standby].map(({ folder }) => join(folder, "postgres"))
  await rm(standby.folder, { recursive: true, force: true })
  await cp(from ?? "", to ?? "", { recursive: true, preserveTimestamps: true })
  await primary.start(primarySettings(asynchronous, room))
  const file = join(to ?? "", "data/postgresql.auto.conf")
  const kept = (await readFile(file, "utf8"))
    .split("\n")
    .filter((line) => !line.startsWith("primary_conninfo"))
  await writeFile(file, [...kept, follow(primary), ""].join("\n"))
  await writeFile(join(to ?? "", "data/standby.signal"), "")
  await standby.start(room)
  await untilFollowed(primary, asynchronous)
}

/** Cuts the standby off, and waits until the primary has acknowledged further changes. */
export const fallBehind = async (
  standby: Postgres,
  load: { readonly acknowledged: number },
): Promise<void> => {
  await standby.configure({ primary_conninfo: "''" })
  await sleep(1_000)
  const before = load.acknowledged
  const limit = performance.now() + 60_000
  while (load.acknowledged < before + 20 && performance.now() < limit) await sleep(20)
}

/** Promotes a standby, whether its primary lives or not. */
export const promote = async (standby: Postgres): Promise<void> => {
  const [row] = await standby.manage("SELECT pg_promote(true, 60) AS promoted")
  if (row?.["promoted"] !== true) throw new Error("The standby was not promoted in a minute.")
}
