import { HttpApi, OpenApi } from "effect/http-api"
import { accessItems } from "./accessItems.ts"
import { accountLog } from "./accountLog.ts"
import { accounts } from "./accounts.ts"
import { ai } from "./ai.ts"
import { apiKeys } from "./apiKeys.ts"
import { audit } from "./audit.ts"
import { billing } from "./billing.ts"
import { challenges } from "./challenges.ts"
import { channelCallbacks } from "./channelCallbacks.ts"
import { installs } from "./installs.ts"
import { channels } from "./channels.ts"
import { kyc, kycReviews } from "./kyc.ts"
import { ledger } from "./ledger.ts"
import { discovery } from "./discovery.ts"
import { facilitator } from "./facilitator.ts"
import { fx } from "./fx.ts"
import { listings } from "./listings.ts"
import { merchant } from "./merchant.ts"
import { oauth } from "./oauth.ts"
import { operations } from "./operations.ts"
import { paymentIntents } from "./paymentIntents.ts"
import { payments } from "./payments.ts"
import { refundRequests } from "./refundRequests.ts"
import { refunds } from "./refunds.ts"
import { reconciliationRuns, reports } from "./reports.ts"
import { sandbox } from "./sandbox.ts"
import { sandboxPaid } from "./sandboxPaid.ts"
import { services } from "./services.ts"
import { invoices, subscriptions } from "./subscriptions.ts"
import { usage } from "./usage.ts"
import { webhookEndpoints } from "./webhookEndpoints.ts"
import { webhookDeliveries } from "./webhookDeliveries.ts"

const described = OpenApi.annotations({
  title: "payport",
  version: "1",
  description: "Software agents sell and buy services on behalf of people.",
  license: { name: "Apache-2.0", url: "https://www.apache.org/licenses/LICENSE-2.0" },
})

/** The interface of a live installation, without the routes about its server. */
export const CoreApi = HttpApi.make("payport")
  .add(
    accounts,
    apiKeys,
    oauth,
    accountLog,
    services,
    channels,
    installs,
    paymentIntents,
    payments,
    challenges,
    facilitator,
    listings,
    fx,
    refunds,
    refundRequests,
    channelCallbacks,
    accessItems,
    merchant,
    ledger,
    reports,
    reconciliationRuns,
    billing,
    kyc,
    kycReviews,
    audit,
    subscriptions,
    invoices,
    usage,
    webhookEndpoints,
    webhookDeliveries,
    ai,
  )
  .annotateMerge(described)

/** The interface of a sandbox, without the routes about its server. */
export const SandboxApi = CoreApi.add(sandbox)

/** The interface of a live installation. */
export const LiveApi = CoreApi.add(operations, discovery)

/** The whole interface, with the sandbox's part. */
export const Api = LiveApi.add(sandbox, sandboxPaid)
