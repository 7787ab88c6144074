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
/** The same with its first key, which is shown this once. */
export type NewAccount = typeof NewAccountView.Type
/** A key of an account, without the key itself. */
export type ApiKey = typeof ApiKeyView.Type
/** What a seller offers. */
export type Service = typeof ServiceView.Type
/** A payment, by its `status`. */
export type PaymentIntent = IntentView
/** Money that goes back, by its `status`. */
export type Refund = typeof RefundView.Type
/** A rate that is held for a moment. */
export type Quote = typeof QuoteView.Type
/** A service that a buyer's agent has installed. */
export type Install = typeof InstallView.Type
/** A plan that an agent pays every period. */
export type Subscription = typeof SubscriptionView.Type
/** What is owed for a period or for use. */
export type Invoice = typeof InvoiceView.Type
/** A receiver of webhooks. */
export type WebhookEndpoint = typeof EndpointView.Type
