import { usageCounter } from "../../core/billing/Meter.ts"
import { UNPAID_ENDINGS } from "../../core/payments/PaymentIntent.ts"
import { FOLLOWERS, SIDES } from "../../core/payments/Sides.ts"
import { UNPAID_COUNTERS } from "../../core/payments/UnpaidPayments.ts"
import { ONE_TIME } from "../../core/payments/writeMove.ts"
import { NOBODY } from "../../core/shared/Nobody.ts"
import { BATCH, type PartingSql } from "./batches.ts"
import { tableOf } from "./tables.ts"
import { bareId } from "./tables/codecs.ts"
import { IS_LEAVING } from "./tables/paymentIntents.ts"

const NOBODYS = `'${bareId("acct", NOBODY)}'::uuid`

const GIVEN = "ANY ($2::text::uuid[])"

/** The condition that another account takes part in a payment. */
const IS_SHARED = `(${SIDES.payment_intent
  .map((side) => `coalesce(payment_intents.${side} NOT IN ($1::uuid, ${NOBODYS}), false)`)
  .join(" OR ")})`

/** Puts nobody in the place of the account. An unknown payer is null. */
const withoutAccount = (sides: ReadonlyArray<string>): string =>
  sides
    .map((side) => {
      const nobody = side === "payer_account_id" ? "NULL" : NOBODYS
      return `${side} = CASE WHEN stored.${side} = $1::uuid THEN ${nobody} ELSE stored.${side} END`
    })
    .join(", ")

const [USAGE = "", OF_MONTH = "", OF_CODES = ""] = usageCounter(
  "{account}",
  "{month}",
  "qr-generation",
).split(/\{\w+\}/)

/** What a payment counts of a limit: a partial capture has given the rest back (`shareOfLimit`). */
const held = (part: string): string =>
  `CASE WHEN captured_at IS NULL OR capture_value IS NULL THEN (${part})::bigint
      ELSE div((${part})::numeric * capture_value + amount_value - 1, amount_value)::bigint END`

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
      SELECT spending, amount_value, capture_value, captured_at FROM gone
      WHERE NOT status IN (${UNPAID_ENDINGS.map((ending) => `'${ending}'`).join()})),
    held AS MATERIALIZED (
      SELECT name, sum(part)::bigint AS whole FROM (
        SELECT json_array_elements_text(spending->'counters') AS name,
          ${held("spending->>'cents'")} AS part FROM holding
        UNION ALL SELECT json_array_elements_text(spending->'capped'->'counters'),
          ${held("spending->'capped'->>'value'")} FROM holding
        UNION ALL SELECT json_array_elements_text(keyed->'counters'),
          ${held("keyed->>'value'")}
          FROM holding, json_array_elements(spending->'keyed') AS keyed
        UNION ALL SELECT '${UNPAID_COUNTERS}acct_' || $1::uuid, 1 FROM gone WHERE ${IS_LEAVING}
      ) AS parts
      GROUP BY name),
    given_back AS (
      UPDATE payport.counters SET value = value - (SELECT whole FROM held WHERE name = counter)
        WHERE counter = ANY (ARRAY(SELECT name FROM held)))`

/** A payment as its creator, else as its payee, else as its payer. Each has its own index. */
const VIEWS = [
  "account_id = $1::uuid",
  "payee_account_id = $1::uuid AND payee_account_id <> account_id",
  `payer_account_id = $1::uuid AND payer_account_id <> account_id
        AND payer_account_id <> payee_account_id`,
]

const BATCH_SQL = VIEWS.map(
  (view) => `(SELECT id FROM payport.payment_intents WHERE ${view} ORDER BY id LIMIT ${BATCH})`,
).join(" UNION ALL ")

/** Erases payments without other accounts, and takes the account out of the others. */
const PAYMENTS_SQL = `WITH batch AS MATERIALIZED (
      SELECT id, account_id = $1::uuid AS is_own, ${IS_SHARED} AS stays,
        to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM') AS month,
        json_array_length(offers) AS codes, spending, status, ended_at, channel_asks, due_at,
        amount_value, capture_value, captured_at
      FROM payport.payment_intents WHERE id = ${GIVEN}
        AND $1::uuid IN (${SIDES.payment_intent.join(", ")}) ORDER BY id FOR UPDATE),
    removed AS (DELETE FROM payport.payment_intents USING batch
      WHERE payment_intents.id = batch.id AND NOT stays),
    kept AS (UPDATE payport.payment_intents AS stored
      SET version = stored.version + 1, lease_until = NULL,
        spending = CASE WHEN is_own THEN NULL ELSE stored.spending END,
        ${withoutAccount(SIDES.payment_intent)}
      FROM batch WHERE stored.id = batch.id AND stays),
    owned AS (DELETE FROM payport.claimed_keys USING batch WHERE owner = 'pi_' || batch.id
      AND (NOT stays OR is_own AND starts_with(key, '${ONE_TIME}'))),
    gone AS (SELECT * FROM batch WHERE is_own)${COUNTED}
    SELECT id FROM batch`

/** Erases records of payments that go, and takes the account out of those of the others. */
const followers = FOLLOWERS.flatMap((kind) => {
  const { due, name, prefix } = tableOf(kind)
  const sides: ReadonlyArray<string> = SIDES[kind]
  return [
    `WITH batch AS MATERIALIZED (
      SELECT id FROM payport.${name} WHERE payment_intent = ${GIVEN} AND NOT EXISTS (
        SELECT FROM payport.payment_intents
        WHERE payment_intents.id = payment_intent AND ${IS_SHARED})
      ORDER BY id LIMIT ${BATCH} FOR UPDATE),
    gone AS (DELETE FROM payport.${name} USING batch WHERE ${name}.id = batch.id
      RETURNING ${name}.id),
    owned AS (DELETE FROM payport.claimed_keys USING gone WHERE owner = '${prefix}_' || gone.id)
    SELECT id FROM gone`,
    `WITH batch AS MATERIALIZED (
      SELECT id FROM payport.${name} WHERE payment_intent = ${GIVEN}
        AND $1::uuid IN (${sides.join(", ")}) ORDER BY id LIMIT ${BATCH} FOR UPDATE)
    UPDATE payport.${name} AS stored SET version = stored.version + 1,
      ${due ? "lease_until = NULL, " : ""}${withoutAccount(sides)}
    FROM batch WHERE stored.id = batch.id RETURNING stored.id`,
  ]
})

/** How the payments of an account are erased, with their refunds and channel requests. */
export const PAYMENT_SQL: PartingSql = {
  batch: `SELECT id FROM (${BATCH_SQL}) AS own LIMIT ${BATCH}`,
  belongings: followers,
  records: PAYMENTS_SQL,
}
