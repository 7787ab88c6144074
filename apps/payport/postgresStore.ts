import { Effect, Layer, Result } from "effect"
import type { DatabaseSettings } from "../../adapters/postgres/access.ts"
import type { ConnectionSettings } from "../../adapters/postgres/ConnectionSettings.ts"
import { connectionOf } from "../../adapters/postgres/ConnectionUrl.ts"
import { flawOfName } from "../../adapters/postgres/OurSchema.ts"
import * as PostgresStore from "../../adapters/postgres/PostgresStore.ts"
import type { HostSql } from "../../adapters/postgres/commit/HostStatements.ts"
import type { HostPool } from "../../adapters/postgres/sessions/HostPool.ts"
import type { BeforeCommit } from "../../adapters/shared/BeforeCommit.ts"
import { guardedStore } from "../../core/work/guardedStore.ts"
import { PayportOptionsError, StoreOption } from "./PayportOptions.ts"

interface AnyDatabase {
  /** The schema of the tables; `payport` by default. Each payport in a database has its own. */
  readonly schema?: string
  /**
   * A URL of the same database that bypasses a pooler with shared sessions (PgBouncer in
   * transaction mode), for work that needs a session: change notifications, locks and migrations.
   */
  readonly directUrl?: string
  /**
   * URLs of replicas that follow the primary by streaming replication. They answer lists, searches
   * and reports over HTTP; these responses say how old they are. Methods read from the primary.
   * Every process on the database needs the same URLs.
   */
  readonly replicaUrls?: ReadonlyArray<string>
}

/** A PostgreSQL database, version 15 to 18: by a URL, or over the host's own pool. */
export type PostgresOptions = AnyDatabase &
  (
    | {
        /**
         * `postgresql://user:password@host:5432/database?sslmode=verify-full&sslrootcert=system`.
         * The first start creates the tables; later starts migrate them.
         */
        readonly url: string
        /** The same database for the role that owns the tables, if the role of `url` does not. */
        readonly migrationUrl?: string
        readonly pool?: never
      }
    | {
        /** A pool of `pg`. payport borrows connections from it, and does not close it. */
        readonly pool: HostPool
        readonly url?: never
        readonly migrationUrl?: never
      }
  )

type Given = { readonly [name: string]: unknown }

const NAMES: ReadonlyArray<string> = [
  "url",
  "pool",
  "schema",
  "directUrl",
  "replicaUrls",
  "migrationUrl",
]

const wrong = (name: string, message: string) =>
  Result.fail(
    new PayportOptionsError({
      option: `store.${name}`,
      message: `The option ${name} of postgres() ${message}.`,
    }),
  )

const readUrl = (name: string, url: unknown) => {
  if (typeof url !== "string" || !/^postgres(ql)?:\/\//.test(url)) {
    return wrong(name, "has to be a URL such as postgresql://user:password@host/database")
  }
  const parsed = connectionOf(url, {})
  return Result.isSuccess(parsed) ? Result.succeed(parsed.success) : wrong(name, parsed.failure)
}

const readSchema = ({ schema }: Given) => {
  if (schema === undefined) return Result.succeed({})
  if (typeof schema !== "string") return wrong("schema", "has to be a text")
  const flaw = flawOfName(schema)
  return flaw === undefined ? Result.succeed({ schema }) : wrong("schema", flaw)
}

const readReplicas = ({ replicaUrls }: Given) =>
  Result.gen(function* () {
    if (replicaUrls === undefined) return {}
    if (!Array.isArray(replicaUrls) || replicaUrls.length === 0) {
      return yield* wrong("replicaUrls", "has to be a list of URLs")
    }
    const servers: Array<ConnectionSettings> = []
    for (const url of replicaUrls as ReadonlyArray<unknown>) {
      servers.push(yield* readUrl("replicaUrls", url))
    }
    return { replicas: { servers } }
  })

const isPool = (given: unknown): given is HostPool =>
  typeof given === "object" && given !== null && typeof Reflect.get(given, "connect") === "function"

const readPlace = ({ migrationUrl, pool, url }: Given) =>
  Result.gen(function* () {
    if (pool !== undefined && url !== undefined) {
      return yield* wrong("pool", "replaces url: give one of them")
    }
    if (pool !== undefined && migrationUrl !== undefined) {
      return yield* wrong("migrationUrl", "needs url: with a pool, the pool's role owns the tables")
    }
    if (pool === undefined) return yield* readUrl("url", url)
    return isPool(pool) ? { pool } : yield* wrong("pool", "has to be a pool like those of pg")
  })

const readOptions = (options: unknown) =>
  Result.gen(function* () {
    if (typeof options !== "object" || options === null) {
      return yield* wrong("url", "is missing: call postgres({ url }) or postgres({ pool })")
    }
    const given = options as Given
    const unknown = Object.keys(given).find((name) => !NAMES.includes(name))
    if (unknown !== undefined) {
      return yield* wrong(unknown, `does not exist. The options are ${NAMES.join(", ")}`)
    }
    const schema = yield* readSchema(given)
    const { directUrl, migrationUrl } = given
    const direct = directUrl === undefined ? {} : { direct: yield* readUrl("directUrl", directUrl) }
    const replicas = yield* readReplicas(given)
    const settings: DatabaseSettings = {
      ...(yield* readPlace(given)),
      ...schema,
      ...direct,
      ...replicas,
    }
    if (migrationUrl === undefined) return { settings, owner: {} }
    const owner: ConnectionSettings = {
      ...(yield* readUrl("migrationUrl", migrationUrl)),
      ...schema,
    }
    return { settings, owner: { owner } }
  })

/**
 * A store in a PostgreSQL database, which any number of processes share. It is used only while this
 * machine's clock agrees with the database's. Wrong options make `makePayport` reject.
 */
export const postgres = (options: PostgresOptions): StoreOption<HostSql> =>
  new StoreOption((beforeCommit: BeforeCommit<HostSql> | undefined) =>
    Layer.unwrap(
      Effect.map(
        Effect.suspend(() => Effect.fromResult(readOptions(options))),
        ({ owner, settings }) =>
          Layer.provideMerge(
            guardedStore,
            PostgresStore.layer(settings, { ...owner, beforeCommit }),
          ),
      ),
    ),
  )
