import { PgConnection } from "@effect/sql-pg"
import { it } from "@effect/vitest"
import { Context, Effect, Layer, Schedule } from "effect"
import { describe, expect } from "vitest"
import * as PostgresStore from "../../../adapters/postgres/PostgresStore.ts"
import { RateLeases } from "../../../core/ports/RateLeases.ts"
import { Store } from "../../../core/ports/Store.ts"
import { anAccount, anAuditAct } from "../../support/records.ts"
import {
  emptyDatabase,
  serviceOf,
  session,
  type TestDatabase,
  testDatabase,
} from "../../support/postgres.ts"
import { TransactionPooler } from "../../support/TransactionPooler.ts"

const behind = (database: TestDatabase) =>
  Effect.map(TransactionPooler.make(database), (place) => ({ ...database, ...place }))

const open = (settings: Parameters<typeof PostgresStore.layer>[0]) =>
  Layer.build(PostgresStore.layer(settings))

/** Finds locks that clients have left on sessions of the pooler. */
const KEPT = `SELECT pid FROM pg_locks WHERE locktype = 'advisory'
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
  AND pid <> ALL (ARRAY(SELECT pid FROM pg_stat_activity WHERE application_name = 'direct'))`
const OF_SESSION = `SELECT current_setting('statement_timeout') AS timeout,
  current_setting('enable_seqscan') AS scans,
  (SELECT count(*)::int FROM pg_prepared_statements) AS prepared,
  (SELECT count(*)::int FROM pg_listening_channels()) AS channels`

describe("a pooler that shares sessions", () => {
  it.live("is refused alone, with what to set", () =>
    Effect.gen(function* () {
      const failure = yield* Effect.flip(open(yield* behind(serviceOf(yield* testDatabase))))
      expect(failure.message).toMatch(/PAYPORT_DATABASE_DIRECT_URL .* or use pool_mode=session\.$/)
    }).pipe(Effect.scoped),
  )

  it.live("is used beside the server itself, and nothing stays in its sessions", () =>
    Effect.gen(function* () {
      const database = yield* emptyDatabase
      const pooled = yield* behind(database)
      const direct = { ...database, applicationName: "direct" }
      const [one, two] = [yield* open({ ...pooled, direct }), yield* open({ ...pooled, direct })]
      const { commit } = Context.get(one, Store)
      const { auditHead, find } = Context.get(two, Store)
      const accounts = Array.from({ length: 40 }, (_, n) => anAccount({ n: n + 1 }))
      yield* Effect.forEach(
        accounts,
        (record, n) =>
          commit({
            writes: [{ op: "insert", kind: "account", record }],
            ...(n % 10 === 0 && { audit: anAuditAct({ n: n + 1 }) }),
          }),
        { concurrency: "unbounded" },
      )
      const read = () =>
        Effect.forEach(accounts, ({ id }) => find("account", id), { concurrency: "unbounded" })
      expect(yield* read()).toEqual(accounts)
      expect((yield* auditHead()).sequence).toBe(4)
      // A change by the other process is noticed, although this one caches its reads.
      const [first = anAccount()] = accounts
      yield* commit({
        writes: [{ op: "replace", kind: "account", record: { ...first, name: "B" } }],
      })
      const renamed = find("account", first.id).pipe(
        Effect.repeat({ until: (found) => found?.name === "B", schedule: Schedule.spaced(20) }),
      )
      expect((yield* renamed)?.version).toBe(2)
      const leases = Context.get(two, RateLeases)
      const window = { account_id: first.id, rate_class: "standard", window: 60_000 } as const
      expect(yield* leases.lease([{ ...window, wanted: 5, limit: 9 }])).toEqual([
        { granted: 5, left: 4 },
      ])
      expect((yield* (yield* session(database)).query(KEPT)).rows).toEqual([])
      const asks = yield* PgConnection.make({ ...pooled, prepare: false })
      for (const _ of accounts) {
        const { rows } = yield* asks.query(OF_SESSION)
        expect(rows).toEqual([{ timeout: "0", scans: "on", prepared: 0, channels: 0 }])
      }
    }).pipe(Effect.scoped),
  )

  it.live("and a direct URL of another database are refused", () =>
    Effect.gen(function* () {
      const database = serviceOf(yield* testDatabase)
      const direct = serviceOf(yield* testDatabase)
      const failure = yield* Effect.flip(open({ ...(yield* behind(database)), direct }))
      expect(failure.message).toContain("leads to another database")
    }).pipe(Effect.scoped),
  )
})
