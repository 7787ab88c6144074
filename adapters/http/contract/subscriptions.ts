import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { CancelQuery } from "../../../core/subscriptions/cancelSubscription.ts"
import {
  ListInvoicesQuery,
  ListSubscriptionsQuery,
} from "../../../core/subscriptions/listInvoices.ts"
import { SubscribeInput, subscribeRules } from "../../../core/subscriptions/SubscribeInput.ts"
import { AccountKey } from "./Access.ts"
import { ANY, CHANGE, BODY, KEYED, ONCE, ofFields, refusals } from "./Errors.ts"
import { IntentView } from "../../../core/payments/IntentView.ts"
import { Idempotency, Rules } from "./Route.ts"
import { ById, counted, Nothing } from "./Wire.ts"
import { InvoiceView } from "../../../core/invoices/InvoiceView.ts"
import { SubscriptionView } from "../../../core/invoices/SubscriptionView.ts"
import { SubscribedView } from "../../../core/subscriptions/SubscribedView.ts"

/** What opening a payment may be refused for. */
const REFUSED = [
  "NOT_FOUND",
  "INVALID_AMOUNT",
  "INSUFFICIENT_KYC",
  "CHANNEL_UNAVAILABLE",
  "CHANNEL_NO_DEEPLINK",
  "CHANNEL_TEMPORARILY_UNAVAILABLE",
  "CHANNEL_CONFIGURATION_ERROR",
  "CHANNEL_ERROR",
] as const

/** Plans that agents subscribe to. */
export const subscriptions = HttpApiGroup.make("subscriptions")
  .add(
    HttpApiEndpoint.post("subscribe", "/v1/service-manifests/:id/subscribe", {
      disableCodecs: true,
      params: ById,
      payload: SubscribeInput.annotate({
        identifier: "SubscribeInput",
        description: "The plan, and the agent that subscribes: by default that of the key.",
        examples: [{ plan_id: "pro", interval: "monthly", payer: { agent_id: "agent_buyer_1" } }],
      }),
      success: SubscribedView.pipe(HttpApiSchema.status(201)),
      error: refusals(ANY, KEYED, BODY, ONCE, REFUSED, ofFields(subscribeRules), [
        "SERVICE_NOT_ACTIVE",
        "ALREADY_SUBSCRIBED",
      ]),
    })
      .annotate(Rules, subscribeRules)
      .annotate(Idempotency, "checked")
      .annotate(OpenApi.Summary, "Subscribe an agent to a plan"),
    HttpApiEndpoint.get("list", "/v1/subscriptions", {
      disableCodecs: true,
      query: ListSubscriptionsQuery.fields,
      success: counted(SubscriptionView),
      error: refusals(ANY, KEYED),
    }).annotate(OpenApi.Summary, "List subscriptions that you pay or sell, newest first"),
    HttpApiEndpoint.get("get", "/v1/subscriptions/:id", {
      disableCodecs: true,
      params: ById,
      success: SubscriptionView,
      error: refusals(ANY, KEYED, ["NOT_FOUND"]),
    }).annotate(OpenApi.Summary, "Get a subscription"),
    HttpApiEndpoint.delete("cancel", "/v1/subscriptions/:id", {
      disableCodecs: true,
      params: ById,
      query: CancelQuery.fields,
      success: SubscriptionView,
      error: refusals(ANY, CHANGE, KEYED, ["NOT_FOUND", "INVALID_TRANSITION"]),
    }).annotate(OpenApi.Summary, "End a subscription with its period, or with `now=true` at once"),
  )
  .middleware(AccountKey)
  .annotate(OpenApi.Title, "Subscriptions")

/** What subscriptions and use come to. */
export const invoices = HttpApiGroup.make("invoices")
  .add(
    HttpApiEndpoint.get("list", "/v1/invoices", {
      disableCodecs: true,
      query: ListInvoicesQuery.fields,
      success: counted(InvoiceView),
      error: refusals(ANY, KEYED),
    }).annotate(OpenApi.Summary, "List invoices that you pay or are paid, newest first"),
    HttpApiEndpoint.get("get", "/v1/invoices/:id", {
      disableCodecs: true,
      params: ById,
      success: InvoiceView,
      error: refusals(ANY, KEYED, ["NOT_FOUND"]),
    }).annotate(OpenApi.Summary, "Get an invoice"),
    HttpApiEndpoint.post("pay", "/v1/invoices/:id/pay", {
      disableCodecs: true,
      params: ById,
      payload: Nothing,
      success: IntentView.pipe(HttpApiSchema.status(201)),
      error: refusals(ANY, KEYED, BODY, ONCE, REFUSED, ["FORBIDDEN", "INVALID_TRANSITION"]),
    })
      .annotate(Idempotency, "checked")
      .annotate(OpenApi.Summary, "Get the payment that pays an open invoice, or a new one"),
  )
  .middleware(AccountKey)
  .annotate(OpenApi.Title, "Invoices")
