import type { CoreApi } from "../contract/Api.ts"
import type { Handlers } from "../koa/Handlers.ts"
import type { Core } from "./Core.ts"
import { installHandlers } from "./installs.ts"
import { accessItemHandlers } from "./accessItems.ts"
import { accountLogHandlers } from "./accountLog.ts"
import { accountHandlers } from "./accounts.ts"
import { apiKeyHandlers } from "./apiKeys.ts"
import { auditHandlers } from "./audit.ts"
import { billingHandlers } from "./billing.ts"
import { challengeHandlers } from "./challenges.ts"
import { channelHandlers, merchantHandlers } from "./merchant.ts"
import { facilitatorHandlers } from "./facilitator.ts"
import { kycHandlers, kycReviewHandlers } from "./kyc.ts"
import { ledgerHandlers } from "./ledger.ts"
import {
  channelCallbackHandlers,
  fxHandlers,
  paymentHandlers,
  paymentIntentHandlers,
} from "./payments.ts"
import { listingHandlers } from "./listings.ts"
import { oauthHandlers } from "./oauth.ts"
import { aiHandlers } from "./qr.ts"
import { refundRequestHandlers } from "./refundRequests.ts"
import { refundHandlers } from "./refunds.ts"
import { invoiceHandlers, subscriptionHandlers, usageHandlers } from "./subscriptions.ts"
import { reconciliationRunHandlers, reportHandlers } from "./reports.ts"
import { webhookEndpointHandlers } from "./webhookEndpoints.ts"
import { serviceHandlers } from "./services.ts"
import { webhookDeliveryHandlers } from "./webhookDeliveries.ts"

/** The handlers of everything that a live installation can do. */
export const useCaseHandlers = {
  accounts: accountHandlers,
  apiKeys: apiKeyHandlers,
  oauth: oauthHandlers,
  accountLog: accountLogHandlers,
  services: serviceHandlers,
  channels: channelHandlers,
  paymentIntents: paymentIntentHandlers,
  refunds: refundHandlers,
  refundRequests: refundRequestHandlers,
  subscriptions: subscriptionHandlers,
  invoices: invoiceHandlers,
  serviceUsage: usageHandlers,
  payments: paymentHandlers,
  challenges: challengeHandlers,
  facilitator: facilitatorHandlers,
  listings: listingHandlers,
  fx: fxHandlers,
  channelCallbacks: channelCallbackHandlers,
  accessItems: accessItemHandlers,
  installs: installHandlers,
  merchant: merchantHandlers,
  ledger: ledgerHandlers,
  reports: reportHandlers,
  reconciliationRuns: reconciliationRunHandlers,
  billing: billingHandlers,
  kyc: kycHandlers,
  kycReviews: kycReviewHandlers,
  audit: auditHandlers,
  webhookEndpoints: webhookEndpointHandlers,
  webhookDeliveries: webhookDeliveryHandlers,
  ai: aiHandlers,
} satisfies Handlers<typeof CoreApi, Core>
