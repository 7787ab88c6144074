import { it } from "@effect/vitest"
import { Context, Effect, Layer, Redacted } from "effect"
import { Pool } from "pg"
import { describe, expect } from "vitest"
import type { HostSql } from "../../../adapters/postgres/commit/HostStatements.ts"
import * as PostgresStore from "../../../adapters/postgres/PostgresStore.ts"
import type { BeforeCommit } from "../../../adapters/shared/BeforeCommit.ts"
import { Store } from "../../../core/ports/Store.ts"
import {
  creation,
  deathOf,
  beforeCommitContract,
  type HookedStore,
} from "../../../apps/payport/testing/beforeCommitContract.ts"
import { CuttingProxy } from "../../support/CuttingProxy.ts"
import {
  emptiedDatabase,
  ownerOf,
  serviceOf,
  session,
  type TestDatabase,
} from "../../support/postgres.ts"
import { anAuditAct, id } from "../../support/records.ts"
import { runContract } from "../../support/runContract.ts"

const SHOP = `CREATE SCHEMA IF NOT EXISTS shop;
  CREATE TABLE IF NOT EXISTS shop.orders (
    id serial, note text UNIQUE DEFERRABLE INITIALLY DEFERRED
  );
  GRANT USAGE ON SCHEMA shop TO PUBLIC; GRANT ALL ON shop.orders, shop.orders_id_seq TO PUBLIC;
  TRUNCATE shop.orders`

const CLASH = `CREATE OR REPLACE FUNCTION shop.clash() RETURNS int LANGUAGE plpgsql AS
  'BEGIN RAISE EXCEPTION USING ERRCODE = ''40001''; END'`

let database: TestDatabase

const admin = <A>(
  sql: string,
  map: (rows: ReadonlyArray<{ readonly [name: string]: unknown }>) => A,
) =>
  Effect.scoped(
    Effect.flatMap(session(database), (connection) =>
      Effect.map(connection.query(sql), ({ rows }) => map(rows)),
    ),
  ).pipe(Effect.orDie)

/** A pool of the host's, as long as the scope is open. */
const aPool = ({ database: name, host: at, password, port, username }: TestDatabase) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const secret = Redacted.value(password ?? Redacted.make(""))
      const pool = new Pool({ host: at, port, database: name, user: username, password: secret })
      return pool.on("error", () => undefined)
    }),
    (pool) => Effect.promise(() => pool.end()),
  )

/** The store's connection to the database: direct, through a proxy, or over the host's pool. */
type Over = { readonly port?: number } | "pool"

const openWith = (hook: BeforeCommit<HostSql>, over: Over = {}) =>
  Effect.gen(function* () {
    database = yield* emptiedDatabase
    for (const statement of SHOP.split(";")) yield* admin(statement, () => undefined)
    const service = serviceOf(database)
    const proxied = over === "pool" ? {} : { host: "127.0.0.1", ...over }
    const place =
      over === "pool"
        ? { pool: yield* aPool(ownerOf(database)) }
        : { ...service, ...(over.port !== undefined && proxied) }
    const layer = PostgresStore.layer(place, { beforeCommit: hook })
    return Context.get(yield* Layer.build(layer), Store)
  }).pipe(Effect.orDie)

const adding = (sql: HostSql) => (note: string) =>
  sql("INSERT INTO shop.orders (note) VALUES ($1)", [note])

const host: HookedStore = {
  open: (hook) => openWith({ ...hook, run: (change, sql) => hook.run(change, adding(sql)) }),
  rows: Effect.suspend(() =>
    admin("SELECT note FROM shop.orders ORDER BY id", (rows) =>
      rows.map(({ note }) => String(note)),
    ),
  ),
}

runContract("PostgreSQL", beforeCommitContract(host))

const payments = (run: BeforeCommit<HostSql>["run"], within?: number): BeforeCommit<HostSql> => ({
  kinds: ["payment_intent"],
  run,
  within,
})

const check = (name: string, test: Effect.Effect<unknown, unknown>) =>
  it.live(name, () => test.pipe(Effect.asVoid))

