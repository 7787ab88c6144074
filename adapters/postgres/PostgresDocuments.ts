import { Effect } from "effect"
import type { Document, Documents } from "../../core/ports/Documents.ts"
import { Conflict } from "../../core/ports/Store.ts"
import { ask, type Database, run } from "./database.ts"
import { integer, json, nullable, text, timestamp } from "./tables/codecs.ts"
import { describe } from "./tables/Table.ts"

const documents = describe<Document>("documents", {
  scope: text,
  id: text,
  version: integer,
  body: json(),
  due_at: nullable(timestamp),
})

export const DOCUMENT_SQL = {
  get: `SELECT ${documents.selection} FROM payport.documents WHERE scope = $1 AND id = $2`,
  list: `SELECT ${documents.selection} FROM payport.documents WHERE scope = $1 ORDER BY id`,
  page: `SELECT ${documents.selection} FROM payport.documents WHERE scope = $1 AND id > $2
    AND id >= $3 AND id < $3 || chr(1114111) ORDER BY id LIMIT $4`,
  due: `SELECT ${documents.selection} FROM payport.documents WHERE scope = $1 AND due_at <= $2
    ORDER BY due_at, id LIMIT $3`,
  nextDueAt: `SELECT due_at FROM payport.documents WHERE scope = $1 AND due_at IS NOT NULL
    ORDER BY due_at, id LIMIT 1`,
  insert: `INSERT INTO payport.documents (scope, id, version, body, due_at)
    VALUES ($1, $2, 1, $3::text::json, $4) ON CONFLICT DO NOTHING RETURNING version`,
  update: `UPDATE payport.documents SET version = version + 1, body = $3::text::json, due_at = $4
    WHERE scope = $1 AND id = $2 AND version = $5 RETURNING version`,
  remove: `DELETE FROM payport.documents WHERE scope = $1 AND id = $2`,
}

/** What adapters keep for themselves, a row a document. */
export const postgresDocuments = ({ reads, work }: Database): Documents["Service"] => {
  const all = (sql: string, parameters: ReadonlyArray<unknown>) =>
    Effect.map(ask(reads, sql, parameters), (rows) => rows.map((row) => documents.fromRow(row)))
  return {
    get: (scope, id) => Effect.map(all(DOCUMENT_SQL.get, [scope, id]), ([document]) => document),
    put: Effect.fnUntraced(function* ({ body, due_at, id, scope, version }) {
      const values = [scope, id, JSON.stringify(body), due_at === null ? null : new Date(due_at)]
      const rows = yield* version === 0
        ? run(work, DOCUMENT_SQL.insert, values)
        : run(work, DOCUMENT_SQL.update, [...values, version])
      if (rows.length > 0) return
      const key = `${scope}/${id}`
      const owner = `not version ${version}`
      return yield* new Conflict({ reason: { type: "key_taken", key, owner } })
    }),
    list: (scope) => all(DOCUMENT_SQL.list, [scope]),
    page: (scope, { prefix, after, limit }) =>
      all(DOCUMENT_SQL.page, [scope, after, prefix, limit]),
    due: (scope, now, limit) => all(DOCUMENT_SQL.due, [scope, new Date(now), limit]),
    nextDueAt: (scope) =>
      Effect.map(ask(reads, DOCUMENT_SQL.nextDueAt, [scope]), ([row]) =>
        (row?.["due_at"] as Date | undefined)?.getTime(),
      ),
    remove: (scope, id) => Effect.asVoid(run(work, DOCUMENT_SQL.remove, [scope, id])),
  }
}
