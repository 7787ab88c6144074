import { MOST_SCORED, searchPrefixes } from "../../../core/registry/SearchEntries.ts"
import type { ServiceSearch } from "../../../core/registry/ServiceSearch.ts"
import { isAmongOwn } from "../../../core/registry/ServiceMatch.ts"
import { isUuid } from "../../../core/shared/Id.ts"
import { prefixQuery } from "../reads/searchWords.ts"
import { services } from "../tables/services.ts"
import { bareId, textArray } from "../tables/codecs.ts"
import type { Statement } from "../reads/rows.ts"

/** The prices of a service as rows, each with its method. */
const PRICES = `(
  SELECT 'one_time' AS method, one->>'currency' AS currency, (one->>'amount')::float8 AS amount
    FROM json_array_elements(pricing->'one_time') AS one
  UNION ALL SELECT 'subscription', plan->>'currency', (plan->>'amount')::float8
    FROM json_array_elements(pricing->'subscription') AS plan
  UNION ALL SELECT 'cumulative', coalesce(pricing->'cumulative'->>'currency', settlement_currency),
    (pricing->'cumulative'->>'rate')::float8)`

/** Whether a service has such a price: `hasPrice` in SQL. */
const pricedSo = (
  { payment_method, price = {} }: ServiceSearch,
  given: (value: unknown) => string,
): string => {
  const { at_most, currency } = price
  const wanted = ["amount IS NOT NULL"]
  if (at_most !== undefined) wanted.push(`amount <= ${given(at_most)}::float8`)
  if (currency !== undefined) wanted.push(`currency = ${given(currency)}::text`)
  if (payment_method !== undefined) wanted.push(`method = '${payment_method}'`)
  return `EXISTS (SELECT FROM ${PRICES} AS price WHERE ${wanted.join(" AND ")})`
}

/**
 * The score of a word in the name, the tags or the description. One word more in the name counts
 * more than any number in the tags.
 */
const SCORES = { A: 1_001, B: 1, C: 0 }

/**
 * Returns the statement of a search. If one index covers it, the page is read and counted along
 * that index. If words or a channel are wanted, all matches are collected first. The first row has
 * the total even if the page is empty.
 */
export const searchStatement = (search: ServiceSearch): Statement => {
  const parameters: Array<unknown> = []
  const given = (value: unknown): string => `$${parameters.push(value)}`
  const conditions = [`status = ${given(search.status)}`]
  if (isAmongOwn(search)) {
    conditions.push(`account_id = ${given(bareId("acct", search.viewer))}::uuid`)
  }
  if (search.channel !== undefined) {
    conditions.push(`accepted_channels @> ARRAY[${given(search.channel)}::text]`)
  }
  if (search.payment_method !== undefined) conditions.push(search.payment_method)
  if (search.price !== undefined) conditions.push(pricedSo(search, given))
  if (search.ids !== undefined) {
    conditions.push(`id = ANY(${given(textArray.encode(search.ids.filter(isUuid)))}::uuid[])`)
  }
  const prefixes = searchPrefixes(search.q ?? "")
  if (prefixes.length > 0) {
    const wanted = prefixes.map((prefix) => prefixQuery(prefix)).join(" & ")
    conditions.push(`search @@ ${given(wanted)}::tsquery`)
  }
  const where = conditions.join(" AND ")
  const scored = prefixes.slice(0, MOST_SCORED).map(
    (prefix) =>
      `CASE WHEN search @@ ${given(prefixQuery(prefix, "A"))}::tsquery THEN ${SCORES.A}
      WHEN search @@ ${given(prefixQuery(prefix, "B"))}::tsquery THEN ${SCORES.B}
      ELSE ${SCORES.C} END`,
  )
  const page = `LIMIT ${given(search.limit)}::bigint OFFSET ${given(search.offset)}::bigint`
  const score = scored.length === 0 ? "0" : scored.join(" + ")
  const most = search.most_of_seller
  const shown =
    most === undefined
      ? "found"
      : `(SELECT *, row_number() OVER (PARTITION BY account_id
          ORDER BY score DESC, created_at DESC, id DESC) AS place FROM found) AS placed
        WHERE place <= ${given(most)}::bigint`
  const found =
    prefixes.length === 0 && search.channel === undefined && most === undefined
      ? `total AS (SELECT count(*) AS total FROM payport.services WHERE ${where}),
      page AS (SELECT id, created_at, 0 AS score FROM payport.services WHERE ${where}
        ORDER BY created_at DESC, id DESC ${page})`
      : `found AS MATERIALIZED (
        SELECT id, account_id, created_at, ${score} AS score
        FROM payport.services WHERE ${where}),
      total AS (SELECT count(*) AS total FROM found),
      page AS (SELECT * FROM ${shown} ORDER BY score DESC, created_at DESC, id DESC ${page})`
  return {
    sql: `WITH ${found}
      SELECT total.total, ${services.selection}
      FROM total LEFT JOIN (page JOIN payport.services ON services.id = page.id) ON true
      ORDER BY page.score DESC, page.created_at DESC, page.id DESC`,
    parameters,
  }
}
