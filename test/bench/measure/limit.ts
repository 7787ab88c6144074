import { join } from "node:path"
import type { Bench } from "../Bench.ts"
import { CLIENTS } from "../pgbench.ts"
import { median } from "../../../apps/bench/statistics.ts"

/** The measurements of the database alone, in turns with the service. */
export interface Limit {
  /** The duration of a round in seconds. */
  readonly seconds: number
  readonly warmUp: () => Promise<void>
  readonly round: () => Promise<void>
  /** The median of the clients with the best one; undefined where there is no pgbench. */
  readonly best: () => { readonly clients: number; readonly rate: number } | undefined
  readonly close: () => Promise<void>
}

const none: Limit = {
  seconds: 0,
  warmUp: () => Promise.resolve(),
  round: () => Promise.resolve(),
  best: () => undefined,
  close: () => Promise.resolve(),
}

/** Prepares a limit script on its own database. */
export const makeLimit = async (
  { options, pgbench, progress, server }: Bench,
  name: "create" | "get" | "transition",
): Promise<Limit> => {
  if (pgbench === undefined) return none
  const database = `bench_limit_${name}`
  const connection = server.connection(database)
  const script = join(options.limits, `limit-${name}.sql`)
  await server.create(database)
  await progress.step(`${name}: loading the limit's tables`, 5, async () => {
    await pgbench.load(connection, join(options.limits, "limit-schema.sql"))
    await pgbench.load(connection, join(options.limits, "limit-seed.sql"))
  })
  const rates = new Map<number, Array<number>>(CLIENTS.map((clients) => [clients, []]))
  return {
    seconds: CLIENTS.length * options.seconds,
    warmUp: async () => {
      if (options.warmUp === 0) return
      await pgbench.rate(connection, { script, clients: 32, seconds: options.warmUp })
    },
    round: async () => {
      for (const [clients, found] of rates) {
        await server.checkpoint()
        found.push(await pgbench.rate(connection, { script, clients, seconds: options.seconds }))
      }
    },
    best: () =>
      [...rates]
        .map(([clients, found]) => ({ clients, rate: median(found) }))
        .toSorted((a, b) => b.rate - a.rate)[0],
    close: () => server.drop(database),
  }
}
