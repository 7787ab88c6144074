import { it } from "@effect/vitest"
import { Context, Effect, Fiber, Layer, Schedule } from "effect"
import { expect } from "vitest"
import { HISTORY_TABLES, openHistory } from "../../../adapters/postgres/history.ts"
import * as PostgresStore from "../../../adapters/postgres/PostgresStore.ts"
import { heardAgain } from "../../../core/gateway/HeardCallback.ts"
import { Store } from "../../../core/ports/Store.ts"
import { drawnAt } from "../../../core/shared/Id.ts"
import { DAY } from "../../../core/shared/Timestamp.ts"
import { aCallback, T0 } from "../../support/records.ts"
import { emptyDatabase, ownerOf, session, testDatabase } from "../../support/postgres.ts"

it.live("shows a message the same when its channel repeats it days later", () =>
  Effect.gen(function* () {
    const database = yield* testDatabase
    const store = Context.get(yield* Layer.build(PostgresStore.layer(database)), Store)
    const heard = aCallback()
    yield* store.commit({ writes: [{ op: "insert", kind: "callback", record: heard }] })
    const history = yield* openHistory(ownerOf(database))
    const table = HISTORY_TABLES.find(({ name }) => name === "callbacks")
    if (table === undefined) return expect.unreachable("messages are history")
    const day = Math.floor(drawnAt(heard.id) / DAY) * DAY
    const read = Effect.scoped(Effect.flatMap(history.open(table, day), ({ next }) => next))
    const before = yield* read
    expect(before).toHaveLength(1)
    const record = heardAgain(heard, T0 + 3 * DAY)
    yield* store.commit({ writes: [{ op: "replace", kind: "callback", record }] })
    expect(yield* read).toStrictEqual(before)
  }).pipe(Effect.scoped),
)

const SCANS = `SELECT seq_scan::int AS whole, idx_scan::int AS found
  FROM pg_stat_user_tables WHERE relname = 'usage_records'`

it.live("reads a day of reports of use without the others", () =>
  Effect.gen(function* () {
    const database = yield* testDatabase
    const admin = yield* session(database)
    yield* admin.query(
      `INSERT INTO usage_records (id, version, account_id, service_id, tab, period, agent_id,
          quantity, occurred_at, idempotency_key, created_at)
        SELECT gen_random_uuid(), 1, gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 1,
          'agent', 1, at, n::text, at
        FROM generate_series(0, 19999) AS n, LATERAL (
          SELECT to_timestamp($1::float8) + n * interval '3 minutes' AS at) AS each`,
      [T0 / 1_000],
    )
    yield* admin.query("ANALYZE usage_records")
    const scans = admin
      .query("SELECT pg_stat_clear_snapshot()")
      .pipe(Effect.andThen(admin.query(SCANS, [], false)))
    yield* admin.query("SELECT pg_stat_force_next_flush()")
    const [before] = (yield* scans).rows
    const table = HISTORY_TABLES.find(({ name }) => name === "usage_records")
    if (table === undefined) return expect.unreachable("reports of use are history")
    const day = Math.floor(T0 / DAY) * DAY
    yield* Effect.scoped(
      Effect.gen(function* () {
        const history = yield* openHistory(ownerOf(database))
        expect(yield* history.firstDay(table)).toBe(day)
        const rows = yield* Effect.scoped(
          Effect.flatMap(history.open(table, day + DAY), ({ next }) => next),
        )
        expect(rows).toHaveLength(480)
      }),
    )
    // The session that read has told its scans once it has ended.
    const after = yield* Effect.repeat(scans, {
      until: ({ rows: [row] }) => Number(row?.["found"]) >= Number(before?.["found"]) + 2,
      times: 1_000,
      schedule: Schedule.spaced("20 millis"),
    })
    expect(after.rows[0]?.["whole"]).toBe(before?.["whole"])
  }).pipe(Effect.scoped),
)

it.live("is open for one at a time, and for the next one once that has ended", () =>
  Effect.gen(function* () {
    const database = yield* testDatabase
    const open = openHistory(ownerOf(database))
    const first = yield* Effect.forkChild(Effect.scoped(Effect.andThen(open, Effect.never)))
    const locks = yield* session(database)
    // Other tests' databases of the same server have locks, too.
    const held = locks.query(
      `SELECT FROM pg_locks JOIN pg_database ON pg_database.oid = database
        WHERE datname = current_database() AND locktype = 'advisory' AND granted`,
      [],
      false,
    )
    yield* Effect.repeat(held, {
      until: ({ rows }) => rows.length > 0,
      schedule: Schedule.spaced("20 millis"),
    })
    const second = yield* Effect.flip(Effect.scoped(open))
    expect(second.message).toContain("Another archive of this database is being written")
    // Within the seconds that a killed run's session may stay.
    const third = yield* Effect.forkChild(Effect.scoped(Effect.flatMap(open, ({ now }) => now)))
    yield* Fiber.interrupt(first)
    expect(yield* Fiber.join(third)).toBeGreaterThan(T0)
  }).pipe(Effect.scoped),
)

it.live("says of a database without payport's tables what to do", () =>
  Effect.gen(function* () {
    const database = yield* emptyDatabase
    const [table] = HISTORY_TABLES
    if (table === undefined) return expect.unreachable("there is a history")
    const direct = ownerOf(database)
    const history = yield* openHistory({ ...direct, host: "pooler.example", direct })
    const { message } = yield* Effect.flip(history.firstDay(table))
    expect(message).toContain(`at ${direct.host}:${direct.port}/`)
    expect(message).toContain("finds there no tables of payport")
    expect(message).toContain("payport migrate")
  }).pipe(Effect.scoped),
)
