import type { Invoice } from "../../core/invoices/Invoice.ts"
import type { Subscription } from "../../core/invoices/Subscription.ts"
import type { Tab } from "../../core/invoices/Tab.ts"
import type { UsageRecord } from "../../core/invoices/Usage.ts"
import type { Timestamp } from "../../core/shared/Timestamp.ts"
import { Table } from "./Table.ts"

/** Where the use of a tab's period is listed. */
export const usagePeriod = (tab: string, period: number): string => `${tab} ${period}`

const due = { dueAt: ({ due_at }: { readonly due_at: Timestamp | null }) => due_at }

const bothSides = (record: {
  readonly account_id: string
  readonly payee_account_id: string
}): ReadonlyArray<string> => [record.account_id, record.payee_account_id]

/** The tables of what is paid again and again. */
export const subscriptionTables = () => ({
  subscription: new Table<Subscription>({ ...due, accounts: bothSides }),
  invoice: new Table<Invoice>({
    ...due,
    names: ({ period, subscription, tab }) => [`${subscription ?? tab} ${period}`],
    accounts: (invoice) => [
      ...bothSides(invoice),
      ...(invoice.subscription === null ? [] : [invoice.subscription]),
    ],
  }),
  tab: new Table<Tab>(due),
  usage_record: new Table<UsageRecord>({
    accounts: ({ period, tab }) => [usagePeriod(tab, period)],
  }),
})
