import { Schema } from "effect"
import { exampleSubscription as example, SubscriptionView } from "../invoices/SubscriptionView.ts"
import { IntentView } from "../payments/IntentView.ts"

const payment = "pi_01997d3e-8a00-7000-8000-000000000020"
const { amount } = example

/** A subscription with the payment of its first period. */
export const SubscribedView = Schema.Struct({
  ...SubscriptionView.fields,
  payment: IntentView.annotate({
    description:
      "The payment of the first period, with a deep link, or completed if the install pays.",
  }),
}).annotate({
  identifier: "Subscribed",
  description: "A new subscription, and the payment of its first period.",
  examples: [
    {
      ...example,
      payment: {
        id: payment,
        service_id: example.service_id,
        type: "one_time",
        status: "pending",
        amount,
        settlement: { ...amount, rate: 1 },
        description: "Pro, 2026-01-31 to 2026-02-28",
        payer: example.payer,
        payee: { agent_id: "agent_weather", merchant_account: "merchant_42" },
        channel: "wallet_a",
        deeplink: `svc://pay/${payment}?amount=1999&currency=USD&channel=wallet_a`,
        invoice: example.latest_invoice,
        metadata: null,
        created_at: example.created_at,
        expires_at: "2026-02-01T08:00:00.000Z",
      },
    },
  ],
})
