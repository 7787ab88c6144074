import { PgConnection } from "@effect/sql-pg"
import { Effect, Exit, Layer, Redacted, Scope } from "effect"
import { chmod, mkdtemp, realpath, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { TestProject } from "vitest/node"
import { startEmbeddedPostgres } from "../../adapters/postgres/embedded/startEmbeddedPostgres.ts"
import * as PostgresStore from "../../adapters/postgres/PostgresStore.ts"

declare module "vitest" {
  export interface ProvidedContext {
    /** The server of this run; databases are made from `template`, whose schema is up to date. */
    readonly postgres: {
      readonly host: string
      readonly port: number
      readonly username: string
      readonly password: string
      readonly template: string
    }
  }
}

const TEMPLATE = "payport_template"

const folder = Effect.acquireRelease(
  Effect.promise(async () => {
    const path = await mkdtemp(join(await realpath(tmpdir()), "payport-test-server-"))
    // The server's user, who is not root, has to get in.
    await chmod(path, 0o711)
    return path
  }),
  (path) => Effect.promise(() => rm(path, { recursive: true, force: true, maxRetries: 10 })),
)

/** What is lost in a power cut is no loss here, and syncing is most of what a small test costs. */
const settings = {
  fsync: "off",
  full_page_writes: "off",
  max_connections: "300",
  max_wal_size: "4GB",
}

const startServer = Effect.gen(function* () {
  const dataDirectory = yield* folder
  const { connection } = yield* startEmbeddedPostgres({ dataDirectory, settings })
  yield* Effect.scoped(
    Effect.gen(function* () {
      const session = yield* PgConnection.make(connection)
      yield* session.query(`CREATE DATABASE ${TEMPLATE}`)
    }),
  )
  yield* Effect.scoped(Layer.build(PostgresStore.layer({ ...connection, database: TEMPLATE })))
  return connection
})

const scope = Scope.makeUnsafe()

/** What is compiled once is loaded by every process after it, which halves how long one starts. */
const compiled = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "payport-test-compiled-"))),
  (path) => Effect.promise(() => rm(path, { recursive: true, force: true, maxRetries: 10 })),
)

/** Starts one PostgreSQL for the whole run, and has all processes share what is compiled. */
export const setup = async (project: TestProject): Promise<void> => {
  process.env["NODE_COMPILE_CACHE"] ??= await Effect.runPromise(Scope.provide(compiled, scope))
  const server = await Effect.runPromise(Scope.provide(startServer, scope))
  const { host, password, port, username } = server
  project.provide("postgres", {
    host,
    port,
    username,
    password: Redacted.value(password),
    template: TEMPLATE,
  })
}

export const teardown = (): Promise<void> => Effect.runPromise(Scope.close(scope, Exit.void))
