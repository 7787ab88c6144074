import { PgConnection } from "@effect/sql-pg"
import { it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { describe, expect } from "vitest"
import { COMMIT_FUNCTION } from "../../../adapters/postgres/commit/commitFunction.ts"
import { DatabaseUnusable } from "../../../adapters/postgres/DatabaseUnusable.ts"
import * as PostgresStore from "../../../adapters/postgres/PostgresStore.ts"
import { insert } from "../../../apps/payport/testing/store/probe.ts"
import { contentOf, NO_ENTRY } from "../../../core/audit/AuditEntry.ts"
import { Store } from "../../../core/ports/Store.ts"
import { aJournal, anAuditAct, aService } from "../../support/records.ts"
import {
  emptyDatabase,
  ownerOf,
  serviceOf,
  session,
  type TestDatabase,
  testDatabase,
} from "../../support/postgres.ts"

const start = (database: TestDatabase, schema: PostgresStore.SchemaOwner = {}) =>
  Effect.scoped(Layer.build(PostgresStore.layer(database, schema)))

/** PostgreSQL's code for a right that is missing. */
const NOT_ALLOWED = "42501"

const codeOf = (error: { readonly reason: { readonly cause: unknown } }): unknown =>
  typeof error.reason.cause === "object" && error.reason.cause !== null
    ? Reflect.get(error.reason.cause, "code")
    : undefined

const KEPT = ["audit_entries", "audit_head", "postings", "ledger_totals", "ledger_balances"]

const REFUSED: ReadonlyArray<string> = [
  ...KEPT.flatMap((table) => [
    `DELETE FROM ${table}`,
    `TRUNCATE ${table}`,
    `TRUNCATE ${table} CASCADE`,
    `DROP TABLE ${table}`,
    `ALTER TABLE ${table} DISABLE TRIGGER ALL`,
    `ALTER TABLE ${table} OWNER TO CURRENT_USER`,
    `DO $$ BEGIN LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE; END $$`,
    `CREATE TRIGGER mine BEFORE INSERT ON ${table} FOR EACH ROW
      EXECUTE FUNCTION suppress_redundant_updates_trigger()`,
    `CREATE RULE mine AS ON INSERT TO ${table} DO INSTEAD NOTHING`,
  ]),
  "UPDATE audit_entries SET target = 'else'",
  "UPDATE audit_head SET sequence = 0",
  "INSERT INTO audit_head (sequence, hash) VALUES (9, repeat('0', 64))",
  "UPDATE postings SET amount = 1",
  "UPDATE ledger_totals SET amount = 1",
  "INSERT INTO ledger_closings VALUES (gen_random_uuid(), gen_random_uuid())",
  "DROP TRIGGER audit_kept ON audit_entries",
  "DROP TRIGGER postings_kept ON postings",
  "SET session_replication_role = replica",
  "INSERT INTO payport_schema (id, name) VALUES (2, 'mine')",
  "CREATE TABLE mine (n int)",
  "CREATE SCHEMA mine",
  "ALTER FUNCTION payport_audit_chained() SECURITY INVOKER",
  `CREATE OR REPLACE FUNCTION payport_audit_kept() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RETURN NULL; END $$`,
  `CREATE OR REPLACE FUNCTION payport_postings_kept() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RETURN NULL; END $$`,
  `DO $$ BEGIN EXECUTE format('DROP FUNCTION %s', '${COMMIT_FUNCTION}'); END $$`,
  ...["payport_audit_chained", "payport_postings_added"].map(
    (name) => `DO $$ BEGIN
      CREATE TEMP TABLE IF NOT EXISTS mine (n int);
      CREATE TRIGGER mine BEFORE INSERT ON mine FOR EACH ROW EXECUTE FUNCTION ${name}();
    END $$`,
  ),
  "SET ROLE payport",
  "GRANT payport TO CURRENT_USER",
]

describe("the role of the service", () => {
  it.live("is refused whatever would cut the audit log or the ledger", () =>
    Effect.gen(function* () {
      const open = yield* PgConnection.make(yield* testDatabase)
      for (const sql of REFUSED) {
        expect([sql, codeOf(yield* Effect.flip(open.query(sql)))]).toEqual([sql, NOT_ALLOWED])
      }
    }),
  )

  it.live("owns nothing, and has rights on every table", () =>
    Effect.gen(function* () {
      const open = yield* PgConnection.make(yield* testDatabase)
      const { rows } = yield* open.query(`SELECT
        (SELECT count(*)::int FROM pg_shdepend
          WHERE refobjid = current_user::regrole AND deptype = 'o') AS owned,
        array(SELECT relname::text FROM pg_class WHERE relkind = 'r'
          AND relnamespace = 'payport'::regnamespace AND NOT has_table_privilege(oid, 'SELECT')
        ) AS unreadable,
        array(SELECT relname::text FROM pg_class WHERE relkind = 'r'
          AND relnamespace = 'payport'::regnamespace AND NOT has_table_privilege(oid, 'DELETE')
          ORDER BY relname) AS kept`)
      expect(rows).toEqual([
        {
          owned: 0,
          unreadable: [],
          kept: [...KEPT, "ledger_closings", "payport_schema"].toSorted(),
        },
      ])
    }),
  )

  it.live("cannot lead a trigger astray by tables of its own", () =>
    Effect.gen(function* () {
      const database = yield* testDatabase
      const open = yield* PgConnection.make(database)
      yield* open.query("CREATE TEMP TABLE audit_head AS SELECT * FROM payport.audit_head")
      const entry = anAuditAct()(NO_ENTRY)
      const { action, actor, hash, previous_hash, sequence, signature, target } = entry
      yield* open.query(
        `INSERT INTO audit_entries (id, sequence, previous_hash, hash, signature, action, actor,
          target, content) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
        [entry.id.slice("aud_".length), sequence, previous_hash, hash, signature].concat([
          action,
          actor,
          target,
          contentOf(entry),
        ]),
      )
      const admin = yield* session(database)
      const { rows } = yield* admin.query("SELECT sequence::int FROM audit_head")
      expect(rows).toEqual([{ sequence: 1 }])
    }),
  )
})

describe("a start", () => {
  it.live("as a role that owns nothing only looks, and says what to run", () =>
    Effect.gen(function* () {
      const database = yield* emptyDatabase
      const service = serviceOf(database)
      const empty = yield* Effect.flip(start(service))
      expect(empty).toBeInstanceOf(DatabaseUnusable)
      expect(empty.message).toContain(
        "or use `payport migrate` (in a clone `node apps/server/main.ts",
      )
      expect(empty.message).not.toContain("\n")
      yield* PostgresStore.migrateAs(database, service)
      yield* start(service, { mustOwnNothing: true })
      const admin = yield* session(database)
      yield* admin.query(`ALTER FUNCTION ${COMMIT_FUNCTION} RENAME TO payport_commit_before`)
      const behind = (yield* Effect.flip(start(service))).message
      expect(behind).toContain("is older than this version of payport")
      yield* PostgresStore.migrateAs(database, service).pipe(Effect.ignore)
    }).pipe(Effect.scoped),
  )

  it.live("as a role that lacks rights names them, and what to run", () =>
    Effect.gen(function* () {
      const database = yield* testDatabase
      const admin = yield* session(database)
      const says = Effect.map(Effect.flip(start(database)), ({ message }) => message)
      const todo =
        " (in a clone `node apps/server/main.ts migrate`) with PAYPORT_MIGRATION_URL, or embedded" +
        " postgres({ url, migrationUrl }): the URL of the owner."
      yield* admin.query("REVOKE INSERT, UPDATE ON refunds FROM payport_service")
      yield* admin.query("REVOKE INSERT ON postings FROM payport_service")
      yield* admin.query(
        "REVOKE EXECUTE ON FUNCTION payport_close_books(uuid) FROM payport_service",
      )
      expect(yield* says).toBe(
        "The role payport_service lacks rights in the schema payport: EXECUTE on" +
          " payport_close_books; INSERT on postings; INSERT, UPDATE on refunds. Use" +
          ` \`payport migrate\`${todo}`,
      )
      yield* PostgresStore.migrateAs(ownerOf(database), serviceOf(database))
      yield* start(database, { mustOwnNothing: true })
      yield* admin.query("REVOKE ALL ON ALL TABLES IN SCHEMA payport FROM payport_service")
      expect(yield* says).toMatch(/; .*; .* and rights on \d+ more\. Use `payport migrate` /)
    }).pipe(Effect.scoped),
  )

  it.live("as a role that owns nothing works where functions are nobody's by default", () =>
    Effect.gen(function* () {
      const database = yield* emptyDatabase
      const { username } = ownerOf(database)
      const admin = yield* session(database)
      yield* admin.query(
        `ALTER DEFAULT PRIVILEGES FOR ROLE ${username} REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC`,
      )
      yield* PostgresStore.migrateAs(ownerOf(database), serviceOf(database))
      const layer = PostgresStore.layer(serviceOf(database), { mustOwnNothing: true })
      const { commit } = Context.get(yield* Layer.build(layer), Store)
      yield* commit({
        writes: [insert("service", aService())],
        postings: aJournal({ n: 1, amount: 699 }),
        audit: anAuditAct(),
      })
      yield* admin.query(`REVOKE EXECUTE ON FUNCTION ${COMMIT_FUNCTION} FROM payport_service`)
      yield* PostgresStore.migrateAs(ownerOf(database), serviceOf(database))
      yield* start(serviceOf(database), { mustOwnNothing: true })
    }).pipe(Effect.scoped),
  )

  it.live("as the owner is refused where the role has to own nothing", () =>
    Effect.gen(function* () {
      const owner = ownerOf(yield* testDatabase)
      yield* start(owner)
      const failure = yield* Effect.flip(start(owner, { mustOwnNothing: true }))
      expect(failure.message).toMatch(/^The role payport of PAYPORT_DATABASE_URL owns /)
      const empty = yield* emptyDatabase
      expect((yield* Effect.flip(start(empty, { mustOwnNothing: true }))).message).toBe(
        failure.message,
      )
    }),
  )

  it.live("as a role that may put names before the schema's is refused", () =>
    Effect.gen(function* () {
      const database = yield* testDatabase
      const admin = yield* session(database)
      yield* admin.query("GRANT CREATE ON SCHEMA payport TO PUBLIC, payport_service")
      yield* start(database, { owner: ownerOf(database) })
      const failure = yield* Effect.flip(start(database, { mustOwnNothing: true }))
      expect(failure.message).toContain(
        "The role payport_service of PAYPORT_DATABASE_URL may create",
      )
      yield* admin.query("REVOKE CREATE ON SCHEMA payport FROM PUBLIC")
      yield* start(database, { mustOwnNothing: true })
    }),
  )

  it.live("takes away what an earlier version granted, and misses no role", () =>
    Effect.gen(function* () {
      const database = yield* testDatabase
      const admin = yield* session(database)
      yield* admin.query("GRANT ALL ON audit_entries TO payport_service")
      yield* start(database, { owner: ownerOf(database) })
      const open = yield* PgConnection.make(database)
      const error = yield* Effect.flip(open.query("DELETE FROM audit_entries"))
      expect(codeOf(error)).toBe(NOT_ALLOWED)
      const nobody = { ...database, username: "nobody_here" }
      const failure = yield* Effect.flip(PostgresStore.migrateAs(ownerOf(database), nobody))
      expect(failure.message).toContain("The role nobody_here of PAYPORT_DATABASE_URL")
    }),
  )
})
