import { Schema } from "effect"
import { INTERVALS } from "../shared/Period.ts"
import { shownAs } from "../shared/View.ts"
import { Amount, Time } from "../shared/Wire.ts"
import {
  CANCEL_REASONS,
  type Subscription,
  SUBSCRIPTION_STATUSES,
  type SubscriptionEventType,
} from "./Subscription.ts"

const Payer = Schema.Struct({
  agent_id: Schema.String.annotateKey({
    description: "The agent's id, chosen by its account.",
  }),
  human_id: Schema.NullOr(Schema.String).annotateKey({
    description: "The person whom the agent pays for; null if unknown.",
  }),
})

const amount = { currency: "USD", value: 1_999 }

/** The example of a subscription. */
export const exampleSubscription = {
  id: "sub_01997d3e-8a00-7000-8000-000000000050",
  service_id: "01997d3e-8a00-7000-8000-000000000010",
  plan_id: "pro",
  interval: "monthly",
  amount,
  status: "active",
  payer: { agent_id: "agent_buyer_1", human_id: null },
  current_period_start: "2026-01-31T08:00:00.000Z",
  current_period_end: "2026-02-28T08:00:00.000Z",
  cancel_at_period_end: false,
  latest_invoice: "inv_01997d3e-8a00-7000-8000-000000000051",
  created_at: "2026-01-31T08:00:00.000Z",
} as const

/** A subscription as its subscriber and its seller see it. */
export const SubscriptionView = Schema.Struct({
  id: Schema.String.annotate({ description: "`sub_` and a UUID." }),
  service_id: Schema.String.annotateKey({ description: "The service's id." }),
  plan_id: Schema.String.annotateKey({ description: "The plan's id within its service." }),
  interval: Schema.Literals(INTERVALS).annotateKey({
    description: "The length of a plan's period.",
  }),
  amount: Amount.annotate({ description: "The price of each period. It never changes." }),
  status: Schema.Literals(SUBSCRIPTION_STATUSES).annotate({
    description: "`past_due` when an invoice is unpaid after 7 days, `cancelled` after 14.",
  }),
  payer: Payer.annotateKey({ description: "The agent that pays, and the person it pays for." }),
  current_period_start: Time.annotateKey({ description: "When the paid period began." }),
  current_period_end: Time.annotateKey({
    description: "When the paid period ends, and the next invoice is due.",
  }),
  cancel_at_period_end: Schema.Boolean.annotateKey({
    description: "Whether the subscription ends with its current period.",
  }),
  latest_invoice: Schema.String.annotateKey({ description: "The id of the newest invoice." }),
  past_due_at: Schema.optionalKey(Time).annotateKey({
    description: "Since when an invoice has been overdue.",
  }),
  cancelled_at: Schema.optionalKey(Time).annotateKey({
    description: "When the subscription was cancelled.",
  }),
  cancel_reason: Schema.optionalKey(Schema.Literals(CANCEL_REASONS)).annotateKey({
    description: "Why the subscription ended.",
  }),
  created_at: Time.annotateKey({ description: "The time of creation." }),
}).annotate({
  identifier: "Subscription",
  description: "A plan that an agent pays every period.",
  examples: [exampleSubscription],
})

/** See {@link SubscriptionView}. */
export const subscriptionView = (subscription: Subscription) =>
  shownAs(SubscriptionView, subscription)

declare module "../webhooks/events/Event.ts" {
  interface EventData extends Readonly<
    Record<SubscriptionEventType, typeof SubscriptionView.Type>
  > {}
}
