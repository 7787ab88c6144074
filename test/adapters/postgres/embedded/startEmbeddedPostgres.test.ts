import { PgConnection } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { existsSync } from "node:fs"
import { chown, copyFile, mkdir, readdir, readFile, stat } from "node:fs/promises"
import { join } from "node:path"
import type { DatabaseConnection } from "../../../../adapters/postgres/embedded/database.ts"
import { findEmbeddedPostgres } from "../../../../adapters/postgres/embedded/findEmbeddedPostgres.ts"
import {
  type EmbeddedPostgresOptions,
  startEmbeddedPostgres,
} from "../../../../adapters/postgres/embedded/startEmbeddedPostgres.ts"
import { firstClosedFolder } from "../../../../adapters/postgres/embedded/serverUser.ts"
import { serves } from "./serves.ts"
import { startService } from "./startService.ts"
import { temporaryFolder } from "./temporaryFolder.ts"

const isRoot = process.getuid?.() === 0

const query = Effect.fnUntraced(function* (connection: DatabaseConnection, sql: string) {
  const session = yield* PgConnection.make(connection)
  const { rows } = yield* session.query(sql)
  return rows
}, Effect.scoped)

/** Starts, uses and stops a server. */
const session = <A, E>(
  options: EmbeddedPostgresOptions,
  use: (server: Effect.Success<ReturnType<typeof startEmbeddedPostgres>>) => Effect.Effect<A, E>,
) => Effect.scoped(Effect.flatMap(startEmbeddedPostgres(options), use))

describe("first and later starts", () => {
  it.live("creates the data, keeps them, and stops with the scope", () =>
    Effect.gen(function* () {
      const dataDirectory = yield* temporaryFolder
      const first = yield* session({ dataDirectory }, (server) =>
        Effect.gen(function* () {
          assert.isTrue(server.firstStart)
          assert.isFalse(server.adopted)
          assert.isTrue(yield* serves(dataDirectory, server.pid))
          yield* query(server.connection, "create table kept (word text)")
          yield* query(server.connection, "insert into kept values ('found again')")
          return server
        }),
      )
      assert.isFalse(yield* serves(dataDirectory, first.pid), "the server outlived its scope")
      yield* session({ dataDirectory }, (server) =>
        Effect.gen(function* () {
          assert.isFalse(server.firstStart)
          assert.isFalse(server.adopted)
          const rows = yield* query(server.connection, "select word from kept")
          assert.deepStrictEqual(rows, [{ word: "found again" }])
        }),
      )
      const { mode } = yield* Effect.promise(() => stat(join(dataDirectory, "postgres/password")))
      assert.strictEqual(mode & 0o777, 0o600)
    }),
  )

  it.live("is found in its own folder, not in a copy, and not after a crash", () =>
    Effect.gen(function* () {
      const dataDirectory = yield* temporaryFolder
      const copy = yield* temporaryFolder
      const isFound = (folder: string) =>
        Effect.promise(async () => (await findEmbeddedPostgres(folder)) !== undefined)
      const left = ["postgres/data/postmaster.pid", "postgres/password"]
      yield* session({ dataDirectory }, () =>
        Effect.gen(function* () {
          assert.isTrue(yield* isFound(dataDirectory))
          yield* Effect.promise(async () => {
            await mkdir(join(copy, "postgres/data"), { recursive: true })
            for (const name of left) await copyFile(join(dataDirectory, name), join(copy, name))
          })
          assert.isFalse(yield* isFound(copy), "a copy led to the original's server")
        }),
      )
      yield* Effect.promise(async () => {
        for (const name of left) await copyFile(join(copy, name), join(dataDirectory, name))
      })
      assert.isFalse(yield* isFound(dataDirectory), "a server was found that is gone")
    }),
  )

  it.live("is durable, hidden from the network, and knows letters beyond ASCII", () =>
    Effect.gen(function* () {
      const dataDirectory = yield* temporaryFolder
      yield* session({ dataDirectory }, (server) =>
        Effect.gen(function* () {
          const [row] = yield* query(
            server.connection,
            `
            select current_setting('fsync') as fsync,
              current_setting('synchronous_commit') as synchronous_commit,
              current_setting('listen_addresses') as listen_addresses,
              current_setting('is_superuser') as is_superuser,
              current_setting('server_encoding') as server_encoding,
              lower('ČAJ ŠKODA') as lower,
              to_tsvector('simple', 'Čaj, ŠKODA')::text as words`,
          )
          assert.deepStrictEqual(row, {
            fsync: "on",
            synchronous_commit: "on",
            listen_addresses: "",
            is_superuser: "off",
            server_encoding: "UTF8",
            lower: "čaj škoda",
            words: "'čaj':1 'škoda':2",
          })
          const byUrl = yield* Effect.scoped(
            Effect.flatMap(PgConnection.make({ url: server.url }), (connection) =>
              connection.query("select current_database() as name"),
            ),
          )
          assert.deepStrictEqual(byUrl.rows, [{ name: "payport" }])
          const wrong = { ...server.connection, password: Redacted.make("wrong") }
          const refused = yield* Effect.flip(query(wrong, "select 1"))
          assert.strictEqual(refused.reason._tag, "AuthenticationError")
        }),
      )
      const log = yield* Effect.promise(() => readFile(join(dataDirectory, "postgres.log"), "utf8"))
      assert.include(log, "ready to accept connections")
    }),
  )

  it.live("makes the database that an interrupted first start did not get to", () =>
    Effect.gen(function* () {
      const dataDirectory = yield* temporaryFolder
      yield* session({ dataDirectory }, (server) =>
        Effect.gen(function* () {
          const administrator = {
            ...server.connection,
            username: "postgres",
            database: "postgres",
          }
          yield* query(administrator, "drop database payport with (force)")
          yield* query(administrator, "drop role payport")
        }),
      )
      yield* session({ dataDirectory }, (server) => query(server.connection, "select 1"))
    }),
  )

  it.live("begins an initialisation again that was killed half-way", () =>
    Effect.gen(function* () {
      const dataDirectory = yield* temporaryFolder
      const service = startService(dataDirectory)
      const drafts = Effect.promise(async () => {
        const names = await readdir(dataDirectory)
        return names.filter((name) => name.startsWith("postgres.initialising-"))
      })
      const begun = (draft: string | undefined) =>
        draft !== undefined && existsSync(join(dataDirectory, draft, "data", "global"))
      while (!begun((yield* drafts)[0])) yield* Effect.sleep("2 millis")
      service.child.kill("SIGKILL")
      yield* Effect.promise(() => service.ended)
      assert.isFalse(existsSync(join(dataDirectory, "postgres")))
      yield* session({ dataDirectory }, (server) =>
        Effect.gen(function* () {
          assert.isTrue(server.firstStart)
          yield* query(server.connection, "select 1")
        }),
      )
      assert.deepStrictEqual(yield* drafts, [])
    }),
  )
})

