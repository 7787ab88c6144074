import { it } from "@effect/vitest"
import { Effect } from "effect"
import { describe, expect } from "vitest"
import { uuid } from "../../support/records.ts"
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
