import { it } from "@effect/vitest"
import { Context, Effect, Fiber, Layer, Schedule } from "effect"
import { describe, expect } from "vitest"
import * as PostgresStore from "../../../adapters/postgres/PostgresStore.ts"
import { Store } from "../../../core/ports/Store.ts"
import { aFeeDay, aJournal, id, uuid } from "../../support/records.ts"
import { session, testDatabase } from "../../support/postgres.ts"

const row = (n: number, journal: number, amount: number, currency = "USD"): string =>
  `('${uuid(n)}', '${uuid(journal)}', 'captured', '${uuid(1)}', 'fx', 'wallet_a', '${currency}',
    ${amount}, '${uuid(1)}', NULL, '2026-01-01 00:00:00Z')`

const insert = (...rows: ReadonlyArray<string>): string =>
  `INSERT INTO postings VALUES ${rows.join(", ")}`

const refused = (sql: string) =>
  Effect.gen(function* () {
    const open = yield* session(yield* testDatabase)
    yield* open.query(insert(row(1, 1, 5), row(2, 1, -5)))
    const failure = yield* Effect.flip(open.query(sql))
    const { rows } = yield* open.query("SELECT sum(abs(amount))::int AS moved FROM postings")
    const totals = yield* open.query("SELECT count(*)::int AS n FROM ledger_totals")
    expect(rows).toStrictEqual([{ moved: 10 }])
    expect(totals.rows).toStrictEqual([{ n: 1 }])
    return failure
  })

describe("the table of postings, whoever speaks to it", () => {
  const changes = {
    update: "UPDATE postings SET amount = amount * 2",
    "an update of nothing": "UPDATE postings SET amount = 1 WHERE false",
    delete: "DELETE FROM postings",
    truncate: "TRUNCATE postings",
    "a replica's update": `SET session_replication_role = replica; DELETE FROM postings`,
  }
  for (const [name, sql] of Object.entries(changes)) {
    it.live(`takes no ${name}`, () => Effect.asVoid(refused(sql)))
  }

  const flaws = {
    "half a journal": insert(row(3, 2, 7)),
    "a journal that does not sum to zero": insert(row(3, 2, 7), row(4, 2, -6)),
    "two that do so together": insert(row(3, 2, 7), row(4, 3, -7)),
    "two currencies that sum to zero": insert(row(3, 2, 7), row(4, 2, -7, "EUR")),
    "a row of nothing": insert(row(3, 2, 0)),
  }
  for (const [name, sql] of Object.entries(flaws)) {
    it.live(`takes no ${name}`, () => Effect.asVoid(refused(sql)))
  }

  it.live("adds its days up in any zone", () =>
    Effect.gen(function* () {
      const open = yield* session(yield* testDatabase)
      yield* open.query("SET TimeZone = 'Pacific/Kiritimati'")
      yield* open.query(insert(row(1, 1, 5), row(2, 1, -5)))
      const { rows } = yield* open.query("SELECT day, amount::int, count::int FROM ledger_totals")
      expect(rows).toStrictEqual([{ day: "2026-01-01", amount: 0, count: 2 }])
    }),
  )
})

describe("the balances of accounts", () => {
  it.live("are added up by currency, posting by posting", () =>
    Effect.gen(function* () {
      const open = yield* session(yield* testDatabase)
      yield* open.query(insert(row(1, 1, 5), row(2, 1, -5)))
      yield* open.query(insert(row(3, 2, 7, "EUR"), row(4, 2, -7, "EUR")))
      yield* open.query(insert(row(5, 3, 9), row(6, 3, -9)))
      const { rows } = yield* open.query(
        "SELECT currency, amount::int, count::int FROM ledger_balances ORDER BY currency",
      )
      expect(rows).toStrictEqual([
        { currency: "EUR", amount: 0, count: 2 },
        { currency: "USD", amount: 0, count: 4 },
      ])
    }).pipe(Effect.scoped),
  )
})

const COMMITS = 150

/** Finds a session that waits for another one's rows. */
const BLOCKED = `SELECT FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock'`

describe("the sums of a day", () => {
  it.live("are right when two processes post for the same merchants at once", () =>
    Effect.gen(function* () {
      const database = yield* testDatabase
      const process = Effect.map(Layer.build(PostgresStore.layer(database)), Context.get(Store))
      const stores = yield* Effect.all([process, process])
      const commits = stores.flatMap((store, which) =>
        Array.from({ length: COMMITS }, (_, n) => {
          const merchants = which === 0 ? [1, 2, 3] : [3, 2, 1]
          const number = (which * COMMITS + n) * 3
          const postings = merchants.flatMap((merchant) =>
            aJournal({ n: number + merchant, account_id: id("acct", merchant), amount: 5 }),
          )
          const fee_days = merchants.map((merchant) =>
            aFeeDay({ n: merchant, account_id: id("acct", merchant) }),
          )
          return store.commit({ writes: [], postings, fee_days })
        }),
      )
      yield* Effect.all(commits, { concurrency: "unbounded", discard: true })
      for (const merchant of [1, 2, 3]) {
        const sums = yield* stores[0].listBalances(id("acct", merchant))
        expect(sums.map(({ amount, count }) => [amount, count])).toStrictEqual([
          [2 * COMMITS * 5, 2 * COMMITS],
          [-2 * COMMITS * 5, 2 * COMMITS],
        ])
      }
      const due = { limit: 10, lease: 1_000 }
      expect(yield* stores[1].claimDue("fee_day", Date.now() * 2, due)).toHaveLength(3)
    }).pipe(Effect.scoped),
  )

  it.live("are not taken as a day's fees while another fee of the day is being stored", () =>
    Effect.gen(function* () {
      const database = yield* testDatabase
      const process = Effect.map(Layer.build(PostgresStore.layer(database)), Context.get(Store))
      const [api, worker] = yield* Effect.all([process, process])
      const pays = (n: number) =>
        api.commit({ writes: [], postings: aJournal({ n, amount: 5 }), fee_days: [aFeeDay()] })
      const claim = worker.claimDue("fee_day", Date.now() * 2, { limit: 10, lease: 60_000 })
      yield* pays(1)
      const open = yield* session(database)
      const holding = yield* session(database)
      yield* holding.query("BEGIN")
      yield* holding.query("UPDATE ledger_totals SET count = count")
      const late = yield* Effect.forkScoped(pays(2))
      yield* open.query(BLOCKED, [], false).pipe(
        Effect.repeat({
          until: ({ rows }) => rows.length > 0,
          schedule: Schedule.spaced("20 millis"),
        }),
      )
      expect(yield* claim).toEqual([])
      yield* holding.query("ROLLBACK")
      yield* Fiber.join(late)
      expect(yield* claim).toHaveLength(1)
    }).pipe(Effect.scoped),
  )
})
