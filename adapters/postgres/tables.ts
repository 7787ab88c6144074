import type { Kind, Records } from "../../core/ports/Store.ts"
import { accessItems } from "./tables/accessItems.ts"
import { accounts } from "./tables/accounts.ts"
import { agents } from "./tables/agents.ts"
import { allowances } from "./tables/allowances.ts"
import { apiKeys } from "./tables/apiKeys.ts"
import { appeals } from "./tables/appeals.ts"
import { billingCycles } from "./tables/billingCycles.ts"
import { challenges } from "./tables/challenges.ts"
import { channelRequests } from "./tables/channelRequests.ts"
import { deliveries } from "./tables/deliveries.ts"
import { discrepancies } from "./tables/discrepancies.ts"
import { endpoints } from "./tables/endpoints.ts"
import { events } from "./tables/events.ts"
import { feeDays } from "./tables/feeDays.ts"
import { installs } from "./tables/installs.ts"
import { mandates } from "./tables/mandates.ts"
import { paymentIntents } from "./tables/paymentIntents.ts"
import { reconciliationRuns } from "./tables/reconciliationRuns.ts"
import { refunds } from "./tables/refunds.ts"
import { revocations } from "./tables/revocations.ts"
import { quotes } from "./tables/quotes.ts"
import { invoices } from "./tables/invoices.ts"
import { services } from "./tables/services.ts"
import { subscriptions } from "./tables/subscriptions.ts"
import { tabs } from "./tables/tabs.ts"
import { usageRecords } from "./tables/usageRecords.ts"
import { statements } from "./tables/statements.ts"
import { verifications } from "./tables/verifications.ts"
import { webhookKeys } from "./tables/webhookKeys.ts"
import type { Table } from "./tables/Table.ts"

const BY_KIND: { readonly [K in Kind]: Table<Records[K]> } = {
  account: accounts,
  agent: agents,
  api_key: apiKeys,
  service: services,
  payment_intent: paymentIntents,
  channel_request: channelRequests,
  refund: refunds,
  discrepancy: discrepancies,
  event: events,
  delivery: deliveries,
  quote: quotes,
  fee_day: feeDays,
  endpoint: endpoints,
  webhook_key: webhookKeys,
  access_item: accessItems,
  revocation: revocations,
  verification: verifications,
  appeal: appeals,
  otp_allowance: allowances,
  reconciliation_run: reconciliationRuns,
  billing_cycle: billingCycles,
  statement: statements,
  install: installs,
  mandate: mandates,
  subscription: subscriptions,
  invoice: invoices,
  tab: tabs,
  usage_record: usageRecords,
  challenge: challenges,
}

/** Every table of records, in the order in which a commit locks and writes them. */
export const TABLES: ReadonlyArray<Table<Records[Kind]>> = Object.values(BY_KIND)

const POSITIONS: ReadonlyMap<Kind, number> = new Map(
  TABLES.map((table, position) => [table.kind, position]),
)

/** Where the kind's table stands in {@link TABLES}; an unknown kind is a defect. */
export const positionOf = (kind: Kind): number => {
  const position = POSITIONS.get(kind)
  if (position === undefined) throw new TypeError(`There is no table for records of kind ${kind}`)
  return position
}

/** The table of a kind. */
export const tableOf = <K extends Kind>(kind: K): Table<Records[K]> => BY_KIND[kind]