describe("statements of a hook", () => {
  check(
    "read and write in the commit's transaction, one after the other",
    Effect.gen(function* () {
      const seen: Array<unknown> = []
      const store = yield* openWith(
        payments(async (_, sql) => {
          await Promise.all([adding(sql)("one"), adding(sql)("two")])
          seen.push(
            ...(await sql("SELECT count(*)::int AS many, $1::text AS said FROM shop.orders", [
              "x",
            ])),
          )
        }),
      )
      yield* store.commit({ ...creation(), audit: anAuditAct() })
      expect(seen).toEqual([{ many: 2, said: "x" }])
      expect(yield* host.rows).toEqual(["one", "two"])
    }).pipe(Effect.scoped),
  )

  const ending = [
    "COMMIT",
    "ROLLBACK",
    "  -- a comment\n /* and one */ ; end",
    "/* a comment /* with one in it */ SELECT 1 */ COMMIT",
    "SAVEPOINT mine",
    "SET search_path = shop",
    "SELECT 1; COMMIT",
    "LISTEN payport",
  ]
  const overs: ReadonlyArray<readonly [string, Over]> = [
    ["", {}],
    [" over a host's pool", "pool"],
  ]
  for (const [name, over] of overs) {
    check(
      `go as they are written${name}`,
      Effect.gen(function* () {
        const note = "support@payport.example, 'payport_changes'"
        const store = yield* openWith(
          payments(async (_, sql) => {
            await sql(`INSERT INTO shop.orders (note) VALUES ('${note.replaceAll("'", "''")}')`)
          }),
          over,
        )
        yield* store.commit(creation())
        expect(yield* host.rows).toEqual([note])
      }).pipe(Effect.scoped),
    )

    check(
      `end no transaction${name}, whatever the hook makes of it`,
      Effect.gen(function* () {
        let text = ""
        const store = yield* openWith(
          payments(async (_, sql) => {
            if (text === "") return
            await adding(sql)("gone")
            await sql(text).catch(() => undefined)
          }),
          over,
        )
        for (text of ending) {
          const death = yield* deathOf(store.commit(creation()))
          expect(death, text).toMatchObject({ _tag: "HookFailed" })
          expect(yield* host.rows, text).toEqual([])
        }
        text = ""
        yield* store.commit(creation())
        expect(yield* store.find("payment_intent", id("pi", 1))).toBeDefined()
      }).pipe(Effect.scoped),
    )
  }

  check(
    "that fail, or still run when its time is over, take the commit with them",
    Effect.gen(function* () {
      let text = "INSERT INTO shop.nowhere VALUES (1)"
      const store = yield* openWith(
        payments(async (_, sql) => {
          await adding(sql)("gone")
          await sql(text).catch(() => undefined)
        }, 2_000),
      )
      const failed = yield* deathOf(store.commit(creation()))
      expect(failed).toMatchObject({ message: expect.stringMatching(/shop.nowhere/) })
      text = "SELECT pg_sleep(20)"
      const late = yield* deathOf(store.commit(creation()))
      expect(late).toMatchObject({ message: "beforeCommit took longer than 2000 ms." })
      expect(yield* store.find("payment_intent", id("pi", 1))).toBeUndefined()
      text = "SELECT 1"
      yield* store.commit(creation())
      expect(yield* host.rows).toEqual(["gone"])
    }).pipe(Effect.scoped),
  )

  check(
    "that other work or the end of a session ends are no fault of the host's",
    Effect.gen(function* () {
      let runs = 0
      let first = "SELECT shop.clash()"
      const store = yield* openWith(
        payments(async (_, sql) => {
          runs += 1
          await adding(sql)(`run ${runs}`)
          if (runs % 2 === 1) await sql(first)
        }),
      )
      yield* admin(CLASH, () => undefined)
      yield* store.commit(creation())
      expect(yield* host.rows).toEqual(["run 2"])
      first = "SELECT pg_terminate_backend(pg_backend_pid())"
      const ended = yield* Effect.flip(store.commit(creation(2)))
      expect(ended).toMatchObject({ _tag: "StoreUnavailable", outcome: "not_stored" })
      yield* store.commit(creation(2))
      expect(yield* host.rows).toEqual(["run 2", "run 4"])
    }).pipe(Effect.scoped),
  )

  check(
    "that are refused at the end of the transaction leave nothing of either",
    Effect.gen(function* () {
      const store = yield* openWith(payments((_, sql) => adding(sql)("same").then(() => undefined)))
      yield* store.commit(creation(1))
      const death = yield* deathOf(store.commit(creation(2)))
      expect(death).toMatchObject({ message: expect.stringMatching(/COMMIT was refused/) })
      expect(yield* store.find("payment_intent", id("pi", 2))).toBeUndefined()
      expect(yield* host.rows).toEqual(["same"])
    }).pipe(Effect.scoped),
  )
})

describe("a connection that breaks at the end of a hooked commit", () => {
  for (const at of ["request", "answer"] as const) {
    check(
      `before the ${at}: the rows are there exactly once`,
      Effect.gen(function* () {
        database = yield* emptiedDatabase
        const proxy = yield* CuttingProxy.make(database)
        let runs = 0
        const store = yield* openWith(
          payments((_, sql) => adding(sql)(`run ${(runs += 1)}`).then(() => undefined)),
          { port: proxy.port },
        )
        yield* store.commit(creation(1))
        proxy.cutAt(at, "COMMIT\0")
        yield* store.commit(creation(2))
        expect(runs).toBe(3)
        const second = at === "request" ? "run 3" : "run 2"
        expect(yield* host.rows).toEqual(["run 1", second])
        expect(yield* store.find("payment_intent", id("pi", 2))).toBeDefined()
      }).pipe(Effect.scoped),
    )
  }
})
