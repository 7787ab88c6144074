import { Schema } from "effect"
import { INTERVALS } from "../../../core/shared/Period.ts"
import { INVOICE_STATUSES } from "../../../core/invoices/Invoice.ts"
import { SUBSCRIPTION_STATUSES } from "../../../core/invoices/Subscription.ts"
import { PaymentIntent } from "./PaymentIntent.ts"
import { Amount, Timestamp } from "./Wire.ts"

const Payer = Schema.Struct({
  agent_id: Schema.String,
  human_id: Schema.NullOr(Schema.String),
})

const ids = {
  subscription: "sub_01997d3e-8a00-7000-8000-000000000050",
  invoice: "inv_01997d3e-8a00-7000-8000-000000000051",
  service: "01997d3e-8a00-7000-8000-000000000010",
  payment: "pi_01997d3e-8a00-7000-8000-000000000020",
}

const amount = { currency: "USD", value: 1_999 }

const example = {
  id: ids.subscription,
  service_id: ids.service,
  plan_id: "pro",
  interval: "monthly",
  amount,
  status: "active",
  payer: { agent_id: "agent_buyer_1", human_id: null },
  current_period_start: "2026-01-31T08:00:00.000Z",
  current_period_end: "2026-02-28T08:00:00.000Z",
  cancel_at_period_end: false,
  latest_invoice: ids.invoice,
  created_at: "2026-01-31T08:00:00.000Z",
} as const

/** A subscription as both of its sides see it. */
export const Subscription = Schema.Struct({
  id: Schema.String.annotate({ description: "`sub_` and a UUID." }),
  service_id: Schema.String,
  plan_id: Schema.String,
  interval: Schema.Literals(INTERVALS),
  amount: Amount.annotate({ description: "What each period costs; it never changes." }),
  status: Schema.Literals(SUBSCRIPTION_STATUSES).annotate({
    description: "past_due when an invoice is unpaid after 7 days, cancelled after 14.",
  }),
  payer: Payer,
  current_period_start: Timestamp,
  current_period_end: Timestamp,
  cancel_at_period_end: Schema.Boolean,
  latest_invoice: Schema.String,
  past_due_at: Schema.optionalKey(Timestamp),
  cancelled_at: Schema.optionalKey(Timestamp),
  cancel_reason: Schema.optionalKey(Schema.Literals(["requested", "unpaid", "service_ended"])),
  created_at: Timestamp,
}).annotate({
  identifier: "Subscription",
  description: "A plan that an agent pays every period.",
  examples: [example],
})

/** A subscription with the payment of its first period. */
export const Subscribed = Schema.Struct({
  ...Subscription.fields,
  payment: PaymentIntent.annotate({
    description: "Of the first period: by its deep link, or completed where the install pays.",
  }),
}).annotate({
  identifier: "Subscribed",
  description: "A new subscription, and the payment of its first period.",
  examples: [
    {
      ...example,
      payment: {
        id: ids.payment,
        service_id: ids.service,
        type: "one_time",
        status: "pending",
        amount,
        settlement: { ...amount, rate: 1 },
        description: "Pro, 2026-01-31 to 2026-02-28",
        payer: example.payer,
        payee: { agent_id: "agent_weather", merchant_account: "merchant_42" },
        channel: "wallet_a",
        deeplink: `svc://pay/${ids.payment}?amount=1999&currency=USD&channel=wallet_a`,
        invoice: ids.invoice,
        metadata: null,
        created_at: example.created_at,
        expires_at: "2026-02-01T08:00:00.000Z",
      },
    },
  ],
})

const Line = Schema.Struct({
  description: Schema.String,
  quantity: Schema.String.annotate({ description: "An exact decimal." }),
  unit_amount: Schema.String.annotate({
    description: "Minor units for one unit, as an exact decimal.",
  }),
  amount: Amount,
})

/** An invoice as both of its sides see it. */
export const Invoice = Schema.Struct({
  id: Schema.String.annotate({ description: "`inv_` and a UUID." }),
  service_id: Schema.String,
  subscription: Schema.NullOr(Schema.String).annotate({
    description: "Null where it is for use.",
  }),
  agent_id: Schema.String.annotate({ description: "The agent that pays." }),
  status: Schema.Literals(INVOICE_STATUSES),
  lines: Schema.Array(Line),
  amount: Amount,
  payment_intent: Schema.NullOr(Schema.String).annotate({
    description: "The payment that pays it, or the last one that was to.",
  }),
  period_start: Timestamp,
  period_end: Timestamp,
  due_at: Timestamp.annotate({ description: "When it is to be paid." }),
  paid_at: Schema.optionalKey(Timestamp),
  created_at: Timestamp,
}).annotate({
  identifier: "Invoice",
  description: "What a period of a subscription, or of use, comes to.",
  examples: [
    {
      id: ids.invoice,
      service_id: ids.service,
      subscription: ids.subscription,
      agent_id: "agent_buyer_1",
      status: "open",
      lines: [{ description: "Pro", quantity: "1", unit_amount: "1999", amount }],
      amount,
      payment_intent: ids.payment,
      period_start: "2026-01-31T08:00:00.000Z",
      period_end: "2026-02-28T08:00:00.000Z",
      due_at: "2026-02-07T08:00:00.000Z",
      created_at: "2026-01-31T08:00:00.000Z",
    },
  ],
})

/** A running bill as both of its sides see it. */
export const Tab = Schema.Struct({
  service_id: Schema.String,
  agent_id: Schema.String,
  status: Schema.Literals(["open", "closed"]).annotate({
    description: "Use of an open tab counts.",
  }),
  unit: Schema.String,
  rate: Schema.String.annotate({ description: "Minor units for one unit, as an exact decimal." }),
  currency: Schema.String,
  billing_cycle: Schema.Literals(INTERVALS),
  quantity: Schema.String.annotate({ description: "Units in the current period." }),
  amount: Amount.annotate({ description: "What they come to so far." }),
  period_start: Timestamp,
  period_end: Timestamp,
  created_at: Timestamp,
}).annotate({
  identifier: "Tab",
  description: "What an agent uses of a service, billed once a cycle.",
  examples: [
    {
      service_id: ids.service,
      agent_id: "agent_buyer_1",
      status: "open",
      unit: "request",
      rate: "0.25",
      currency: "USD",
      billing_cycle: "monthly",
      quantity: "12.5",
      amount: { currency: "USD", value: 3 },
      period_start: "2026-01-31T08:00:00.000Z",
      period_end: "2026-02-28T08:00:00.000Z",
      created_at: "2026-01-31T08:00:00.000Z",
    },
  ],
})

/** A report of use as its seller sees it. */
export const UsageRecord = Schema.Struct({
  id: Schema.String.annotate({ description: "`use_` and a UUID." }),
  service_id: Schema.String,
  agent_id: Schema.String,
  quantity: Schema.String.annotate({ description: "Units, as an exact decimal." }),
  occurred_at: Timestamp,
  idempotency_key: Schema.String,
  created_at: Timestamp,
}).annotate({
  identifier: "UsageRecord",
  description: "Use that was counted.",
  examples: [
    {
      id: "use_01997d3e-8a00-8000-8000-000000000060",
      service_id: ids.service,
      agent_id: "agent_buyer_1",
      quantity: "12.5",
      occurred_at: "2026-01-31T08:00:00.000Z",
      idempotency_key: "call-8F3a",
      created_at: "2026-01-31T08:00:01.000Z",
    },
  ],
})
