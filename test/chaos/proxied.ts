import { Effect, Exit, Redacted, Scope } from "effect"
import { join } from "node:path"
import {
  connectionUrl,
  type DatabaseConnection,
} from "../../adapters/postgres/embedded/database.ts"
import { CuttingProxy } from "../support/CuttingProxy.ts"
import { type Chaos, type Result, starter, Trial } from "./Chaos.ts"
import type { Part } from "./options.ts"
import type { Load } from "./orders.ts"
import { Postgres } from "./Postgres.ts"

/** A service under load whose database is behind a proxy. */
export interface Proxied {
  readonly trial: Trial
  readonly server: Postgres
  readonly proxy: CuttingProxy
  /** Starts another process of the service. */
  readonly start: Awaited<ReturnType<typeof starter>>
}

/** The longest time of an answer: the deadline of requests, and a margin for a busy machine. */
export const ANSWERED_WITHIN = 14_000

/** The URL of a database that is reached through a proxy. */
export const throughProxy = (connection: DatabaseConnection, { port }: CuttingProxy): string =>
  Redacted.value(connectionUrl({ ...connection, host: "127.0.0.1", port }))

/** The part of the options' name, with what is done in each round and at the end. */
export const proxied = async (
  chaos: Chaos,
  part: Part,
  round: (setting: Proxied, load: Load, n: number) => Promise<void>,
  last: (setting: Proxied) => Promise<void> = () => Promise.resolve(),
): Promise<Result> => {
  const began = performance.now()
  const rounds = chaos.options.rounds[part]
  const server = new Postgres(join(chaos.folder, `${part}-data`))
  await server.start()
  const scope = Scope.makeUnsafe()
  let trial: Trial | undefined
  try {
    const making = Scope.provide(CuttingProxy.make(server.connection), scope)
    const proxy = await Effect.runPromise(making)
    const start = await starter(chaos, part, throughProxy(server.connection, proxy))
    trial = await Trial.openAll(chaos, start, server)
    const setting = { trial, server, proxy, start }
    for (let n = 0; n < rounds; n++) {
      await trial.round((load) => round(setting, load, n), false)
      chaos.tell(n + 1)
    }
    await last(setting)
    return await trial.end(part, rounds, began)
  } finally {
    await trial?.abandon()
    await Effect.runPromise(Scope.close(scope, Exit.void))
    await server.stop()
  }
}
