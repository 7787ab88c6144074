import { Effect, Schema } from "effect"
import type { Caller } from "../accounts/Account.ts"
import { Store } from "../ports/Store.ts"
import { isId, isUuid } from "../shared/Id.ts"
import { integer } from "../shared/Page.ts"
import { findVisibleInvoice, findVisibleSubscription } from "./access.ts"
import { INVOICE_STATUSES } from "../invoices/Invoice.ts"
import { SUBSCRIPTION_STATUSES } from "../invoices/Subscription.ts"
import { invoiceView } from "../invoices/InvoiceView.ts"
import { subscriptionView } from "../invoices/SubscriptionView.ts"

const serviceId = Schema.String.check(
  Schema.makeFilter((id: string) => isUuid(id) || "must be a service's id"),
)

const subscriptionId = Schema.String.check(
  Schema.makeFilter((id: string) => isId("sub", id) || "must be a subscription's id"),
)

const paging = { limit: integer(1, 100, 20), offset: integer(0, 2_147_483_647, 0) }

/** The query of `GET /v1/subscriptions`. */
export const ListSubscriptionsQuery = Schema.Struct({
  service_id: Schema.optionalKey(serviceId).annotateKey({
    description: "Only items of this service.",
  }),
  status: Schema.optionalKey(Schema.Literals(SUBSCRIPTION_STATUSES)).annotateKey({
    description: "Only items in this state.",
  }),
  ...paging,
})
export type ListSubscriptionsQuery = typeof ListSubscriptionsQuery.Type

/** The query of `GET /v1/invoices`. */
export const ListInvoicesQuery = Schema.Struct({
  service_id: Schema.optionalKey(serviceId).annotateKey({
    description: "Only items of this service.",
  }),
  subscription: Schema.optionalKey(subscriptionId).annotateKey({
    description: "Only invoices of this subscription.",
  }),
  status: Schema.optionalKey(Schema.Literals(INVOICE_STATUSES)).annotateKey({
    description: "Only items in this state.",
  }),
  ...paging,
})
export type ListInvoicesQuery = typeof ListInvoicesQuery.Type

/** Lists the caller's subscriptions, as subscriber or seller, newest first. */
export const listSubscriptions = Effect.fn("listSubscriptions")(function* (
  { account }: Caller,
  query: ListSubscriptionsQuery,
) {
  const { limit, offset } = query
  const found = yield* (yield* Store).listSubscriptions({ viewer: account.id, ...query })
  return {
    data: found.data.map(subscriptionView),
    pagination: { total: found.total, limit, offset },
  }
})

/**
 * Lists the caller's invoices, as payer or payee, newest first (AI-native endpoints,
 * `query_invoice`).
 */
export const listInvoices = Effect.fn("listInvoices")(function* (
  { account }: Caller,
  query: ListInvoicesQuery,
) {
  const { limit, offset } = query
  const found = yield* (yield* Store).listInvoices({ viewer: account.id, ...query })
  return { data: found.data.map(invoiceView), pagination: { total: found.total, limit, offset } }
})

/** Shows a subscription to its subscriber or seller. */
export const getSubscription = (caller: Caller, id: string) =>
  Effect.map(findVisibleSubscription(caller, id), subscriptionView)

/** Shows an invoice to its payer or payee. */
export const getInvoice = (caller: Caller, id: string) =>
  Effect.map(findVisibleInvoice(caller, id), invoiceView)
