import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import type { Server } from "./database.ts"
import { runLoad } from "./load.ts"
import type { Outcome } from "../../apps/bench/load/Job.ts"
import type { Options } from "./options.ts"
import type { Pgbench } from "./pgbench.ts"
import type { Progress } from "../../apps/bench/progress.ts"
import { type Service, startService } from "./service.ts"
import { openShop, type Shop } from "../../apps/bench/shop.ts"

/** The inputs of every measurement. */
export interface Bench {
  readonly options: Options
  readonly server: Server
  readonly pgbench: Pgbench | undefined
  readonly progress: Progress
  /** A temporary folder. */
  readonly folder: string
}

/** The service on its own database. */
export interface Running {
  readonly service: Service
  readonly shop: Shop
  readonly database: string
}

/** Starts the service on a new database and opens a shop in it, for as long as `use` lasts. */
export const withService = async <A>(
  { folder, options, server }: Bench,
  database: string,
  use: (running: Running) => Promise<A>,
  {
    endpoint,
    inspected = false,
  }: { readonly endpoint?: string; readonly inspected?: boolean } = {},
): Promise<A> => {
  await server.create(database)
  const own = join(folder, database)
  await mkdir(own)
  const service = await startService({
    program: options.service,
    databaseUrl: server.url(database),
    folder: own,
    inspected,
  })
  try {
    const result = await use({
      service,
      shop: await openShop(service, undefined, endpoint),
      database,
    })
    await service.stop()
    return result
  } catch (error) {
    await service.stop().catch(() => undefined)
    throw error
  } finally {
    await server.drop(database)
  }
}

interface Creating {
  readonly warmUp?: number
  readonly until: { readonly seconds: number } | { readonly requests: number }
}

/** Has payments created as fast as the service can. */
export const create = (
  { options }: Bench,
  { service, shop }: Running,
  { until, warmUp = 0 }: Creating,
): Promise<Outcome> =>
  runLoad({
    url: service.url,
    connections: options.connections,
    key: service.buyerKey,
    request: { type: "create", body: shop.body },
    warmUp: warmUp * 1000,
    until: "seconds" in until ? { milliseconds: until.seconds * 1000 } : until,
  })

/** Returns the number of payments in the database. */
export const countIntents = async ({ server }: Bench, database: string): Promise<number> => {
  const [row] = await server.query(database, "SELECT count(*)::int AS n FROM payment_intents")
  return Number(row?.["n"])
}

/** Fails unless the database holds exactly the acknowledged payments. */
export const checkStored = async (bench: Bench, database: string, expected: number) => {
  const stored = await countIntents(bench, database)
  if (stored === expected) return
  throw new Error(`${expected} payments were acknowledged, but ${stored} are stored.`)
}
