import { Effect } from "effect"
import type { Store } from "../../../core/ports/Store.ts"
import { isId, isUuid } from "../../../core/shared/Id.ts"
import { canonical } from "../../../core/invoices/Usage.ts"
import type { InvoiceQuery, SubscriptionQuery } from "../../../core/invoices/InvoiceQuery.ts"
import { ask, type ReadPools } from "../database.ts"
import { invoices } from "../tables/invoices.ts"
import { subscriptions } from "../tables/subscriptions.ts"
import { bareId } from "../tables/codecs.ts"
import type { Table } from "../tables/Table.ts"
import { foundOf } from "./rows.ts"

type Reads = Pick<Store["Service"], "listSubscriptions" | "listInvoices" | "sumUsage">

/** One access path of a viewer, each with its own index. Together they find each record once. */
const VIEWS = [
  "account_id = $1::uuid",
  "payee_account_id = $1::uuid AND payee_account_id <> account_id",
]

/**
 * Returns the statement for a page of what an account pays or is paid, newest first, with the
 * total. The first row has the total even if the page is empty.
 */
const paged = <R>({ name, selection }: Table<R>, filters: string): string => {
  const seen = VIEWS.map((view) => `(SELECT id FROM payport.${name} WHERE ${view} AND ${filters})`)
  const first = VIEWS.map(
    (view) =>
      `(SELECT id FROM payport.${name} WHERE ${view} AND ${filters}
        ORDER BY id DESC LIMIT $4::bigint + $5::bigint)`,
  )
  return `WITH total AS (
      SELECT count(*) AS total FROM (${seen.join(" UNION ALL ")}) AS seen),
    page AS (
      SELECT id FROM (${first.join(" UNION ALL ")}) AS listed
      ORDER BY id DESC LIMIT $4::bigint OFFSET $5::bigint)
    SELECT total.total, ${selection}
    FROM total LEFT JOIN (page JOIN payport.${name} ON ${name}.id = page.id) ON true
    ORDER BY page.id DESC`
}

const FILTERS = `($2::uuid IS NULL OR service_id = $2) AND ($3::text IS NULL OR status = $3)`

/** The SQL of these reads. */
export const SUBSCRIPTION_SQL = {
  subscriptions: paged(subscriptions, FILTERS),
  invoices: paged(invoices, `${FILTERS} AND ($6::uuid IS NULL OR subscription = $6)`),
  usageSum: `SELECT coalesce(sum(quantity), 0)::text AS quantity, count(*) AS records
    FROM payport.usage_records WHERE tab = $1::uuid AND period = $2`,
}

const NOTHING = { data: [], total: 0 }

/** Returns the common parameters of both lists; undefined if nothing can be found. */
const parametersOf = (
  query: SubscriptionQuery | InvoiceQuery,
): ReadonlyArray<unknown> | undefined => {
  const { limit, offset, service_id, status, viewer } = query
  if (!isId("acct", viewer) || (service_id !== undefined && !isUuid(service_id))) return undefined
  return [bareId("acct", viewer), service_id ?? null, status ?? null, limit, offset]
}

/** Reads subscriptions, invoices and usage. */
export const subscriptionReads = ({ work }: ReadPools): Reads => {
  return {
    listSubscriptions: (query) => {
      const parameters = parametersOf(query)
      return parameters === undefined
        ? Effect.succeed(NOTHING)
        : Effect.map(ask(work, SUBSCRIPTION_SQL.subscriptions, parameters), foundOf(subscriptions))
    },
    listInvoices: (query) => {
      const parameters = parametersOf(query)
      const { subscription } = query
      if (parameters === undefined) return Effect.succeed(NOTHING)
      if (subscription !== undefined && !isId("sub", subscription)) return Effect.succeed(NOTHING)
      const of = subscription === undefined ? null : bareId("sub", subscription)
      return Effect.map(
        ask(work, SUBSCRIPTION_SQL.invoices, [...parameters, of]),
        foundOf(invoices),
      )
    },
    sumUsage: (id, period) =>
      isId("tab", id)
        ? Effect.map(
            ask(work, SUBSCRIPTION_SQL.usageSum, [bareId("tab", id), period]),
            ([row]) => ({
              quantity: canonical(row?.["quantity"] as string),
              records: Number(row?.["records"]),
            }),
          )
        : Effect.succeed({ quantity: "0", records: 0 }),
  }
}
