import type { AccountView, NewAccountView } from "../../core/accounts/Account.ts"
import type { ApiKeyView } from "../../core/accounts/ApiKey.ts"
import type { InstallView } from "../../core/installs/InstallView.ts"
import type { InvoiceView } from "../../core/invoices/InvoiceView.ts"
import type { SubscriptionView } from "../../core/invoices/SubscriptionView.ts"
import type { IntentView } from "../../core/payments/IntentView.ts"
import type { QuoteView } from "../../core/quotes/QuoteView.ts"
import type { RefundView } from "../../core/refunds/RefundView.ts"
import type { ServiceView } from "../../core/registry/ServiceView.ts"
import type { EndpointView } from "../../core/webhooks/endpoints/Endpoint.ts"

/** A seller or a buyer. */
export type Account = typeof AccountView.Type
/** A new account with its first key, which is shown only here. */
export type NewAccount = typeof NewAccountView.Type
/** A key of an account, without its secret. */
export type ApiKey = typeof ApiKeyView.Type
/** A service of a seller. */
export type Service = typeof ServiceView.Type
/** A payment, by its `status`. */
export type PaymentIntent = IntentView
/** A refund, by its `status`. */
export type Refund = typeof RefundView.Type
/** A rate that is fixed for a short time. */
export type Quote = typeof QuoteView.Type
/** A service that a buyer's agent has installed. */
export type Install = typeof InstallView.Type
/** A plan that an agent pays for every period. */
export type Subscription = typeof SubscriptionView.Type
/** An amount owed for a period or for usage. */
export type Invoice = typeof InvoiceView.Type
/** An endpoint that receives webhooks. */
export type WebhookEndpoint = typeof EndpointView.Type
