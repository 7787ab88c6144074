import { it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { chownSync, readFileSync, writeFileSync } from "node:fs"
import { chmod, mkdtemp, realpath, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { describe, expect, test } from "vitest"
import { findServerUser } from "../../../adapters/postgres/embedded/serverUser.ts"
import * as PostgresStore from "../../../adapters/postgres/PostgresStore.ts"
import { areShared } from "../../../adapters/postgres/sessions/sharedSessions.ts"
import { Store } from "../../../core/ports/Store.ts"
import { anAccount, anAuditAct } from "../../support/records.ts"
import { freePort } from "../../support/freePort.ts"
import { serviceOf, type TestDatabase, testDatabase } from "../../support/postgres.ts"

const hasPgBouncer = (() => {
  try {
    execFileSync("pgbouncer", ["--version"], { stdio: "ignore" })
    return true
  } catch {
    return false
  }
})()

const ended = (child: ChildProcess) =>
  new Promise((done) => (child.exitCode === null ? child.once("close", done) : done(null)))

/** The same database behind a PgBouncer, until the scope closes. */
const behindPgBouncer = Effect.fnUntraced(function* (database: TestDatabase, more: string) {
  const folder = yield* Effect.acquireRelease(
    Effect.promise(async () => {
      const path = await mkdtemp(join(await realpath(tmpdir()), "payport-pgbouncer-"))
      await chmod(path, 0o711)
      return path
    }),
    (path) => Effect.promise(() => rm(path, { recursive: true, force: true })),
  )
  const user = yield* findServerUser(folder, join(folder, "postgres"))
  const port = yield* Effect.promise(freePort)
  const write = (name: string, text: string): string => {
    const path = join(folder, name)
    writeFileSync(path, text, { mode: 0o600 })
    if (user !== undefined) chownSync(path, user.uid, user.gid)
    return path
  }
  const { host, password = Redacted.make(""), username = "" } = database
  const users = write("users", `"${username}" "${Redacted.value(password)}"\n`)
  const log = write("log", "")
  const settings = write(
    "settings.ini",
    `[databases]\n* = host=${host} port=${database.port}\n[pgbouncer]\nlisten_addr=127.0.0.1
listen_port=${port}\nunix_socket_dir=\nauth_type=scram-sha-256\nauth_file=${users}
logfile=${log}\npidfile=\nmax_client_conn=100\n${more}\n`,
  )
  yield* Effect.acquireRelease(
    Effect.promise(async () => {
      const child = spawn("pgbouncer", ["-q", settings], { stdio: "ignore", ...user })
      while (!readFileSync(log, "utf8").includes("process up")) {
        if (child.exitCode !== null) throw new Error(readFileSync(log, "utf8"))
        await sleep(10)
      }
      return child
    }),
    (child) =>
      Effect.promise(async () => {
        child.kill("SIGTERM")
        await ended(child)
      }),
  )
  return { ...database, host: "127.0.0.1", port }
})

const open = (database: TestDatabase) => Effect.scoped(Layer.build(PostgresStore.layer(database)))

describe("sessions through a pooler", () => {
  test("are told from one's own by the processes that answer", () => {
    expect(areShared([1, 1, 1, 1], [2, 2, 2, 2])).toBe(false)
    // Poolers that lend the last used session, lend both in turns, or are busy.
    expect(areShared([1, 1, 1, 1], [1, 1, 1, 1])).toBe(true)
    expect(areShared([1, 2], [2, 1])).toBe(true)
    expect(areShared([1, 4], [2, 3])).toBe(true)
  })

  test("has a PgBouncer to be tried with", ({ skip }) => {
    if (!hasPgBouncer) skip("No pgbouncer is on PATH: sessions through it were not tried.")
    expect(hasPgBouncer).toBe(true)
  })

  it.live.skipIf(!hasPgBouncer)("work in session mode, with the settings of each", () =>
    Effect.gen(function* () {
      const database = serviceOf(yield* testDatabase)
      const behind = yield* behindPgBouncer(database, "pool_mode=session\ndefault_pool_size=20")
      const account = anAccount()
      const found = yield* Effect.gen(function* () {
        const { commit, find } = yield* Store
        yield* commit({ writes: [{ op: "insert", kind: "account", record: account }] })
        return yield* find("account", account.id)
      }).pipe(Effect.provide(PostgresStore.layer(behind)))
      expect(found).toEqual(account)
    }).pipe(Effect.scoped),
  )

  for (const more of ["", "server_round_robin=1", "default_pool_size=1"]) {
    it.live.skipIf(!hasPgBouncer)(
      `are refused in transaction mode ${more}, but with a direct URL`,
      () =>
        Effect.gen(function* () {
          const database = serviceOf(yield* testDatabase)
          const behind = yield* behindPgBouncer(database, `pool_mode=transaction\n${more}`)
          const failure = yield* Effect.flip(open(behind))
          expect(failure.message).toMatch(
            /shares sessions between its clients.*PAYPORT_DATABASE_DIRECT_URL/,
          )
          expect(failure.message).not.toContain("\n")
          const account = anAccount()
          const found = yield* Effect.gen(function* () {
            const { commit, find } = yield* Store
            yield* commit({
              writes: [{ op: "insert", kind: "account", record: account }],
              audit: anAuditAct(),
            })
            return yield* find("account", account.id)
          }).pipe(Effect.provide(PostgresStore.layer({ ...behind, direct: database })))
          expect(found).toEqual(account)
        }).pipe(Effect.scoped),
    )
  }
})
