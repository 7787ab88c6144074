import { Effect } from "effect"
import type { Store } from "../../core/ports/Store.ts"
import type { Found } from "../../core/shared/Page.ts"
import type { InvoiceQuery, SubscriptionQuery } from "../../core/invoices/InvoiceQuery.ts"
import { sumOf, usagePeriod } from "../../core/invoices/Usage.ts"
import type { State } from "./State.ts"
import type { Table } from "./Table.ts"

type Reads = Pick<
  Store["Service"],
  "listSubscriptions" | "listInvoices" | "listOpenInvoices" | "sumUsage"
>

interface Billed {
  readonly id: string
  readonly version: number
  readonly service_id: string
  readonly status: string
  readonly subscription?: string | null
}

const page = <R extends Billed>(
  table: Table<R>,
  query: (SubscriptionQuery | InvoiceQuery) & { readonly subscription?: string },
): Found<R> => {
  const { limit, offset, service_id, status, subscription, viewer } = query
  const found = [...table.listed(viewer)].filter(
    (record) =>
      (service_id === undefined || record.service_id === service_id) &&
      (status === undefined || record.status === status) &&
      (subscription === undefined || record.subscription === subscription),
  )
  return { data: found.slice(offset, offset + limit), total: found.length }
}

/** Questions about what is paid again and again. */
export const subscriptionReads = ({ tables }: State): Reads => ({
  listSubscriptions: (query) => Effect.sync(() => page(tables.subscription, query)),
  listInvoices: (query) => Effect.sync(() => page(tables.invoice, query)),
  listOpenInvoices: (subscriptionId) =>
    Effect.sync(() =>
      [...tables.invoice.listed(subscriptionId)]
        .filter(({ status }) => status === "open")
        .toReversed(),
    ),
  sumUsage: (tabId, period) =>
    Effect.sync(() => {
      const records = [...tables.usage_record.listed(usagePeriod(tabId, period))]
      return { quantity: sumOf(records.map(({ quantity }) => quantity)), records: records.length }
    }),
})
