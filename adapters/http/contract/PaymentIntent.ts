import { Schema } from "effect"
import { Amount, Timestamp } from "./Wire.ts"

const exampleIntent = {
  id: "pi_01997d3e-8a00-7000-8000-000000000020",
  service_id: "01997d3e-8a00-7000-8000-000000000010",
  type: "one_time",
  status: "pending",
  amount: { currency: "USD", value: 699 },
  settlement: { currency: "USD", value: 699, rate: 1 },
  fees: {
    service: { currency: "USD", value: 3 },
    fx_spread: { currency: "USD", value: 0 },
    channel: { currency: "USD", value: 4 },
    total: { currency: "USD", value: 7 },
  },
  description: "Weather report, 7 days",
  payer: { agent_id: "agent_traveller", human_id: null },
  payee: { agent_id: "agent_weather", merchant_account: "merchant_42" },
  channel: "wallet_a",
  qr: {
    charge_id: "qr_01997d3e-8a00-7000-8000-000000000021",
    scan_url: "http://127.0.0.1:4020/pay/pi_01997d3e-8a00-7000-8000-000000000020",
    qr_data: "svc://pay/pi_01997d3e-8a00-7000-8000-000000000020?channel=wallet_a",
  },
  metadata: { order: "1001" },
  created_at: "2026-01-31T08:00:00.000Z",
  expires_at: "2026-01-31T08:15:00.000Z",
} as const

const Qr = Schema.Struct({
  charge_id: Schema.String.annotate({ description: "`qr_` and a UUIDv7." }),
  scan_url: Schema.String.annotate({ description: "The hosted payment page." }),
  qr_data: Schema.String.annotate({ description: "What the QR code holds." }),
})

const Offer = Schema.Struct({
  channel: Schema.String,
  qr_data: Schema.String,
  scan_url: Schema.String,
  label: Schema.String,
})

/** What a payment costs its payee, in the settlement currency (Transaction fees). */
export const Fees = Schema.Struct({
  service: Amount,
  fx_spread: Amount,
  channel: Amount,
  total: Amount,
}).annotate({
  identifier: "Fees",
  description:
    "`service` is the service's own fee, `channel` the channel's network fee, passed through. " +
    "`fx_spread` is what the settlement is below the mid-market rate: it is in the settlement " +
    "already and not taken again.",
  examples: [exampleIntent.fees],
})

/** A payment as its participants see it (PaymentIntent). */
export const PaymentIntent = Schema.Struct({
  id: Schema.String.annotate({ description: "`pi_` and a UUIDv7." }),
  service_id: Schema.String,
  type: Schema.Literal("one_time"),
  status: Schema.String.annotate({
    description:
      "Request Payment: pending, qr_generated, scanning, authorized, captured, " +
      "succeeded. One-Time Pay: pending, completed. Both: failed, expired, cancelled, voided.",
  }),
  amount: Amount,
  settlement: Schema.Struct({
    currency: Schema.String,
    value: Schema.Int,
    rate: Schema.Finite,
  }).annotate({ description: "What the payee gets, and the rate that was applied." }),
  fees: Schema.optionalKey(Schema.NullOr(Fees)).annotate({
    description:
      "What the payment costs, for its payee only: taken once it has succeeded; null until the " +
      "payer has chosen a channel.",
  }),
  description: Schema.String,
  payer: Schema.Struct({
    agent_id: Schema.NullOr(Schema.String),
    human_id: Schema.NullOr(Schema.String),
    wallet_id: Schema.optionalKey(Schema.String),
  }),
  payee: Schema.Struct({
    agent_id: Schema.String,
    merchant_account: Schema.NullOr(Schema.String),
  }),
  channel: Schema.NullOr(Schema.String).annotate({
    description: "The channel used; null until the payer chooses among several.",
  }),
  qr: Schema.optionalKey(Schema.NullOr(Qr)),
  channels: Schema.optionalKey(Schema.Array(Offer)).annotate({
    description: "One QR code per channel, where the payer has the choice.",
  }),
  payer_prompt: Schema.optionalKey(Schema.String),
  deeplink: Schema.optionalKey(Schema.String).annotate({ description: "One-Time Pay only." }),
  scanned_at: Schema.optionalKey(Timestamp),
  authorized_at: Schema.optionalKey(Timestamp),
  captured_at: Schema.optionalKey(Timestamp),
  succeeded_at: Schema.optionalKey(Timestamp),
  channel_txn_id: Schema.optionalKey(Schema.String),
  channel_outcome: Schema.optionalKey(Schema.Literal("unknown")).annotate({
    description: "While the channel has not said whether it did what it was asked.",
  }),
  failure_code: Schema.optionalKey(Schema.String),
  failure_message: Schema.optionalKey(Schema.String),
  auto_paid: Schema.optionalKey(Schema.Boolean),
  return_url: Schema.optionalKey(Schema.String),
  invoice: Schema.optionalKey(Schema.String).annotate({
    description: "The invoice that it pays; with payments of invoices.",
  }),
  metadata: Schema.NullOr(Schema.Record(Schema.String, Schema.Unknown)),
  created_at: Timestamp,
  expires_at: Timestamp,
}).annotate({
  identifier: "PaymentIntent",
  description: "A payment.",
  examples: [exampleIntent],
})