describe("places", () => {
  it.live("puts the socket elsewhere if the data folder's path is too long for one", () =>
    Effect.gen(function* () {
      const dataDirectory = join(yield* temporaryFolder, "long".repeat(30), "folder")
      const used = yield* session({ dataDirectory }, (server) =>
        Effect.gen(function* () {
          assert.isBelow(server.connection.host.length, 90)
          yield* query(server.connection, "create table kept (word text)")
          const found = yield* Effect.promise(() => stat(server.connection.host))
          assert.strictEqual(found.mode & 0o777, 0o700)
          return server.connection.host
        }),
      )
      assert.isFalse(existsSync(used), "the socket's folder was left behind")
      yield* session({ dataDirectory }, (server) => query(server.connection, "select * from kept"))
    }),
  )

  it.live.runIf(isRoot)("works in a folder of root's that nobody else may enter", () =>
    Effect.gen(function* () {
      const closed = join(yield* temporaryFolder, "closed")
      yield* Effect.promise(() => mkdir(closed, { mode: 0o700 }))
      const dataDirectory = join(closed, ".payport")
      yield* session({ dataDirectory }, (server) =>
        query(server.connection, "create table kept (word text)"),
      )
      yield* session({ dataDirectory }, (server) => query(server.connection, "select * from kept"))
      const cluster = yield* Effect.promise(() => stat(join(dataDirectory, "postgres/data")))
      assert.notStrictEqual(cluster.uid, 0)
    }),
  )

  it.live.runIf(isRoot)("works as an ordinary user, and root can take over from there", (context) =>
    Effect.gen(function* () {
      const nobody = { uid: 65534, gid: 65534 }
      const closed = yield* Effect.promise(() => firstClosedFolder(import.meta.dirname, nobody))
      if (closed !== undefined) return context.skip(`an ordinary user may not enter ${closed}`)
      const folder = yield* temporaryFolder
      yield* Effect.promise(() => chown(folder, nobody.uid, nobody.gid))
      const dataDirectory = join(folder, ".payport")
      const service = startService(dataDirectory, "serve", nobody)
      const ready = yield* Effect.promise(() => service.heard((message) => message.ready))
      const cluster = yield* Effect.promise(() => stat(join(dataDirectory, "postgres/data")))
      assert.strictEqual(cluster.uid, nobody.uid)
      service.child.kill("SIGTERM")
      yield* Effect.promise(() => service.ended)
      assert.isFalse(yield* serves(dataDirectory, ready.pid))
      yield* session({ dataDirectory }, (server) => query(server.connection, "select 1"))
      const again = startService(dataDirectory, "serve", nobody)
      yield* Effect.promise(() => again.heard((message) => message.ready))
      again.child.kill("SIGTERM")
      yield* Effect.promise(() => again.ended)
    }),
  )

  it.live.runIf(isRoot)("tells an ordinary user whose data folder it is", (context) =>
    Effect.gen(function* () {
      const nobody = { uid: 65534, gid: 65534 }
      const closed = yield* Effect.promise(() => firstClosedFolder(import.meta.dirname, nobody))
      if (closed !== undefined) return context.skip(`an ordinary user may not enter ${closed}`)
      const dataDirectory = yield* temporaryFolder
      yield* session({ dataDirectory }, () => Effect.void)
      const service = startService(dataDirectory, "serve", nobody)
      const failed = yield* Effect.promise(() => service.heard((message) => message.failed))
      assert.strictEqual(failed._tag, "DataFolderUnusable")
      assert.include(failed.message, dataDirectory)
    }),
  )

  it.live("says what is in the way", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(
        Effect.scoped(
          startEmbeddedPostgres({ dataDirectory: join(import.meta.filename, "inside") }),
        ),
      )
      assert.strictEqual(error._tag, "DataFolderUnusable")
      assert.include(error.message, import.meta.filename)
    }),
  )
})
