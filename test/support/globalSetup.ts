import { PgConnection } from "@effect/sql-pg"
import { Effect, Exit, Redacted, Result, Scope } from "effect"
import { cpSync } from "node:fs"
import { chmod, mkdtemp, realpath, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { TestProject } from "vitest/node"
import { connectionOf } from "../../adapters/postgres/ConnectionUrl.ts"
import { findBinaries, prepareBinaries } from "../../adapters/postgres/embedded/binaries.ts"
import { openCluster } from "../../adapters/postgres/embedded/cluster.ts"
import {
  type DatabaseConnection,
  ensureDatabase,
  ownerConnection,
  serviceConnection,
} from "../../adapters/postgres/embedded/database.ts"
import type { ServerAddress } from "../../adapters/postgres/embedded/serverAddress.ts"
import { findServerUser } from "../../adapters/postgres/embedded/serverUser.ts"
import { startEmbeddedPostgres } from "../../adapters/postgres/embedded/startEmbeddedPostgres.ts"
import * as PostgresStore from "../../adapters/postgres/PostgresStore.ts"
import { buildPages } from "../../apps/packages/buildPages.ts"
import { keepFilesInMemory } from "./memoryFolder.ts"
import { bundlePrograms } from "./programs.ts"

interface Login {
  readonly username: string
  readonly password: string
}

declare module "vitest" {
  export interface ProvidedContext {
    /** The server of this run. Databases are copies of `template`, whose schema is up to date. */
    readonly postgres: {
      readonly host: string
      readonly port: number
      readonly roles: { readonly [R in "owner" | "service"]: Login }
      readonly template: string
    }
    /** The folder of a cluster that no server runs on, for tests' own servers to begin with. */
    readonly cluster: string
    /** The folder of the programs that tests start. */
    readonly programs: string
  }
}

const TEMPLATE = "payport_template"

const removed = (path: string) =>
  Effect.promise(() => rm(path, { recursive: true, force: true, maxRetries: 10 }))

const folder = Effect.acquireRelease(
  Effect.promise(async () => {
    const path = await mkdtemp(join(await realpath(tmpdir()), "payport-test-server-"))
    // The server's user, who is not root, has to get in.
    await chmod(path, 0o711)
    return path
  }),
  removed,
)

/**
 * Syncing is most of the cost of a small test, and a power cut would lose nothing that matters. No
 * database lives long enough to need vacuum. A test that needs its statistics creates them.
 */
const settings = {
  autovacuum: "off",
  fsync: "off",
  full_page_writes: "off",
  max_connections: "300",
  max_wal_size: "4GB",
  // Each new session hashes its password so often: by default 4096 times, which takes 3 ms.
  scram_iterations: "16",
}

const makeCluster = Effect.fnUntraced(function* (dataDirectory: string) {
  const user = yield* findServerUser(dataDirectory, join(dataDirectory, "postgres"))
  const binaries = yield* prepareBinaries(yield* findBinaries(), user)
  const { home } = yield* openCluster(dataDirectory, binaries, user)
  return home
})

/** The URL of the superuser of a server to run on instead of one of the run's own. */
const GIVEN = process.env["PAYPORT_TEST_SERVER"]

const openGiven = Effect.fnUntraced(function* (url: string) {
  const given = Result.getOrThrow(connectionOf(url))
  const { host = "", password = Redacted.make(""), port = 5432 } = given
  const address: ServerAddress = host.startsWith("/")
    ? { kind: "socket", folder: host, port }
    : { kind: "loopback", host, port }
  yield* ensureDatabase(host, address, Redacted.value(password), true)
  const connection = ownerConnection(address, Redacted.value(password))
  const service = serviceConnection(address, Redacted.value(password))
  return { connection, service, cluster: "" }
})

const openOwn = Effect.gen(function* () {
  const dataDirectory = yield* folder
  const cluster = join(yield* folder, "postgres")
  yield* Effect.map(makeCluster(dataDirectory), (home) =>
    cpSync(home, cluster, { recursive: true }),
  )
  const { connection, service } = yield* startEmbeddedPostgres({ dataDirectory, settings })
  return { connection, service, cluster }
})

const startServer = Effect.gen(function* () {
  const { cluster, connection, service } = yield* GIVEN === undefined ? openOwn : openGiven(GIVEN)
  yield* Effect.scoped(
    Effect.gen(function* () {
      const session = yield* PgConnection.make(connection)
      // A server that was given may have had a run before.
      yield* session.query(`DROP DATABASE IF EXISTS ${TEMPLATE}`)
      yield* session.query(`CREATE DATABASE ${TEMPLATE}`)
    }),
  )
  yield* Effect.scoped(
    Effect.gen(function* () {
      const admin = yield* PgConnection.make({ ...connection, username: "postgres" })
      // Tests name tables as they are; the service does without, as twoSchemas.test.ts shows.
      if (GIVEN === undefined) {
        // The superuser's password was hashed before the server had its settings.
        const password = Redacted.value(connection.password)
        yield* admin.query(`ALTER ROLE postgres PASSWORD '${password}'`)
      }
      for (const role of ["postgres", connection.username, service.username]) {
        yield* admin.query(`ALTER ROLE ${role} SET search_path = payport, public`)
      }
    }),
  )
  // On a busy machine, the start waits longer for a connection.
  const patient = { connectTimeout: 60 }
  const owner = { ...connection, ...patient, database: TEMPLATE }
  yield* PostgresStore.migrateAs(owner, { ...service, ...patient })
  return { connection, service, cluster }
})

const scope = Scope.makeUnsafe()

/** It ends after everything that has files in it. */
const memory = Effect.acquireRelease(Effect.sync(keepFilesInMemory), (end) => Effect.sync(end))

/** A folder for compiled code that all processes share, which halves the time of a start. */
const compiled = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "payport-test-compiled-"))),
  removed,
)

const programs = Effect.acquireRelease(Effect.promise(bundlePrograms), removed)

/**
 * Starts one PostgreSQL for the whole run, builds the pages' files and the programs that tests
 * start, and lets all processes share compiled code.
 */
export const setup = async (project: TestProject): Promise<void> => {
  await Effect.runPromise(Scope.provide(memory, scope))
  process.env["NODE_COMPILE_CACHE"] ??= await Effect.runPromise(Scope.provide(compiled, scope))
  await buildPages()
  const made = Effect.all([startServer, programs], { concurrency: 2 })
  const [started, bundled] = await Effect.runPromise(Scope.provide(made, scope))
  project.provide("programs", bundled)
  const { cluster, connection, service } = started
  const { host, port } = connection
  const login = ({ password, username }: DatabaseConnection): Login => ({
    username,
    password: Redacted.value(password),
  })
  project.provide("cluster", cluster)
  project.provide("postgres", {
    host,
    port,
    roles: { owner: login(connection), service: login(service) },
    template: TEMPLATE,
  })
}

export const teardown = (): Promise<void> => Effect.runPromise(Scope.close(scope, Exit.void))
