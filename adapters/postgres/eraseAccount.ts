import { Effect } from "effect"
import { countersOf, type Held } from "../../core/accounts/Holding.ts"
import { CONTACTS } from "../../core/kyc/verifications/Person.ts"
import { type Kind, KINDS } from "../../core/ports/Store.ts"
import { isId } from "../../core/shared/Id.ts"
import { BATCH, inBatches, type PartingSql } from "./batches.ts"
import { KEPT_IN_MEMORY } from "./commit/PreparedCommit.ts"
import { run } from "./database.ts"
import { PAYMENT_SQL } from "./erasePayments.ts"
import { TAB_SQL } from "./eraseTabs.ts"
import { CHANNEL } from "./OurSchema.ts"
import type { SessionPool } from "./sessions/SessionPool.ts"
import { TABLES } from "./tables.ts"
import { bareId, textArray } from "./tables/codecs.ts"

/** Gives back the places that agents take of the contacts that verified them. */
const CONTACTS_BACK = `, lost AS MATERIALIZED (
      SELECT '${CONTACTS}' || contact AS name, count(*) AS agents FROM (
        SELECT unnest(ARRAY(
          SELECT DISTINCT jsonb_array_elements_text(
            jsonb_path_query_array(verified::jsonb, '$[*].contacts[*]')))) AS contact
        FROM gone) AS contacts
      GROUP BY contact),
    given_back AS (
      UPDATE payport.counters SET value = value - (SELECT agents FROM lost WHERE name = counter)
        WHERE counter = ANY (ARRAY(SELECT name FROM lost)))`

/** Gives back the places that the rows, or some of them, take of an account's plan. */
const roomBack = (held: Held, which = "true"): string => `, given_back AS (
      UPDATE payport.counters SET value = value - (SELECT count(*) FROM gone WHERE ${which})
        WHERE counter = '${countersOf(held)}acct_' || $1::uuid)`

/** For each kind, the columns that its counters need, and the SQL that settles the counters. */
const SETTLED: { readonly [K in Kind]?: readonly [columns: string, settling: string] } = {
  agent: [", verified", CONTACTS_BACK],
  service: ["", roomBack("services")],
  install: ["", roomBack("installs")],
  verification: [", sealed", roomBack("verifications", "sealed IS NOT NULL")],
}

/** The kinds whose records go with other records, before all others. */
const PARTED: ReadonlySet<Kind> = new Set<Kind>(["payment_intent", "tab"])

/** Erases a batch of each other kind of an account's data, with the keys that the records own. */
export const ERASE_SQL: ReadonlyArray<string> = TABLES.filter(
  ({ kind }) => KINDS[kind].erased && !PARTED.has(kind),
).map(({ kind, name, prefix }) => {
  const named = (id: string) => (prefix === null ? `${id}::text` : `'${prefix}_' || ${id}`)
  const announced = KEPT_IN_MEMORY.has(kind) ? `, pg_notify('${CHANNEL}', ${named("id")})` : ""
  const [columns, settling] = SETTLED[kind] ?? ["", ""]
  return `WITH batch AS MATERIALIZED (
      SELECT id FROM payport.${name}
      WHERE account_id = $1::uuid ORDER BY id LIMIT ${BATCH} FOR UPDATE),
    gone AS (
      DELETE FROM payport.${name} USING batch WHERE ${name}.id = batch.id
        RETURNING ${name}.id${columns}),
    owned AS (DELETE FROM payport.claimed_keys USING gone
      WHERE owner = ${named("gone.id")})${settling}
    SELECT ${named("id")} AS id${announced} FROM gone`
})

export const ERASE_REPLIES_SQL = `DELETE FROM payport.replies
    WHERE account_id = $1::uuid AND key = ANY (
    ARRAY(SELECT key FROM payport.replies WHERE account_id = $1::uuid ORDER BY key
    LIMIT ${BATCH} FOR UPDATE)) RETURNING key AS id`

const CLOSE_BOOKS_SQL = "SELECT payport.payport_close_books($1::uuid)"

/**
 * Erases an account's records of a kind with their belongings. These go first, so that a repetition
 * finishes what a failure has interrupted, and once more afterwards, because a commit may have
 * added some until its records were locked.
 */
const part = Effect.fnUntraced(function* (
  work: SessionPool,
  { batch, belongings, records }: PartingSql,
  account: string,
) {
  while (true) {
    const rows = yield* run(work, batch, [account])
    if (rows.length === 0) return
    const parameters = [account, textArray.encode(rows.map(({ id }) => String(id)))]
    const erase = Effect.forEach(belongings, (sql) => inBatches(work, sql, parameters), {
      discard: true,
    })
    yield* erase
    yield* run(work, records, parameters)
    yield* erase
  }
})

/** Removes everything that `eraseAccountData` names, in batches. */
export const eraseAccount = Effect.fnUntraced(function* (
  work: SessionPool,
  forget: (ids: ReadonlyArray<string>) => void,
  accountId: string,
) {
  if (!isId("acct", accountId)) return
  const account = bareId("acct", accountId)
  yield* part(work, PAYMENT_SQL, account)
  yield* part(work, TAB_SQL, account)
  for (const sql of [...ERASE_SQL, ERASE_REPLIES_SQL]) {
    yield* inBatches(work, sql, [account], forget)
  }
  yield* run(work, CLOSE_BOOKS_SQL, [account])
})
