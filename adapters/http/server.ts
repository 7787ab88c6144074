import { Effect, Layer } from "effect"
import { Installation } from "../../core/ports/Installation.ts"
import type { Inbox } from "../../core/ports/Inbox.ts"
import type { Sandbox } from "../../core/ports/Sandbox.ts"
import { Api, LiveApi } from "./contract/Api.ts"
import { installHandlers } from "./handlers/installs.ts"
import { accessItemHandlers } from "./handlers/accessItems.ts"
import { accountLogHandlers } from "./handlers/accountLog.ts"
import { accountHandlers } from "./handlers/accounts.ts"
import { apiKeyHandlers } from "./handlers/apiKeys.ts"
import { auditHandlers } from "./handlers/audit.ts"
import { billingHandlers } from "./handlers/billing.ts"
import type { Core } from "./handlers/Core.ts"
import { challengeHandlers } from "./handlers/challenges.ts"
import { channelHandlers, merchantHandlers } from "./handlers/merchant.ts"
import { kycHandlers, kycReviewHandlers } from "./handlers/kyc.ts"
import { ledgerHandlers } from "./handlers/ledger.ts"
import { operationsHandlers } from "./handlers/operations.ts"
import {
  channelCallbackHandlers,
  fxHandlers,
  paymentHandlers,
  paymentIntentHandlers,
} from "./handlers/payments.ts"
import { aiHandlers } from "./handlers/qr.ts"
import { refundHandlers } from "./handlers/refunds.ts"
import { invoiceHandlers, subscriptionHandlers, usageHandlers } from "./handlers/subscriptions.ts"
import { reconciliationRunHandlers, reportHandlers } from "./handlers/reports.ts"
import { sandboxHandlers } from "./handlers/sandbox.ts"
import { sandboxPaidHandlers } from "./handlers/sandboxPaid.ts"
import { webhookEndpointHandlers } from "./handlers/webhookEndpoints.ts"
import { serviceHandlers } from "./handlers/services.ts"
import { webhookDeliveryHandlers } from "./handlers/webhookDeliveries.ts"
import type { Handlers, Impossible } from "./koa/Handlers.ts"
import * as HttpServer from "./koa/HttpServer.ts"
import type { ServerState } from "./koa/Interface.ts"
import { routesOf } from "./koa/Route.ts"
import { documentOf } from "./openapi.ts"

type Document = { readonly [key: string]: unknown }

const liveHandlers = (state: ServerState, document: Document) =>
  ({
    accounts: accountHandlers,
    apiKeys: apiKeyHandlers,
    accountLog: accountLogHandlers,
    services: serviceHandlers,
    channels: channelHandlers,
    paymentIntents: paymentIntentHandlers,
    refunds: refundHandlers,
    subscriptions: subscriptionHandlers,
    invoices: invoiceHandlers,
    serviceUsage: usageHandlers,
    payments: paymentHandlers,
    challenges: challengeHandlers,
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
    operations: operationsHandlers(state, document),
  }) satisfies Handlers<typeof LiveApi, Core>

const allHandlers = (state: ServerState, document: Document) =>
  ({
    ...liveHandlers(state, document),
    sandbox: sandboxHandlers,
    sandboxPaid: sandboxPaidHandlers(),
  }) satisfies Handlers<typeof Api, Core | Inbox | Sandbox>

type None<Found extends never> = Found

/** An endpoint that declares a code which its use case cannot give does not compile. */
type _EveryCodeIsGiven = None<Impossible<typeof Api, ReturnType<typeof allHandlers>>>

const baseUrl = Effect.map(Installation, ({ base_url }) => base_url)

/** Serves the interface of a live installation: without the sandbox's routes. */
export const layerLive = (
  options: HttpServer.ServerOptions,
): Layer.Layer<HttpServer.HttpServer, HttpServer.ListenError, Core> =>
  Layer.unwrap(
    Effect.map(baseUrl, (url) => {
      const document = documentOf(LiveApi, url)
      return HttpServer.layer<Core>(options, (state) =>
        routesOf(LiveApi, liveHandlers(state, document)),
      )
    }),
  )

/** Serves the whole interface, with the sandbox's controls. */
export const layerSandbox = (
  options: HttpServer.ServerOptions,
): Layer.Layer<HttpServer.HttpServer, HttpServer.ListenError, Core | Inbox | Sandbox> =>
  Layer.unwrap(
    Effect.map(baseUrl, (url) => {
      const document = documentOf(Api, url)
      return HttpServer.layer<Core | Inbox | Sandbox>(options, (state) =>
        routesOf(Api, allHandlers(state, document)),
      )
    }),
  )
