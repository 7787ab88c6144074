import { HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { CancelQuery } from "../../../core/subscriptions/cancelSubscription.ts"
import {
  ListInvoicesQuery,
  ListSubscriptionsQuery,
} from "../../../core/subscriptions/listInvoices.ts"
import { SubscribeInput, subscribeRules } from "../../../core/subscriptions/SubscribeInput.ts"
import {
  ProveSubscriptionInput,
  RedeemSubscriptionInput,
  SubscriptionProofView,
  SubscriptionRedemptionView,
} from "../../../core/subscriptions/SubscriptionProof.ts"
import { AccountKey } from "./Access.ts"
import { ofFields } from "./Errors.ts"
import { IntentView } from "../../../core/payments/IntentView.ts"
import { counted, Nothing } from "./Wire.ts"
import { InvoiceView } from "../../../core/invoices/InvoiceView.ts"
import { SubscriptionView } from "../../../core/invoices/SubscriptionView.ts"
import { SubscribedView } from "../../../core/subscriptions/SubscribedView.ts"
import { account } from "./Endpoint.ts"
import { Audiences, Group, Rate } from "./Route.ts"

/** The refusals of opening a payment. */
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
    account.post("subscribe", "/v1/service-manifests/:id/subscribe", {
      audiences: ["buyer"],
      summary: "Subscribe an agent to a plan",
      description:
        "Use it for a plan that is paid every period. For a single use, use `POST " +
        "/v1/payments/one-time`; for metered use, a tab. Send the `amount` that you have read: " +
        "if the seller has changed the plan's price since, nothing is charged.",
      payload: SubscribeInput.annotate({
        identifier: "SubscribeInput",
        description: "The plan and the agent that subscribes. Default: the agent of a buyer's key.",
        examples: [
          {
            plan_id: "pro",
            interval: "monthly",
            amount: { currency: "USD", value: 1_999 },
            payer: { agent_id: "agent_buyer_1" },
          },
        ],
      }),
      rules: subscribeRules,
      success: SubscribedView.pipe(HttpApiSchema.status(201)),
      refusals: [
        ...REFUSED,
        ...ofFields(subscribeRules),
        "SERVICE_NOT_ACTIVE",
        "ALREADY_SUBSCRIBED",
        "SPEND_CAP_EXCEEDED",
      ],
    }),
    account.get("list", "/v1/subscriptions", {
      mayBeStale: true,
      summary: "List the subscriptions that you pay or sell, newest first",
      description:
        "Use it to see which subscriptions are active or past due. Open amounts are in " +
        "`/v1/invoices`.",
      query: ListSubscriptionsQuery.fields,
      success: counted(SubscriptionView),
    }),
    account.get("get", "/v1/subscriptions/:id", {
      summary: "Get a subscription",
      description: "Use it to see the end of the paid period, and the newest invoice.",
      success: SubscriptionView,
      refusals: ["NOT_FOUND"],
    }),
    account.post("prove", "/v1/subscriptions/:id/proofs", {
      audiences: ["buyer"],
      summary: "Prove a subscription to its seller (buyer)",
      description:
        "Use it when a seller's endpoint asks for a subscription (MPP, intent " +
        "`subscription`). It charges nothing. To pay an open invoice, use `POST " +
        "/v1/invoices/{id}/pay`.",
      payload: ProveSubscriptionInput.annotate({
        identifier: "ProveSubscriptionInput",
        description: "The challenge of the seller's endpoint.",
        examples: [{ challenge: "wqLkY1Cq7pYh0cVbXv5cN3mJ8uRz2sT4aEoGdKfHiXk" }],
      }),
      idempotency: "none",
      success: SubscriptionProofView,
      refusals: ["NOT_FOUND", "FORBIDDEN", "PAYMENT_REQUIRED"],
    }),
    account.post("redeem", "/v1/subscriptions/:id/redeem", {
      audiences: ["seller"],
      summary: "Accept the proof of a subscription (seller)",
      description:
        "Use it before you answer a request that shows a proof. Each proof lets one " +
        "request through, while the subscription's period is paid.",
      payload: RedeemSubscriptionInput.annotate({
        identifier: "RedeemSubscriptionInput",
        description: "The proof that was shown, and the service and plan that it is for.",
        examples: [
          {
            service_id: "01997d3e-8a00-7000-8000-000000000010",
            plan_id: "pro",
            challenge: "wqLkY1Cq7pYh0cVbXv5cN3mJ8uRz2sT4aEoGdKfHiXk",
            token: "0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1f0",
            expires_at: "2026-01-31T08:05:00.000Z",
          },
        ],
      }),
      annotations: Rate.context("reserve"),
      success: SubscriptionRedemptionView,
      refusals: ["PAYMENT_REQUIRED", "PAYMENT_PROOF_INVALID", "PAYMENT_PROOF_USED"],
    }),
    account.delete("cancel", "/v1/subscriptions/:id", {
      summary: "Cancel a subscription at the end of its period, or with `now=true` at once",
      description:
        "Use it to stop paying. The plan runs to the end of its paid period. Paid money is " +
        "returned only by a refund.",
      query: CancelQuery.fields,
      success: SubscriptionView,
      refusals: ["NOT_FOUND", "INVALID_TRANSITION"],
    }),
  )
  .middleware(AccountKey)
  .annotate(Group, "pay")
  .annotate(Audiences, ["buyer", "seller"])
  .annotate(OpenApi.Title, "Subscriptions")

/** The invoices of subscriptions and usage. */
export const invoices = HttpApiGroup.make("invoices")
  .add(
    account.get("list", "/v1/invoices", {
      mayBeStale: true,
      summary: "List the invoices that you pay or receive money for, newest first",
      description:
        "Use it to find unpaid invoices (`status=open`). Payments are in `/v1/payment-intents`.",
      query: ListInvoicesQuery.fields,
      success: counted(InvoiceView),
    }),
    account.get("get", "/v1/invoices/:id", {
      summary: "Get an invoice",
      description: "Use it to see an invoice's lines. To pay it, use `POST /v1/invoices/{id}/pay`.",
      success: InvoiceView,
      refusals: ["NOT_FOUND"],
    }),
    account.post("pay", "/v1/invoices/:id/pay", {
      audiences: ["buyer"],
      summary: "Get or create the payment of an unpaid invoice",
      description:
        "Use it to pay an invoice that is open or uncollectible. It returns the same payment as " +
        "long as that can be paid. Do not create a payment of your own for an invoice.",
      payload: Nothing,
      success: IntentView.pipe(HttpApiSchema.status(201)),
      refusals: [...REFUSED, "FORBIDDEN", "INVALID_TRANSITION", "SPEND_CAP_EXCEEDED"],
    }),
    account.post("void", "/v1/invoices/:id/void", {
      audiences: ["seller"],
      summary: "Forgive an invoice that is open or uncollectible (seller)",
      description:
        "Use it if nobody has to pay the invoice any more. It ends the payment that the invoice " +
        "waits for. An invoice that is being charged is refused. To end a subscription, cancel " +
        "it. Paid money is returned only by a refund.",
      payload: Nothing,
      success: InvoiceView,
      refusals: ["NOT_FOUND", "FORBIDDEN", "INVALID_TRANSITION"],
    }),
  )
  .middleware(AccountKey)
  .annotate(Group, "pay")
  .annotate(Audiences, ["buyer", "seller"])
  .annotate(OpenApi.Title, "Invoices")
