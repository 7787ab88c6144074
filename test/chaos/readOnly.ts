import { Effect, Exit, Scope } from "effect"
import { join } from "node:path"
import { CuttingProxy } from "../support/CuttingProxy.ts"
import { type Chaos, type Result, starter, Trial, untilReady } from "./Chaos.ts"
import { Postgres } from "./Postgres.ts"
import { untilSaid } from "./probes.ts"
import { throughProxy } from "./proxied.ts"
import { pair, promote } from "./standby.ts"

/**
 * The primary takes no writes any more and never will again, but lives and keeps its connections;
 * its standby takes over, and new connections are led to that.
 */
const leave = (trial: Trial, standby: Postgres, proxy: CuttingProxy) =>
  trial.round(async (load) => {
    load.staleFor = trial.backWithin
    await trial.server.configure({ default_transaction_read_only: "on" })
    await untilSaid(trial, "read_only")
    await promote(standby)
    trial.server = standby
    proxy.direct(standby.connection)
    await trial.backInTime(load, "a time without a primary")
    await untilSaid(trial, "ready")
  }, false)

/**
 * Makes the primary read-only and promotes the standby under load, again and again, without
 * resetting connections.
 */
export const readOnlyFailover = async (chaos: Chaos): Promise<Result> => {
  const began = performance.now()
  const rounds = chaos.options.rounds.readonly
  const servers = ["one", "two"].map((name) => new Postgres(join(chaos.folder, name)))
  let [primary, standby] = servers as [Postgres, Postgres]
  const scope = Scope.makeUnsafe()
  let trial: Trial | undefined
  try {
    await primary.start()
    await primary.stop()
    await pair(chaos, primary, standby)
    const making = Scope.provide(CuttingProxy.make(primary.connection), scope)
    const proxy = await Effect.runPromise(making)
    const start = await starter(chaos, "readonly", throughProxy(primary.connection, proxy))
    trial = await Trial.openAll(chaos, start, primary)
    for (let round = 0; round < rounds; round++) {
      await leave(trial, standby, proxy)
      ;[primary, standby] = [standby, primary]
      await Promise.all([primary.stop(), standby.stop()])
      await pair(chaos, primary, standby)
      for (const one of trial.all) {
        if (await untilReady(one, true)) continue
        trial.violations.push("a minute after its database was back a process was not ready")
      }
      chaos.tell(round + 1)
    }
    return await trial.end("readonly", rounds, began)
  } finally {
    await trial?.abandon()
    await Effect.runPromise(Scope.close(scope, Exit.void))
    await Promise.all(servers.map((server) => server.stop()))
  }
}
