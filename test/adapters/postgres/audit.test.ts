import { it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { createHash } from "node:crypto"
import { describe, expect } from "vitest"
import * as PostgresStore from "../../../adapters/postgres/PostgresStore.ts"
import { brokenAt, NO_ENTRY } from "../../../core/audit/AuditEntry.ts"
import { Store } from "../../../core/ports/Store.ts"
import { anAccount, anAuditNote, uuid } from "../../support/records.ts"
import { session, testDatabase } from "../../support/postgres.ts"

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex")

const row = (n: number, said: object = {}): string => {
  const fields = { id: `aud_${uuid(n)}`, action: "account.created", actor: "operator", target: "x" }
  const content = JSON.stringify({ ...fields, ...said })
  return `('${uuid(n)}', 'account.created', 'operator', 'x', '${content}')`
}

const insert = (...rows: ReadonlyArray<string>): string =>
  `INSERT INTO audit_entries (id, action, actor, target, content) VALUES ${rows.join(", ")}`

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
    "columns that say other things than the content": insert(row(9, { actor: "else" })),
    "an entry without content": insert(row(9).replace(/'\{.*\}'/, "'{}'")),
  }
  for (const [name, sql] of Object.entries(refusals)) {
    it.live(`takes no ${name}`, () =>
      Effect.gen(function* () {
        const open = yield* session(yield* testDatabase)
        yield* open.query(insert(row(1), row(2)))
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

  it.live("gives places and hashes of its own, whatever it is told", () =>
    Effect.gen(function* () {
      const open = yield* session(yield* testDatabase)
      const told = insert(row(1))
        .replace("(id,", "(sequence, previous_hash, hash, id,")
        .replace("VALUES (", `VALUES (77, 'x', 'x', `)
      yield* open.query(told)
      const { rows } = yield* open.query("SELECT sequence::int, hash, content FROM audit_entries")
      const [entry] = rows
      const text = `${NO_ENTRY.hash}\n1\n${String(entry?.["content"])}`
      expect([entry?.["sequence"], entry?.["hash"]]).toStrictEqual([1, sha256(text)])
    }),
  )
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
              audit: anAuditNote({ n: which * ACTS + n + 1 }),
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
      expect(brokenAt(entries, NO_ENTRY, sha256)).toBeUndefined()
      expect((yield* stores[1].auditHead()).hash).toBe(entries.at(-1)?.hash)
    }).pipe(Effect.scoped),
  )
})
