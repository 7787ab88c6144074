import type { QrCodeQuery } from "../../core/billing/QrCodeQuery.ts"
import type { DiscrepancyQuery } from "../../core/gateway/Discrepancy.ts"
import type { InvoiceQuery, SubscriptionQuery } from "../../core/invoices/InvoiceQuery.ts"
import { sumOf } from "../../core/invoices/Usage.ts"
import type { IntentQuery } from "../../core/payments/IntentQuery.ts"
import { asOf } from "../../core/payments/Lifecycle.ts"
import { leavesAt, type PaymentIntent } from "../../core/payments/PaymentIntent.ts"
import type { Questions } from "../../core/ports/Questions.ts"
import type { Found } from "../../core/shared/Page.ts"
import { searchListings } from "./listings.ts"
import { searchServices } from "./search.ts"
import { type Atomically, replyId, type State } from "./State.ts"
import { first, type Table } from "./Table.ts"

const isBy = (
  { account_id, payer: { agent_id } }: PaymentIntent,
  viewer: string,
  agents: ReadonlyArray<string>,
): boolean => account_id === viewer && agent_id !== null && agents.includes(agent_id)

const answers = (intent: PaymentIntent, query: IntentQuery): boolean => {
  const { status } = asOf(intent, query.now)
  return (
    (query.service_id === undefined || intent.service_id === query.service_id) &&
    (query.statuses === undefined || query.statuses.includes(status)) &&
    (query.agents === undefined || isBy(intent, query.viewer, query.agents)) &&
    (query.created_after === undefined || intent.created_at >= query.created_after) &&
    (query.created_before === undefined || intent.created_at < query.created_before)
  )
}

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
  const seen = [...table.newest([{ account_id: viewer }, { payee_account_id: viewer }])]
  const found = seen.filter(
    (record) =>
      (service_id === undefined || record.service_id === service_id) &&
      (status === undefined || record.status === status) &&
      (subscription === undefined || record.subscription === subscription),
  )
  return { data: found.slice(offset, offset + limit), total: found.length }
}

const discrepancies = ({ tables }: State, query: DiscrepancyQuery) => {
  const by = "run" in query ? { run: query.run } : { account_id: query.account_id }
  return tables.discrepancy
    .list({ by })
    .filter(
      ({ created_at }) => "run" in query || (created_at >= query.from && created_at < query.to),
    )
    .toSorted((a, b) => a.created_at - b.created_at || (a.id < b.id ? -1 : 1))
    .slice(0, query.limit)
}

const countQrCodes = ({ counters, tables }: State, query: QrCodeQuery): number => {
  const { account_id, counter, from, to } = query
  let count = counters.get(counter) ?? 0
  for (const { created_at, offers } of tables.payment_intent.newest([{ account_id }])) {
    if (created_at >= from && created_at < to) count += offers.length
  }
  return count
}

const leaving = (intents: Iterable<PaymentIntent>): ReadonlyArray<PaymentIntent> =>
  [...intents]
    .map((intent) => ({ at: leavesAt(intent), intent }))
    .filter(({ at }) => at !== null)
    .toSorted((a, b) => Number(a.at) - Number(b.at) || (a.intent.id < b.intent.id ? -1 : 1))
    .map(({ intent }) => intent)

/** The reads that no id, unique name or list answers. */
export const questions = (state: State, read: Atomically): Questions => {
  const { audit, counters, ledger, replies, tables } = state
  return {
    findCredential: (hash) =>
      read(() => {
        const api_key = tables.api_key.named({ hash })
        const account = tables.account.get(api_key?.account_id ?? "")
        return api_key && account && { api_key, account }
      }),
    findReply: (accountId, key) => read(() => replies.get(replyId(accountId, key))),
    readCounters: (names) => read(() => names.map((name) => counters.get(name) ?? 0)),

    listIntents: (query) =>
      read(() => {
        const seen = ["account_id", "payee_account_id", "payer_account_id"].map((side) => ({
          [side]: query.viewer,
        }))
        const listed = tables.payment_intent.newest(seen, query.starting_after)
        return first(query.limit, listed, (intent) => answers(intent, query))
      }),
    listUnpaid: (account_id, limit) =>
      read(() => leaving(tables.payment_intent.newest([{ account_id }])).slice(0, limit)),
    listLeaving: (from, limit) =>
      read(() => {
        const all = leaving(tables.payment_intent.values())
        return first(limit, all, (intent) => Number(leavesAt(intent)) >= from)
      }),
    countQrCodes: (query) => read(() => countQrCodes(state, query)),
    listSubscriptions: (query) => read(() => page(tables.subscription, query)),
    listInvoices: (query) => read(() => page(tables.invoice, query)),
    sumUsage: (tab, period) =>
      read(() => {
        const used = tables.usage_record.list({ by: { tab, period } })
        return { quantity: sumOf(used.map(({ quantity }) => quantity)), records: used.length }
      }),

    searchServices: (search) => read(() => searchServices(tables.service.values(), search)),
    searchListings: (search) =>
      read(() => searchListings(tables.listing.values(), (id) => tables.service.get(id), search)),
    isOthersAccessItem: (accountId, item_key) =>
      read(() =>
        tables.access_item
          .list({ by: { item_key } })
          .some(
            ({ account_id, payment_intent }) => account_id !== accountId && payment_intent !== null,
          ),
      ),

    listPostings: (query) => read(() => ledger.list(query)),
    listDayTotals: (query) => read(() => ledger.dayTotals(query)),
    sumDays: (query) => read(() => ledger.sums(query)),
    listBalances: (accountId) => read(() => ledger.balances(accountId)),
    listClearing: (query) => read(() => ledger.clearing(query)),
    listDiscrepancies: (query) => read(() => discrepancies(state, query)),
    listRuns: (from, to) =>
      read(() =>
        [...tables.reconciliation_run.values()]
          .filter(({ day }) => day >= from && day <= to)
          .toSorted((a, b) => (`${a.day} ${a.channel}` < `${b.day} ${b.channel}` ? -1 : 1)),
      ),

    findAuditEntry: (id) => read(() => audit.find(id)),
    listAudit: (query) => read(() => audit.list(query)),
    readAudit: ({ after, limit }) => read(() => audit.read(after, limit)),
    auditHead: () => read(() => audit.head()),
  }
}
