import { it } from "@effect/vitest"
import { Context, Effect, Layer, Queue } from "effect"
import { describe, expect, test } from "vitest"
import { chooseSchema, flawOfName, ourSchema } from "../../../adapters/postgres/OurSchema.ts"
import * as PostgresStore from "../../../adapters/postgres/PostgresStore.ts"
import { RateLeases } from "../../../core/ports/RateLeases.ts"
import { Store } from "../../../core/ports/Store.ts"
import { anAccount, anAuditAct } from "../../support/records.ts"
import { emptyDatabase, serviceOf, session, type TestDatabase } from "../../support/postgres.ts"

describe("the name of a schema", () => {
  test.each(["payport", "My Schema", "PAYPORT", "zahlungen_ä", "a-b", "_1"])(
    "may be %s",
    (name) => {
      expect(flawOfName(name)).toBeUndefined()
    },
  )

  test.each([
    ["", /letters/],
    ['a"b', /letters/],
    ["a'b", /letters/],
    ["a;b", /letters/],
    ["$payport$", /letters/],
    ["a\\b", /letters/],
    ["a\u0000b", /letters/],
    ["a.b", /letters/],
    ["1a", /begins with a letter/],
    ["ä".repeat(32), /at most 63 bytes/],
    ["pg_temp", /PostgreSQL keeps/],
    ["information_schema", /PostgreSQL keeps/],
  ])("may not be %j", (name, said) => expect(flawOfName(name)).toMatch(said))

  test("stands in statements wherever ours is named", () => {
    const { channel, place } = ourSchema("My Schema")
    expect(place("SELECT a.x, payport.f() FROM payport.a JOIN own_payport.b")).toBe(
      'SELECT a.x, "My Schema".f() FROM "My Schema".a JOIN own_payport.b',
    )
    expect(place("pg_notify('payport_changes', 'x')")).toBe(`pg_notify('${channel}', 'x')`)
  })

  test("has locks and a channel that no other has, and those of before in public", () => {
    const [one, other] = [ourSchema("one"), ourSchema("other")]
    expect(one.channel).not.toBe(other.channel)
    expect(one.lock(7_296_015_431)).not.toBe(other.lock(7_296_015_431))
    expect(BigInt.asIntN(64, BigInt(one.lock(7_296_015_431))).toString()).toBe(
      one.lock(7_296_015_431),
    )
    expect(ourSchema("public")).toMatchObject({ channel: "payport_changes", number: 0 })
    expect(ourSchema("public").lock(7_296_015_431)).toBe("7296015431")
  })

  test.each([
    [undefined, [], "payport"],
    [undefined, ["public"], "public"],
    [undefined, ["other", "payport", "public"], "payport"],
    [undefined, ["other"], /in the schema other. Set PAYPORT_DATABASE_SCHEMA/],
    ["other", ["payport"], "other"],
    ["pg_x", [], /PostgreSQL keeps/],
  ] as const)("is %j where %j hold a payport: %s", (wanted, found, expected) => {
    const chosen = chooseSchema(wanted, found)
    const said = chosen._tag === "Success" ? chosen.success : chosen.failure
    if (typeof expected === "string") expect(said).toBe(expected)
    else expect([chosen._tag, said]).toEqual(["Failure", expect.stringMatching(expected)])
  })
})

/** A search path to other tables, and to a function with the name of a built-in one. */
const HOSTILE = { startupOptions: "-csearch_path=theirs,public" }

const opened = (database: TestDatabase, schema: string) =>
  Layer.build(PostgresStore.layer({ ...database, ...HOSTILE, schema }))

const strangers = (database: TestDatabase) =>
  Effect.scoped(
    Effect.gen(function* () {
      const admin = yield* session(database)
      yield* admin.query("CREATE SCHEMA theirs AUTHORIZATION payport")
      for (const name of ["accounts", "events", "payport_schema", "counters", "audit_head"]) {
        yield* admin.query(`CREATE TABLE theirs.${name} (mine text)`)
        yield* admin.query(`CREATE TABLE public.${name} (mine text)`)
      }
    }),
  )

describe("two payports in one database", () => {
  it.live("work side by side, whatever the search path, and a role that owns nothing too", () =>
    Effect.gen(function* () {
      const database = yield* emptyDatabase
      yield* strangers(database)
      const service = serviceOf(database)
      const schemas = ["My Schema", "PAYPORT"]
      const worlds: Array<Context.Context<Store | RateLeases>> = []
      for (const schema of schemas) {
        yield* PostgresStore.migrateAs({ ...database, ...HOSTILE, schema }, service)
        worlds.push(yield* opened(service, schema))
      }
      const account = anAccount()
      const window = { account_id: account.id, rate_class: "standard", window: 60_000 } as const
      for (const world of worlds) {
        const { auditHead, commit, find } = Context.get(world, Store)
        // The same record, key and place in the audit log: each has its own.
        yield* commit({
          writes: [{ op: "insert", kind: "account", record: account }],
          keys: [{ op: "claim", key: "one", owner: account.id }],
          audit: anAuditAct(),
        })
        expect(yield* find("account", account.id)).toEqual(account)
        expect((yield* auditHead()).sequence).toBe(1)
        const leased = Context.get(world, RateLeases).lease([{ ...window, wanted: 7, limit: 7 }])
        expect(yield* leased).toEqual([{ granted: 7, left: 0 }])
      }
      const { rows } = yield* (yield* session(database)).query(
        "SELECT (SELECT count(*) FROM theirs.accounts) + (SELECT count(*) FROM public.events) AS n",
      )
      expect(rows).toEqual([{ n: 0n }])
    }).pipe(Effect.scoped),
  )

  it.live("do not hear each other, nor wait for each other's turn or migration", () =>
    Effect.gen(function* () {
      const database = yield* emptyDatabase
      const [one] = [yield* opened(database, "one"), yield* opened(database, "two")]
      const { commit } = Context.get(one, Store)
      const admin = yield* session(database)
      for (const base of [7_296_015_431, 7_296_015_432]) {
        yield* admin.query(`SELECT pg_advisory_lock(${ourSchema("two").lock(base)})`)
      }
      const listener = yield* session(database)
      const notices = yield* listener.listen(ourSchema("two").channel)
      const account = anAccount()
      yield* commit({
        writes: [{ op: "insert", kind: "account", record: account }],
        audit: anAuditAct(),
      })
      yield* Effect.scoped(opened(database, "one"))
      yield* admin.query("SELECT pg_notify($1, 'the first')", [ourSchema("two").channel])
      expect((yield* Queue.take(notices)).payload).toBe("the first")
    }).pipe(Effect.scoped),
  )
})
