import { Effect } from "effect"
import type { Store } from "../../../core/ports/Store.ts"
import { MOST_SCORED, searchPrefixes } from "../../../core/registry/SearchEntries.ts"
import type { ServiceSearch } from "../../../core/registry/ServiceSearch.ts"
import type { ManifestStatus } from "../../../core/registry/ServiceManifest.ts"
import { isId } from "../../../core/shared/Id.ts"
import { ask, type Database } from "../database.ts"
import { prefixQuery } from "./searchWords.ts"
import { services } from "../tables/services.ts"
import { bareId } from "../tables/codecs.ts"
import { foundOf, type Statement } from "./rows.ts"

type Reads = Pick<Store["Service"], "searchServices">

const PRIVATE: ReadonlySet<ManifestStatus> = new Set(["draft", "paused", "deleted"])

/** What a word counts that stands in the name, in the tags or in the description. */
const SCORES = { A: 100, B: 10, C: 1 }

/**
 * The statement of a search. Where one index has it all, the page is read along it and counted by
 * it alone; where words or a channel are asked for, all that is found is gathered first. The first
 * row has the total even where the page is empty.
 */
export const searchStatement = (search: ServiceSearch): Statement => {
  const parameters: Array<unknown> = []
  const given = (value: unknown): string => `$${parameters.push(value)}`
  const conditions = [`status = ${given(search.status)}`]
  if (PRIVATE.has(search.status)) {
    conditions.push(`account_id = ${given(bareId("acct", search.viewer))}::uuid`)
  }
  if (search.channel !== undefined) {
    conditions.push(`accepted_channels @> ARRAY[${given(search.channel)}::text]`)
  }
  if (search.payment_method !== undefined) conditions.push(search.payment_method)
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
  const found =
    prefixes.length === 0 && search.channel === undefined
      ? `total AS (SELECT count(*) AS total FROM payport.services WHERE ${where}),
      page AS (SELECT id, created_at, 0 AS score FROM payport.services WHERE ${where}
        ORDER BY created_at DESC, id DESC ${page})`
      : `found AS MATERIALIZED (
        SELECT id, created_at, ${score} AS score FROM payport.services WHERE ${where}),
      total AS (SELECT count(*) AS total FROM found),
      page AS (SELECT * FROM found ORDER BY score DESC, created_at DESC, id DESC ${page})`
  return {
    sql: `WITH ${found}
      SELECT total.total, ${services.selection}
      FROM total LEFT JOIN (page JOIN payport.services ON services.id = page.id) ON true
      ORDER BY page.score DESC, page.created_at DESC, page.id DESC`,
    parameters,
  }
}

/** Questions about the registry. */
export const serviceReads = ({ work }: Database): Reads => ({
  searchServices: (search) => {
    if (!isId("acct", search.viewer) && PRIVATE.has(search.status)) {
      return Effect.succeed({ data: [], total: 0 })
    }
    const { sql, parameters } = searchStatement(search)
    return Effect.map(ask(work, sql, parameters), foundOf(services))
  },
})
