import { cancelSubscription } from "../../../core/subscriptions/cancelSubscription.ts"
import {
  getInvoice,
  getSubscription,
  listInvoices,
  listSubscriptions,
} from "../../../core/subscriptions/listInvoices.ts"
import { payInvoice } from "../../../core/subscriptions/payInvoice.ts"
import {
  proveSubscription,
  redeemSubscription,
} from "../../../core/subscriptions/proveSubscription.ts"
import { reportUsage } from "../../../core/subscriptions/reportUsage.ts"
import { getTab, startUsage, stopUsage } from "../../../core/subscriptions/startUsage.ts"
import { subscribe } from "../../../core/subscriptions/subscribe.ts"
import { voidInvoice } from "../../../core/subscriptions/voidInvoice.ts"
import type { invoices, subscriptions } from "../contract/subscriptions.ts"
import type { usage } from "../contract/usage.ts"
import type { CoreHandlers } from "./Core.ts"

export const subscriptionHandlers = {
  subscribe: ({ caller, params, payload }) => subscribe(caller, params.id, payload),
  list: ({ caller, query }) => listSubscriptions(caller, query),
  get: ({ caller, params }) => getSubscription(caller, params.id),
  prove: ({ caller, params, payload }) => proveSubscription(caller, params.id, payload),
  redeem: ({ caller, params, payload }) => redeemSubscription(caller, params.id, payload),
  cancel: ({ caller, params, query }) => cancelSubscription(caller, params.id, query),
} satisfies CoreHandlers<typeof subscriptions>

export const invoiceHandlers = {
  list: ({ caller, query }) => listInvoices(caller, query),
  get: ({ caller, params }) => getInvoice(caller, params.id),
  pay: ({ caller, params }) => payInvoice(caller, params.id),
  void: ({ caller, params }) => voidInvoice(caller, params.id),
} satisfies CoreHandlers<typeof invoices>

export const usageHandlers = {
  report: ({ caller, params, payload }) => reportUsage(caller, params.id, payload),
  start: ({ caller, params, payload }) => startUsage(caller, params.id, payload),
  tab: ({ caller, params, query }) => getTab(caller, params.id, query),
  stop: ({ caller, params, query }) => stopUsage(caller, params.id, query),
} satisfies CoreHandlers<typeof usage>
