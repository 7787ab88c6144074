import { it } from "@effect/vitest"
import { Context, Effect, Layer, Result } from "effect"
import { describe, expect } from "vitest"
import { ourSchema } from "../../../adapters/postgres/OurSchema.ts"
import * as PostgresStore from "../../../adapters/postgres/PostgresStore.ts"
import { type AuditHead, brokenAt, NO_ENTRY } from "../../../core/audit/AuditEntry.ts"
import { Store, type Write } from "../../../core/ports/Store.ts"
import { anAccount, anAuditAct, auditor, uuid } from "../../support/records.ts"
import { ownerOf, session, testDatabase } from "../../support/postgres.ts"

/** The n-th entry as it is inserted behind `head`, with other things in its content or columns. */
const row = (n: number, head: AuditHead, content: object = {}, columns: object = {}) => {
  const said = { id: `aud_${uuid(n)}`, action: "account.created", actor: "operator", target: "x" }
  const text = JSON.stringify({ ...said, ...content })
  const sequence = head.sequence + 1
  const place = { sequence, previous_hash: head.hash }
  const hash = auditor.sha256(`${head.hash}\n${sequence}\n${text}`)
  const own = { signature: auditor.sign(hash), content: text }
  return { ...said, id: uuid(n), ...place, hash, ...own, ...columns }
}

const first = row(1, NO_ENTRY)
const second = row(2, first)

const insert = (...rows: ReadonlyArray<object>): string =>
  `INSERT INTO audit_entries (${Object.keys(first).join(", ")}) VALUES ${rows
    .map(
      (one) =>
        `(${Object.values(one)
          .map((value) => `'${String(value)}'`)
          .join(", ")})`,
    )
    .join(", ")}`

describe("the table of the audit log, whoever speaks to it", () => {
  const refusals = {
    update: "UPDATE audit_entries SET actor = 'else'",
    "an update of nothing": "UPDATE audit_entries SET actor = 'else' WHERE false",
    delete: "DELETE FROM audit_entries",
    truncate: "TRUNCATE audit_entries",
    "a head that moves by itself": "UPDATE audit_head SET sequence = 0",
    "another head": "DELETE FROM audit_head",
    "a second head": "INSERT INTO audit_head (sequence, hash) VALUES (9, repeat('0', 64))",
    "no head": "TRUNCATE audit_head",
    "columns that say other things than the content": insert(row(9, second, { actor: "else" })),
    "an entry without content": insert(row(9, second, {}, { content: "{}" })),
    "an entry behind another": insert(row(9, first)),
    "an entry with a hole before it": insert(row(9, { ...second, sequence: 3 })),
    "an entry with another hash": insert(row(9, second, {}, { hash: "0".repeat(64) })),
    "an entry without a signature": insert(row(9, second, {}, { signature: "" })),
  }
  for (const [name, sql] of Object.entries(refusals)) {
    it.live(`takes no ${name}`, () =>
      Effect.gen(function* () {
        const open = yield* session(yield* testDatabase)
        yield* open.query(insert(first, second))
        yield* Effect.flip(open.query(sql))
        const { rows } = yield* open.query(
          `SELECT sequence::int, hash = (SELECT hash FROM audit_head) AS last,
            previous_hash = coalesce(lag(hash) OVER (ORDER BY sequence), repeat('0', 64)) AS follows
          FROM audit_entries ORDER BY sequence`,
        )
        expect(rows).toStrictEqual([
          { sequence: 1, last: false, follows: true },
          { sequence: 2, last: true, follows: true },
        ])
      }),
    )
  }
})

const ACTS = 90

describe("the chain", () => {
  it.live("is one when two processes act at once, some of them in vain", () =>
    Effect.gen(function* () {
      const database = yield* testDatabase
      const process = Effect.map(Layer.build(PostgresStore.layer(database)), Context.get(Store))
      const stores = yield* Effect.all([process, process])
      const accounts = Array.from({ length: ACTS }, (_, n) => anAccount({ n: n + 1 }))
      yield* stores[0].commit({
        writes: accounts.map((record) => ({ op: "insert", kind: "account", record })),
      })
      const acts = stores.flatMap((store, which) =>
        Array.from({ length: ACTS }, (_, n) => {
          const record = anAccount({ n: n + 1, plan: "pro" })
          const contested = n % 3 === 0
          return store
            .commit({
              writes: contested ? [{ op: "replace", kind: "account", record }] : [],
              audit: anAuditAct({ n: which * ACTS + n + 1 }),
            })
            .pipe(
              Effect.as(1),
              Effect.catchTag("Conflict", () => Effect.succeed(0)),
            )
        }),
      )
      const stored = (yield* Effect.all(acts, { concurrency: "unbounded" })).filter(Boolean).length
      expect(stored).toBe(2 * ACTS - ACTS / 3)
      const entries = yield* stores[0].readAudit({ after: 0, limit: 1_000 })
      expect(entries).toHaveLength(stored)
      expect(brokenAt(entries, NO_ENTRY, auditor)).toBeUndefined()
      expect((yield* stores[1].auditHead()).hash).toBe(entries.at(-1)?.hash)
    }).pipe(Effect.scoped),
  )
})

it.live("fails nobody else where its turn does not come", () =>
  Effect.gen(function* () {
    const database = yield* testDatabase
    const open = yield* session(database)
    yield* open.query(`SELECT pg_advisory_lock(${ourSchema("payport").lock(7_296_015_432)})`)
    const store = Context.get(yield* Layer.build(PostgresStore.layer(database)), Store)
    const insert = (n: number): Write => ({
      op: "insert",
      kind: "account",
      record: anAccount({ n }),
    })
    const outcomes = yield* Effect.forEach(
      Array.from({ length: 32 }, (_, n) => n + 1),
      (n) =>
        Effect.result(
          store.commit({ writes: [insert(n)], ...(n === 9 && { audit: anAuditAct() }) }),
        ),
      { concurrency: "unbounded" },
    )
    const failed = outcomes.flatMap((one, n) => (Result.isFailure(one) ? [n + 1] : []))
    expect(failed).toEqual([9])
  }),
)

it.live("gives its turn back where an entry cannot be made", () =>
  Effect.gen(function* () {
    const database = yield* testDatabase
    const store = Context.get(yield* Layer.build(PostgresStore.layer(database)), Store)
    const broken = () => {
      throw new Error("No entry can be made.")
    }
    yield* Effect.flip(store.commit({ writes: [], audit: broken }))
    const open = yield* session(database)
    const { rows } = yield* open.query("SELECT pg_try_advisory_lock(7296015432) AS free")
    expect(rows).toEqual([{ free: true }])
  }),
)

it.live("takes no entry where it does not end with its head, and says so", () =>
  Effect.gen(function* () {
    const database = yield* testDatabase
    const open = yield* session(ownerOf(database))
    yield* open.query(insert(first))
    yield* open.query("ALTER TABLE audit_entries DISABLE TRIGGER audit_chained")
    yield* open.query(insert(second))
    const store = Context.get(yield* Layer.build(PostgresStore.layer(database)), Store)
    const act = store.commit({ writes: [], audit: anAuditAct({ n: 9 }) })
    expect(yield* Effect.flip(act)).toMatchObject({
      _tag: "StoreUnavailable",
      outcome: "not_stored",
      trouble: "audit",
    })
  }),
)
