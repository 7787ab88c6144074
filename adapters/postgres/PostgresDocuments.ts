import { Effect } from "effect"
import type { Document, Documents } from "../../core/ports/Documents.ts"
import { Conflict, type StoreUnavailable } from "../../core/ports/Store.ts"
import { ask, type Database, run } from "./database.ts"
import { integer, json, nullable, quote, text, textArray, timestamp } from "./tables/codecs.ts"
import { describe, type Row } from "./tables/Table.ts"
import { together } from "./together.ts"

const documents = describe<Document>("documents", {
  scope: text,
  id: text,
  version: integer,
  body: json(),
  due_at: nullable(timestamp),
})

/** The given documents as rows. */
const GIVEN = `json_to_recordset($1::text::json)
    AS given (scope text, id text, version bigint, body json, due_at timestamptz)`

export const DOCUMENT_SQL = {
  get: `SELECT ${documents.selection} FROM payport.documents WHERE scope = $1 AND id = $2`,
  getMany: `SELECT ${documents.selection}
    FROM unnest($1::text::text[], $2::text::text[]) AS asked (of_scope, of_id)
    JOIN payport.documents ON scope = of_scope AND documents.id = of_id`,
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
  insertMany: `INSERT INTO payport.documents (scope, id, version, body, due_at)
    SELECT scope, id, 1, body, due_at FROM ${GIVEN} ORDER BY scope, id
    ON CONFLICT DO NOTHING RETURNING scope, id`,
  updateMany: `WITH given AS MATERIALIZED (SELECT * FROM ${GIVEN}),
    locked AS MATERIALIZED (
      SELECT documents.scope, documents.id FROM given JOIN payport.documents
        ON documents.scope = given.scope AND documents.id = given.id
      WHERE documents.version = given.version ORDER BY documents.scope, documents.id FOR UPDATE
        OF documents)
    UPDATE payport.documents SET version = documents.version + 1, body = given.body,
      due_at = given.due_at
    FROM locked JOIN given USING (scope, id)
    WHERE documents.scope = locked.scope AND documents.id = locked.id
      AND documents.version = given.version
    RETURNING documents.scope, documents.id`,
  remove: `DELETE FROM payport.documents WHERE scope = $1 AND id = ANY ($2::text::text[])`,
}

/** The most documents that one statement reads or writes. */
const MOST_TOGETHER = 64

interface Named {
  readonly scope: string
  readonly id: string
}

const nameOf = ({ id, scope }: Named): string => `${scope}/${id}`

const namesOf = (rows: ReadonlyArray<Row>): ReadonlySet<string> =>
  new Set(rows.map(({ id, scope }) => nameOf({ scope: String(scope), id: String(id) })))

/** Returns a function that reads one document. Calls at the same time share one statement. */
const getter = ({ reads }: Database) =>
  together<Named, Document | undefined, StoreUnavailable>({
    most: MOST_TOGETHER,
    alone: ({ id, scope }) =>
      Effect.map(
        ask(reads, DOCUMENT_SQL.get, [scope, id]),
        ([row]) => row && documents.fromRow(row),
      ),
    all: (asked) => {
      const scopes = `{${asked.map(({ scope }) => quote(scope)).join()}}`
      const ids = `{${asked.map(({ id }) => quote(id)).join()}}`
      return Effect.map(ask(reads, DOCUMENT_SQL.getMany, [scopes, ids]), (rows) => {
        const found = new Map(
          rows.map((row) => {
            const document = documents.fromRow(row)
            return [nameOf(document), document] as const
          }),
        )
        return asked.map((one) => found.get(nameOf(one)))
      })
    },
  })

const dueTime = (due_at: Document["due_at"]) => (due_at === null ? null : new Date(due_at))

/**
 * Returns a function that writes a new document (`insert`) or a new version (`update`). Its result
 * says whether the document was written. Calls at the same time share one statement and one flush,
 * and take locks in one order. No statement writes the same document twice. A statement that surely
 * failed is sent again document by document, so that one document does not fail the others.
 */
const putter = ({ work }: Database, op: "insert" | "update") =>
  together<Document, boolean, StoreUnavailable>({
    most: MOST_TOGETHER,
    nameOf,
    goApart: ({ outcome }) => outcome === "not_stored",
    alone: ({ body, due_at, id, scope, version }) => {
      const values = [scope, id, JSON.stringify(body), dueTime(due_at)]
      const parameters = op === "insert" ? values : [...values, version]
      return Effect.map(run(work, DOCUMENT_SQL[op], parameters), (rows) => rows.length > 0)
    },
    all: (given) => {
      const rows = given.map((document) => ({ ...document, due_at: dueTime(document.due_at) }))
      const written = run(work, DOCUMENT_SQL[`${op}Many`], [JSON.stringify(rows)])
      return Effect.map(written, (found) => {
        const names = namesOf(found)
        return given.map((document) => names.has(nameOf(document)))
      })
    },
  })

/** The documents that adapters keep, one row per document. */
export const postgresDocuments = (database: Database): Documents["Service"] => {
  const { reads, work } = database
  const all = (sql: string, parameters: ReadonlyArray<unknown>) =>
    Effect.map(ask(reads, sql, parameters), (rows) => rows.map((row) => documents.fromRow(row)))
  const get = getter(database)
  const insert = putter(database, "insert")
  const update = putter(database, "update")
  return {
    get: (scope, id) => get({ scope, id }),
    put: Effect.fnUntraced(function* (document) {
      const { version } = document
      if (yield* version === 0 ? insert(document) : update(document)) return
      const owner = `not version ${version}`
      return yield* new Conflict({ reason: { type: "key_taken", key: nameOf(document), owner } })
    }),
    page: (scope, { prefix, after, limit }) =>
      all(DOCUMENT_SQL.page, [scope, after, prefix, limit]),
    due: (scope, now, limit) => all(DOCUMENT_SQL.due, [scope, new Date(now), limit]),
    nextDueAt: (scope) =>
      Effect.map(ask(reads, DOCUMENT_SQL.nextDueAt, [scope]), ([row]) =>
        (row?.["due_at"] as Date | undefined)?.getTime(),
      ),
    remove: (scope, ids) =>
      Effect.asVoid(run(work, DOCUMENT_SQL.remove, [scope, textArray.encode(ids)])),
  }
}
