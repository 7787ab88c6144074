import type { Kind, Records } from "../../../../core/ports/Store.ts"
import {
  aConsoleSession,
  aLogEntry,
  anAccount,
  anAgent,
  anAllowance,
  anApiKey,
  anAppeal,
  aService,
  verificationIn,
} from "./accounts.ts"
import { aCallback, aChannelRequest, aDiscrepancy, aFeeDay, aRun } from "./channels.ts"
import {
  aChallenge,
  anAccessItem,
  anIntent,
  aQuote,
  refundIn,
  refundRequestIn,
  revocationIn,
} from "./payments.ts"
import {
  aCycle,
  anInstall,
  aStatement,
  aTab,
  aUsage,
  invoiceIn,
  mandateIn,
  subscriptionIn,
} from "./recurring.ts"
import { aListing } from "./listings.ts"
import { aDelivery, aFeed, anEndpoint, anEvent, aWebhookKey, CONSUMER_LIST } from "./webhooks.ts"

/** A record of each kind. */
export const oneOfEachKind = (): { readonly [K in Kind]: Records[K] } => ({
  account: anAccount(),
  agent: anAgent(),
  verification: verificationIn("pending"),
  appeal: anAppeal(),
  otp_allowance: anAllowance(),
  api_key: anApiKey(),
  console_session: aConsoleSession(),
  log_entry: aLogEntry(),
  service: aService(),
  payment_intent: anIntent(),
  channel_request: aChannelRequest(),
  callback: aCallback(),
  refund: refundIn("pending"),
  refund_request: refundRequestIn("open"),
  discrepancy: aDiscrepancy(),
  event: anEvent(),
  delivery: aDelivery(),
  quote: aQuote(),
  challenge: aChallenge(),
  fee_day: aFeeDay(),
  access_item: anAccessItem(),
  revocation: revocationIn("pending"),
  feed: aFeed(),
  consumer_list: CONSUMER_LIST,
  reconciliation_run: aRun(),
  billing_cycle: aCycle(),
  statement: aStatement(),
  subscription: subscriptionIn("active"),
  invoice: invoiceIn("open"),
  tab: aTab(),
  usage_record: aUsage(),
  endpoint: anEndpoint(),
  webhook_key: aWebhookKey(),
  listing: aListing(),
  install: anInstall(),
  mandate: mandateIn("active"),
})
