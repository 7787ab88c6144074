import type { BillingCycle } from "../../core/accounts/BillingCycle.ts"
import type { Statement } from "../../core/billing/Statement.ts"
import { Table } from "./Table.ts"

export const statementName = (accountId: string, month: string): string => `${accountId} ${month}`

/** What accounts are billed. */
export const billingTables = () => ({
  billing_cycle: new Table<BillingCycle>({ dueAt: ({ due_at }) => due_at }),
  statement: new Table<Statement>({
    names: ({ account_id, month }) => [statementName(account_id, month)],
    accounts: ({ account_id }) => [account_id],
  }),
})
