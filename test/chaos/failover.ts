import { cp, readFile, rename, rm, symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { Redacted } from "effect"
import { type Chaos, type Result, starter, Trial, untilReady } from "./Chaos.ts"
import { Postgres } from "./Postgres.ts"

const STANDBY = "payport_standby"

/** Room for what is copied again and again. */
const small = { max_wal_size: "96MB", min_wal_size: "32MB" }

/** Nothing is acknowledged before the standby has it on its disk; else before it has anything. */
const primarySettings = (asynchronous: boolean) => ({
  ...small,
  synchronous_standby_names: asynchronous ? "" : STANDBY,
})

/** What a standby connects with, as a setting of PostgreSQL. */
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
const pair = async (
  { options: { asynchronous } }: Chaos,
  primary: Postgres,
  standby: Postgres,
): Promise<void> => {
  const [from, to] = [primary, standby].map(({ folder }) => join(folder, "postgres"))
  await rm(standby.folder, { recursive: true, force: true })
  await cp(from ?? "", to ?? "", { recursive: true, preserveTimestamps: true })
  await primary.start(primarySettings(asynchronous))
  const file = join(to ?? "", "data/postgresql.auto.conf")
  const kept = (await readFile(file, "utf8"))
    .split("\n")
    .filter((line) => !line.startsWith("primary_conninfo"))
  await writeFile(file, [...kept, follow(primary), ""].join("\n"))
  await writeFile(join(to ?? "", "data/standby.signal"), "")
  await standby.start(small)
  await untilFollowed(primary, asynchronous)
}

/** Lets the service's address name that server from now on, at once. */
const direct = async (address: string, server: Postgres): Promise<void> => {
  const next = `${address}.next`
  await rm(next, { force: true })
  await symlink(server.connection.host, next)
  await rename(next, address)
}

/** The standby hears no more of what the primary acknowledges, for a second. */
const fallBehind = async (standby: Postgres): Promise<void> => {
  await standby.configure({ primary_conninfo: "''" })
  await sleep(1_000)
}

/** The primary dies, and its standby takes over. */
const failOver = (chaos: Chaos, trial: Trial, standby: Postgres, address: string) =>
  trial.round(async () => {
    if (chaos.options.asynchronous) await fallBehind(standby)
    await trial.server.kill("all")
    const [row] = await standby.manage("SELECT pg_promote(true, 60) AS promoted")
    if (row?.["promoted"] !== true) throw new Error("The standby was not promoted in a minute.")
    trial.server = standby
    await direct(address, standby)
    if (!(await untilReady(trial.service, true))) {
      trial.violations.push("a minute after the standby took over the service was not ready")
    }
  }, false)

/**
 * Lets the primary die under load, again and again, and its synchronous standby take over. The
 * service's address is a folder that the socket of whoever is the primary lies in.
 */
export const failover = async (chaos: Chaos): Promise<Result> => {
  const began = performance.now()
  const rounds = chaos.options.failover
  const servers = ["one", "two"].map((name) => new Postgres(join(chaos.folder, name)))
  let [primary, standby] = servers as [Postgres, Postgres]
  const address = join(chaos.folder, "primary")
  let trial: Trial | undefined
  try {
    await primary.start()
    await primary.stop()
    await pair(chaos, primary, standby)
    await direct(address, primary)
    const start = await starter(chaos, "failover", primary.url(address))
    trial = await Trial.open(chaos, await start(), primary)
    for (let round = 0; round < rounds; round++) {
      await failOver(chaos, trial, standby, address)
      ;[primary, standby] = [standby, primary]
      await primary.stop()
      await pair(chaos, primary, standby)
      if (!(await untilReady(trial.service, true))) {
        trial.violations.push("a minute after its database was back the service was not ready")
      }
      chaos.tell(round + 1)
    }
    return await trial.end("failover", rounds, began)
  } finally {
    await trial?.abandon()
    await Promise.all(servers.map((server) => server.stop()))
  }
}
