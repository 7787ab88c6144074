import { PgConnection } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Schedule, Scope } from "effect"
import { spawn } from "node:child_process"
import { chown, readFile, rm, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { DatabaseConnection } from "../../../../adapters/postgres/embedded/database.ts"
import { processesServing } from "../../../../adapters/postgres/embedded/processes.ts"
import { startEmbeddedPostgres } from "../../../../adapters/postgres/embedded/startEmbeddedPostgres.ts"
import { serves } from "./serves.ts"
import { type Service, startService } from "./startService.ts"
import { preparedFolder, temporaryFolder } from "./temporaryFolder.ts"

const query = Effect.fnUntraced(function* (connection: DatabaseConnection, sql: string) {
  const session = yield* PgConnection.make(connection)
  const { rows } = yield* session.query(sql)
  return rows
}, Effect.scoped)

const ready = (service: Service) => Effect.promise(() => service.heard((message) => message.ready))

const end = (service: Service, signal: NodeJS.Signals) =>
  Effect.promise(async () => {
    service.child.kill(signal)
    await service.ended
  })

const insertions = (service: Service, count: number) =>
  Effect.promise(() => service.heard(({ inserted }) => (inserted ?? 0) >= count || undefined))

const acknowledged = (service: Service): ReadonlyArray<number> =>
  service.messages.flatMap(({ inserted }) => (inserted === undefined ? [] : [inserted]))

describe("a service that was killed", () => {
  it.live("leaves a server that the next one takes over, with all that was acknowledged", () =>
    Effect.gen(function* () {
      const dataDirectory = yield* preparedFolder
      const service = startService(dataDirectory, "insert")
      const left = yield* ready(service)
      yield* insertions(service, 200)
      yield* end(service, "SIGKILL")
      assert.isTrue(yield* serves(dataDirectory, left.pid))
      yield* Effect.scoped(
        Effect.gen(function* () {
          const server = yield* startEmbeddedPostgres({ dataDirectory })
          assert.isTrue(server.adopted)
          assert.isFalse(server.firstStart)
          assert.strictEqual(server.pid, left.pid)
          const rows = yield* query(server.connection, "select id from acknowledged")
          const stored = new Set(rows.map(({ id }) => id))
          assert.deepStrictEqual(
            acknowledged(service).filter((id) => !stored.has(id)),
            [],
          )
        }),
      )
      assert.isFalse(yield* serves(dataDirectory, left.pid), "an adopted server outlived its scope")
    }),
  )

  it.live("leaves a server that is started anew if its settings are to be others", () =>
    Effect.gen(function* () {
      const dataDirectory = yield* preparedFolder
      const service = startService(dataDirectory)
      const left = yield* ready(service)
      yield* end(service, "SIGKILL")
      const server = yield* startEmbeddedPostgres({ dataDirectory, settings: { work_mem: "5MB" } })
      assert.isFalse(server.adopted)
      assert.isFalse(yield* serves(dataDirectory, left.pid))
      const rows = yield* query(server.connection, "show work_mem")
      assert.deepStrictEqual(rows, [{ work_mem: "5MB" }])
    }),
  )

  it.live("leaves a server that is found though its socket is in the temporary folder", () =>
    Effect.gen(function* () {
      const dataDirectory = join(yield* temporaryFolder, "long".repeat(30))
      const service = startService(dataDirectory)
      const left = yield* ready(service)
      yield* end(service, "SIGKILL")
      const server = yield* startEmbeddedPostgres({ dataDirectory })
      assert.isTrue(server.adopted)
      assert.strictEqual(server.pid, left.pid)
      yield* query(server.connection, "select 1")
    }),
  )

  it.live.runIf(process.platform === "linux")(
    "leaves no second server on the data, though postmaster.pid was deleted",
    () =>
      Effect.gen(function* () {
        const dataDirectory = yield* preparedFolder
        const service = startService(dataDirectory)
        const left = yield* ready(service)
        yield* end(service, "SIGKILL")
        const data = join(dataDirectory, "postgres/data")
        yield* Effect.promise(() => rm(join(data, "postmaster.pid")))
        const server = yield* startEmbeddedPostgres({ dataDirectory })
        assert.isFalse(server.adopted)
        assert.isFalse(yield* serves(dataDirectory, left.pid))
        const serving = yield* Effect.promise(() => processesServing(data))
        assert.include(serving, server.pid)
        assert.notInclude(serving, left.pid)
      }),
  )

  it.live("may take its server down with it", () =>
    Effect.gen(function* () {
      const dataDirectory = yield* preparedFolder
      const service = startService(dataDirectory, "insert")
      const left = yield* ready(service)
      yield* insertions(service, 50)
      process.kill(left.pid, "SIGKILL")
      yield* end(service, "SIGKILL")
      const server = yield* startEmbeddedPostgres({ dataDirectory })
      assert.isFalse(server.adopted)
      const rows = yield* query(server.connection, "select id from acknowledged")
      const stored = new Set(rows.map(({ id }) => id))
      assert.deepStrictEqual(
        acknowledged(service).filter((id) => !stored.has(id)),
        [],
      )
    }),
  )
})

describe("a postmaster.pid of a server that is gone", () => {
  const cases = [
    { name: "whose number nobody has", pid: () => undefined },
    { name: "whose number another program has", pid: (pid: number) => pid },
  ]
  for (const { name, pid } of cases) {
    it.live(`${name} does not keep a new one from starting`, () =>
      Effect.gen(function* () {
        const dataDirectory = yield* preparedFolder
        const file = join(dataDirectory, "postgres/data/postmaster.pid")
        const text = yield* Effect.scoped(
          Effect.gen(function* () {
            yield* startEmbeddedPostgres({ dataDirectory })
            return yield* Effect.promise(() => readFile(file, "utf8"))
          }),
        )
        const owner = yield* Effect.promise(() => stat(join(dataDirectory, "postgres/data")))
        // PostgreSQL itself only checks for living processes of its own user.
        const stranger = spawn("sleep", ["60"], {
          stdio: "ignore",
          ...(process.getuid?.() === 0 ? { uid: owner.uid, gid: owner.gid } : {}),
        })
        yield* Effect.addFinalizer(() => Effect.sync(() => stranger.kill("SIGKILL")))
        const number = pid(stranger.pid!) ?? 4_194_304
        yield* Effect.promise(async () => {
          await writeFile(file, text.replace(/^\d+/, String(number)), { mode: 0o600 })
          if (process.getuid?.() === 0) await chown(file, owner.uid, owner.gid)
        })
        const server = yield* startEmbeddedPostgres({ dataDirectory })
        assert.isFalse(server.adopted)
        yield* query(server.connection, "select 1")
        assert.isNull(stranger.exitCode, "a stranger was stopped")
      }),
    )
  }
})

describe("a service that ends", () => {
  it.live("stops its server on SIGTERM", () =>
    Effect.gen(function* () {
      const dataDirectory = yield* preparedFolder
      const service = startService(dataDirectory)
      const { pid } = yield* ready(service)
      yield* end(service, "SIGTERM")
      assert.strictEqual(service.child.exitCode, 0)
      assert.isFalse(yield* serves(dataDirectory, pid))
    }),
  )

  it.live("stops its server even by process.exit", () =>
    Effect.gen(function* () {
      const dataDirectory = yield* preparedFolder
      const service = startService(dataDirectory, "exit")
      const { pid } = yield* ready(service)
      yield* Effect.promise(() => service.ended)
      const server = yield* startEmbeddedPostgres({ dataDirectory })
      assert.isFalse(server.adopted)
      assert.isFalse(yield* serves(dataDirectory, pid))
    }),
  )

  it.live("can use its server until it has drained after Ctrl-C in the terminal", () =>
    Effect.gen(function* () {
      const dataDirectory = yield* preparedFolder
      const service = startService(dataDirectory, "drain")
      const { pid } = yield* ready(service)
      // A terminal signals the whole process group.
      process.kill(-service.child.pid!, "SIGINT")
      assert.strictEqual(yield* Effect.promise(() => service.heard(({ drained }) => drained)), 1)
      yield* Effect.promise(() => service.ended)
      assert.isFalse(yield* serves(dataDirectory, pid))
    }),
  )
})

describe("two services on one data folder", () => {
  it.live("the second is told where, who and what to do", () =>
    Effect.gen(function* () {
      const dataDirectory = yield* preparedFolder
      const service = startService(dataDirectory)
      const { pid } = yield* ready(service)
      const error = yield* Effect.flip(Effect.scoped(startEmbeddedPostgres({ dataDirectory })))
      assert.strictEqual(error._tag, "DataFolderInUse")
      assert.strictEqual(error._tag === "DataFolderInUse" && error.pid, service.child.pid)
      assert.include(error.message, dataDirectory)
      assert.include(error.message, String(service.child.pid))
      assert.include(error.message, "PAYPORT_DATA_DIR")
      assert.isTrue(yield* serves(dataDirectory, pid), "the refused one stopped the other's server")
      yield* end(service, "SIGTERM")
      yield* startEmbeddedPostgres({ dataDirectory })
    }),
  )

  it.live("the second is refused in the same process too", () =>
    Effect.gen(function* () {
      const dataDirectory = yield* preparedFolder
      const server = yield* startEmbeddedPostgres({ dataDirectory })
      const error = yield* Effect.flip(Effect.scoped(startEmbeddedPostgres({ dataDirectory })))
      assert.strictEqual(error._tag, "DataFolderInUse")
      const third = startService(dataDirectory)
      const failed = yield* Effect.promise(() => third.heard((message) => message.failed))
      assert.strictEqual(failed._tag, "DataFolderInUse")
      assert.strictEqual(failed.pid, process.pid)
      yield* query(server.connection, "select 1")
    }),
  )

  it.live("of several that start at once exactly one wins, also over a server left behind", () =>
    Effect.gen(function* () {
      const dataDirectory = yield* preparedFolder
      for (let round = 0; round < 3; round += 1) {
        const services = [1, 2, 3].map(() => startService(dataDirectory))
        const outcomes = yield* Effect.promise(() =>
          Promise.all(
            services.map((service) => service.heard((message) => message.ready ?? message.failed)),
          ),
        )
        assert.strictEqual(outcomes.filter((outcome) => !("_tag" in outcome)).length, 1)
        const tags = outcomes.flatMap((outcome) => ("_tag" in outcome ? [outcome._tag] : []))
        assert.deepStrictEqual(tags, ["DataFolderInUse", "DataFolderInUse"])
        yield* Effect.forEach(services, (service) => end(service, "SIGKILL"), {
          concurrency: "unbounded",
        })
      }
      const server = yield* startEmbeddedPostgres({ dataDirectory })
      assert.isTrue(server.adopted)
    }),
  )
})

describe("a server that ends by itself", () => {
  it.live("is started again at its address, with what was stored", () =>
    Effect.gen(function* () {
      const dataDirectory = yield* preparedFolder
      const server = yield* startEmbeddedPostgres({ dataDirectory })
      yield* query(server.connection, "create table kept as select 'found again' as word")
      const first = server.pid
      process.kill(first, "SIGKILL")
      const rows = yield* query(server.connection, "select word from kept").pipe(
        Effect.retry(Schedule.spaced("50 millis")),
        Effect.timeout("20 seconds"),
      )
      assert.deepStrictEqual(rows, [{ word: "found again" }])
      assert.notStrictEqual(server.pid, first)
      assert.isTrue(yield* serves(dataDirectory, server.pid))
    }),
  )

  it.live("is not started again by a scope that closes", () =>
    Effect.gen(function* () {
      const dataDirectory = yield* preparedFolder
      const scope = yield* Scope.make()
      const server = yield* Scope.provide(startEmbeddedPostgres({ dataDirectory }), scope)
      process.kill(server.pid, "SIGKILL")
      yield* Scope.close(scope, Exit.void)
      yield* Effect.sleep("1500 millis")
      assert.isFalse(yield* serves(dataDirectory, server.pid))
    }),
  )
})
