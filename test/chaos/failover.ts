import { rename, rm, symlink } from "node:fs/promises"
import { join } from "node:path"
import { type Chaos, type Result, starter, Trial, untilReady } from "./Chaos.ts"
import { Postgres } from "./Postgres.ts"
import { fallBehind, pair, promote } from "./standby.ts"

/** Points the service's address to that server, atomically. */
const direct = async (address: string, server: Postgres): Promise<void> => {
  const next = `${address}.next`
  await rm(next, { force: true })
  await symlink(server.connection.host, next)
  await rename(next, address)
}

/** The primary dies, and its standby takes over. */
const failOver = (chaos: Chaos, trial: Trial, standby: Postgres, address: string) =>
  trial.round(async (load) => {
    if (chaos.options.asynchronous) await fallBehind(standby, load)
    await trial.server.kill("all")
    await promote(standby)
    trial.server = standby
    await direct(address, standby)
    if (!(await untilReady(trial.service, true))) {
      trial.violations.push("a minute after the standby took over the service was not ready")
    }
  }, false)

/**
 * Kills the primary under load, again and again, and promotes its synchronous standby. The
 * service's address is a link to the folder of the current primary's socket.
 */
export const failover = async (chaos: Chaos): Promise<Result> => {
  const began = performance.now()
  const rounds = chaos.options.rounds.failover
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
