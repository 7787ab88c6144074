import { Effect } from "effect"
import { countersOf, type Held } from "../../core/accounts/Holding.ts"
import { usageCounter } from "../../core/billing/Meter.ts"
import { CONTACTS } from "../../core/kyc/verifications/Person.ts"
import { type Kind, KINDS, type Store } from "../../core/ports/Store.ts"
import { UNPAID_ENDINGS } from "../../core/payments/PaymentIntent.ts"
import { UNPAID_COUNTERS } from "../../core/payments/UnpaidPayments.ts"
import { isId } from "../../core/shared/Id.ts"
import { KEPT_IN_MEMORY } from "./commit/PreparedCommit.ts"
import { ask, type Database, run } from "./database.ts"
import { CHANNEL } from "./OurSchema.ts"
import { TABLES } from "./tables.ts"
import { bareId } from "./tables/codecs.ts"
import { IS_LEAVING } from "./tables/paymentIntents.ts"

type Upkeep = Pick<
  Store["Service"],
  "purgeReplies" | "oldestReply" | "purgeDayCounters" | "eraseAccountData"
>

/** The number of rows per statement. It locks them, so no other statement waits for long. */
const BATCH = 1_000

export const PURGE_SQL = `DELETE FROM payport.replies WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM payport.replies WHERE expires_at <= $1 ORDER BY expires_at
    LIMIT $2 FOR UPDATE SKIP LOCKED)) RETURNING 1`

export const OLDEST_REPLY_SQL = `SELECT created_at FROM payport.replies ORDER BY expires_at LIMIT 1`

/** Removes counters of past days. A commit that waits for one of them is decided again. */
export const PURGE_COUNTERS_SQL = `DELETE FROM payport.counters WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM payport.counters WHERE counter LIKE '%:____-__-__'
      AND right(counter, 10) COLLATE "C" < $1 AND starts_with(counter, $2)
    ORDER BY right(counter, 10) COLLATE "C"
    LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)) RETURNING 1`

const [USAGE = "", OF_MONTH = "", OF_CODES = ""] = usageCounter(
  "{account}",
  "{month}",
  "qr-generation",
).split(/\{\w+\}/)

/**
 * Keeps the month's number of QR codes of removed payments as a counter, and gives back what they
 * hold of limits.
 */
const COUNTED = `, counted AS (
      INSERT INTO payport.counters (counter, value)
      SELECT '${USAGE}acct_' || $1::uuid || '${OF_MONTH}' || month || '${OF_CODES}', sum(codes)
        FROM gone WHERE codes > 0 GROUP BY month
      ON CONFLICT (counter) DO UPDATE SET value = counters.value + excluded.value),
    holding AS MATERIALIZED (
      SELECT spending FROM gone
      WHERE NOT status IN (${UNPAID_ENDINGS.map((ending) => `'${ending}'`).join()})),
    held AS MATERIALIZED (
      SELECT name, sum(part)::bigint AS whole FROM (
        SELECT json_array_elements_text(spending->'counters') AS name,
          (spending->>'cents')::bigint AS part FROM holding
        UNION ALL SELECT json_array_elements_text(spending->'capped'->'counters'),
          (spending->'capped'->>'value')::bigint FROM holding
        UNION ALL SELECT json_array_elements_text(keyed->'counters'), (keyed->>'value')::bigint
          FROM holding, json_array_elements(spending->'keyed') AS keyed
        UNION ALL SELECT '${UNPAID_COUNTERS}acct_' || $1::uuid, 1 FROM gone WHERE ${IS_LEAVING}
      ) AS parts
      GROUP BY name),
    given_back AS (
      UPDATE payport.counters SET value = value - (SELECT whole FROM held WHERE name = counter)
        WHERE counter = ANY (ARRAY(SELECT name FROM held)))`

/** The columns of removed payments that the counters need. */
const COUNTABLE = `, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM') AS month,
        json_array_length(offers) AS codes, spending, status, ended_at, channel_asks, due_at`

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
  payment_intent: [COUNTABLE, COUNTED],
  agent: [", verified", CONTACTS_BACK],
  service: ["", roomBack("services")],
  install: ["", roomBack("installs")],
  verification: [", sealed", roomBack("verifications", "sealed IS NOT NULL")],
}

/** Erases a batch of each kind of an account's data, with the keys that the records own. */
export const ERASE_SQL: ReadonlyArray<string> = TABLES.filter(({ kind }) => KINDS[kind].erased).map(
  ({ kind, name, prefix }) => {
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
  },
)

export const ERASE_REPLIES_SQL = `DELETE FROM payport.replies
    WHERE account_id = $1::uuid AND key = ANY (
    ARRAY(SELECT key FROM payport.replies WHERE account_id = $1::uuid ORDER BY key
    LIMIT ${BATCH} FOR UPDATE)) RETURNING key AS id`

const CLOSE_BOOKS_SQL = "SELECT payport.payport_close_books($1::uuid)"

/** Removes many rows in batches until none are left. */
export const upkeep = (
  { work }: Database,
  forget: (ids: ReadonlyArray<string>) => void,
): Upkeep => {
  const repeat = Effect.fnUntraced(function* (sql: string, ...parameters: ReadonlyArray<unknown>) {
    let removed = 0
    while (true) {
      const rows = yield* run(work, sql, parameters)
      removed += rows.length
      forget(rows.map(({ id }) => String(id)))
      if (rows.length < BATCH) return removed
    }
  })
  return {
    purgeReplies: (now, limit) =>
      Effect.map(run(work, PURGE_SQL, [new Date(now), limit]), ({ length }) => length),
    oldestReply: () =>
      Effect.map(ask(work, OLDEST_REPLY_SQL, []), ([row]) =>
        (row?.["created_at"] as Date | undefined)?.getTime(),
      ),
    purgeDayCounters: (prefix, day) => repeat(PURGE_COUNTERS_SQL, day, prefix),
    eraseAccountData: (accountId) => {
      if (!isId("acct", accountId)) return Effect.void
      const account = bareId("acct", accountId)
      return Effect.andThen(
        Effect.forEach([...ERASE_SQL, ERASE_REPLIES_SQL], (sql) => repeat(sql, account), {
          discard: true,
        }),
        Effect.asVoid(run(work, CLOSE_BOOKS_SQL, [account])),
      )
    },
  }
}
