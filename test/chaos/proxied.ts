import { Effect, Exit, Redacted, Scope } from "effect"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { connectionUrl } from "../../adapters/postgres/embedded/database.ts"
import { CuttingProxy } from "../support/CuttingProxy.ts"
import { type Chaos, type Result, starter, Trial } from "./Chaos.ts"
import type { Options } from "./options.ts"
import type { Load } from "./orders.ts"
import { Postgres } from "./Postgres.ts"

/** A service under load whose database is behind a proxy. */
export interface Proxied {
  readonly trial: Trial
  readonly server: Postgres
  readonly proxy: CuttingProxy
  /** Starts another process of the service. */
  readonly start: () => Promise<Trial["service"]>
}

export type ProxiedPart = "hang" | "readonly" | "connections" | "overload"

/** Within this a service works again once its database does, in milliseconds. */
export const BACK_WITHIN = 2_000

/** Nobody waits longer than the deadline of requests, and what a busy machine adds to it. */
export const ANSWERED_WITHIN = 14_000

/** The first request is acknowledged soon after the end of what was in its way. */
export const backInTime = async ({ violations }: Trial, load: Load, what: string) => {
  const [began, before] = [performance.now(), load.acknowledged]
  while (load.acknowledged === before && performance.now() - began < 60_000) await sleep(10)
  const took = Math.round(performance.now() - began)
  if (took > BACK_WITHIN) violations.push(`after ${what} nothing was acknowledged for ${took} ms`)
}

/** The part of the options' name, with what is done in each round and at the end. */
export const proxied = async (
  chaos: Chaos,
  part: ProxiedPart,
  round: (setting: Proxied, load: Load, n: number) => Promise<void>,
  last: (setting: Proxied) => Promise<void> = () => Promise.resolve(),
): Promise<Result> => {
  const began = performance.now()
  const options: Pick<Options, ProxiedPart> = chaos.options
  const server = new Postgres(join(chaos.folder, `${part}-data`))
  await server.start()
  const scope = Scope.makeUnsafe()
  let trial: Trial | undefined
  try {
    const making = Scope.provide(CuttingProxy.make(server.connection), scope)
    const proxy = await Effect.runPromise(making)
    const place = { ...server.connection, host: "127.0.0.1", port: proxy.port }
    const start = await starter(chaos, part, Redacted.value(connectionUrl(place)))
    trial = await Trial.open(chaos, await start(), server)
    const setting = { trial, server, proxy, start }
    for (let n = 0; n < options[part]; n++) {
      await trial.round((load) => round(setting, load, n), false)
      chaos.tell(n + 1)
    }
    await last(setting)
    return await trial.end(part, options[part], began)
  } finally {
    await trial?.abandon()
    await Effect.runPromise(Scope.close(scope, Exit.void))
    await server.stop()
  }
}
