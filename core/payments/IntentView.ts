import { Schema } from "effect"
import { exampleFees, Fees } from "../pricing/Price.ts"
import { exactly } from "../shared/Exact.ts"
import { type Timestamp, toIso } from "../shared/Timestamp.ts"
import { Amount, Time } from "../shared/Wire.ts"
import { asOf } from "./Lifecycle.ts"
import { offerOf, type PaymentIntent, SHOWN_STATUSES, shownStatus } from "./PaymentIntent.ts"
import { capturedInPart, takenOf } from "./Taken.ts"

const exampleIntent = {
  id: "pi_01997d3e-8a00-7000-8000-000000000020",
  service_id: "01997d3e-8a00-7000-8000-000000000010",
  type: "one_time",
  status: "pending",
  amount: { currency: "USD", value: 699 },
  settlement: { currency: "USD", value: 699, rate: 1 },
  fees: exampleFees,
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
  qr_data: Schema.String.annotate({ description: "The content of the QR code." }),
})

const Offer = Schema.Struct({
  channel: Schema.String.annotateKey({ description: "The channel that the code is for." }),
  qr_data: Schema.String.annotateKey({ description: "The content of the QR code." }),
  scan_url: Schema.String.annotateKey({ description: "The address of a page with the QR code." }),
  label: Schema.String.annotateKey({ description: "The channel's name for people." }),
})

/** A payment as its participants see it (PaymentIntent). */
export const IntentView = Schema.Struct({
  id: Schema.String.annotate({ description: "`pi_` and a UUIDv7." }),
  service_id: Schema.String.annotateKey({ description: "The service's id." }),
  type: Schema.Literal("one_time").annotateKey({ description: "Always `one_time`." }),
  status: Schema.Literals(SHOWN_STATUSES).annotate({
    description:
      "Request Payment: pending, qr_generated, scanning, authorized, captured, " +
      "succeeded. One-Time Pay: pending, completed. Both: failed, expired, cancelled, voided.",
  }),
  amount: Amount.annotateKey({ description: "The amount that the payer pays." }),
  captured_amount: Schema.optionalKey(Amount).annotate({
    description:
      "The captured amount, if it is less than `amount`. It is what the payer has paid; " +
      "the rest was released.",
  }),
  refunded_amount: Schema.optionalKey(Amount).annotate({
    description: "What was refunded, with refunds that are still pending. Absent if nothing was.",
  }),
  settlement: Schema.Struct({
    currency: Schema.String.annotateKey({ description: "The currency that the payee is paid in." }),
    value: Schema.Int.annotateKey({
      description: "The amount in minor units of the settlement currency.",
    }),
    rate: Schema.Finite.annotateKey({
      description: "The value of one unit of the payer's currency in the settlement currency.",
    }),
  }).annotate({
    description:
      "What the payee gets, and the applied rate. After a capture it is based on the " +
      "captured amount.",
  }),
  fees: Schema.optionalKey(Schema.NullOr(Fees)).annotate({
    description:
      "The payment's fees, shown only to its payee. They are charged when it has " +
      "succeeded. Null until the payer has chosen a channel. After a capture they are " +
      "based on the captured amount.",
  }),
  description: Schema.String.annotateKey({ description: "The purchase, described for the payer." }),
  payer: Schema.Struct({
    agent_id: Schema.NullOr(Schema.String).annotateKey({
      description: "The agent that pays; null if unknown.",
    }),
    human_id: Schema.NullOr(Schema.String).annotateKey({
      description: "The person whom the agent pays for; null if unknown.",
    }),
    wallet_id: Schema.optionalKey(Schema.String).annotateKey({
      description: "The id of the paying wallet at the channel.",
    }),
  }).annotateKey({ description: "The agent that pays, and the person it pays for." }),
  payee: Schema.Struct({
    agent_id: Schema.String.annotateKey({
      description: "The agent's id, chosen by its account.",
    }),
    merchant_account: Schema.NullOr(Schema.String).annotateKey({
      description: "The seller's account at its channels; null if it has none.",
    }),
  }).annotateKey({ description: "The seller." }),
  channel: Schema.NullOr(Schema.String).annotate({
    description: "The channel used; null until the payer chooses among several.",
  }),
  qr: Schema.optionalKey(Schema.NullOr(Qr)).annotateKey({
    description: "The QR code; null while the payer has several to choose from.",
  }),
  channels: Schema.optionalKey(Schema.Array(Offer)).annotate({
    description: "One QR code per channel, where the payer has the choice.",
  }),
  payer_prompt: Schema.optionalKey(Schema.String).annotateKey({
    description: "The text to show to the payer.",
  }),
  deeplink: Schema.optionalKey(Schema.String).annotate({
    description: "The link for the payer's wallet. One-Time Pay only.",
  }),
  scanned_at: Schema.optionalKey(Time).annotateKey({
    description: "When the payer scanned the code.",
  }),
  authorized_at: Schema.optionalKey(Time).annotateKey({
    description: "When the payer authorized the payment.",
  }),
  captured_at: Schema.optionalKey(Time).annotateKey({
    description: "When the payee captured the payment.",
  }),
  succeeded_at: Schema.optionalKey(Time).annotateKey({
    description: "When the channel settled the payment.",
  }),
  channel_txn_id: Schema.optionalKey(Schema.String).annotateKey({
    description: "The channel's transaction number.",
  }),
  channel_outcome: Schema.optionalKey(Schema.Literal("unknown")).annotate({
    description: "Present while the channel has not confirmed whether it carried out a request.",
  }),
  failure_code: Schema.optionalKey(Schema.String).annotateKey({
    description: "Why the payment failed, for programs.",
  }),
  failure_message: Schema.optionalKey(Schema.String).annotateKey({
    description: "Why the payment failed, for people.",
  }),
  auto_paid: Schema.optionalKey(Schema.Boolean).annotateKey({
    description: "Whether an install's mandate paid, without asking a person.",
  }),
  return_url: Schema.optionalKey(Schema.String).annotateKey({
    description: "The URL to which the payer's browser returns after the payment.",
  }),
  invoice: Schema.optionalKey(Schema.String).annotate({
    description: "The invoice that the payment pays. Only for payments of invoices.",
  }),
  metadata: Schema.NullOr(Schema.Record(Schema.String, Schema.Unknown)).annotateKey({
    description: "The caller's own data; null for none.",
  }),
  created_at: Time.annotateKey({ description: "The time of creation." }),
  expires_at: Time.annotateKey({ description: "When the payment expires." }),
}).annotate({
  identifier: "PaymentIntent",
  description: "A payment.",
  examples: [exampleIntent],
})
/** A {@link IntentView}. */
export type IntentView = typeof IntentView.Type

type Facts = Partial<
  Record<"scanned_at" | "authorized_at" | "captured_at" | "succeeded_at", Timestamp>
>

const times = (intent: PaymentIntent) => {
  const facts = intent as Facts
  return {
    ...(facts.scanned_at !== undefined && { scanned_at: toIso(facts.scanned_at) }),
    ...(facts.authorized_at !== undefined && { authorized_at: toIso(facts.authorized_at) }),
    ...(facts.captured_at !== undefined && { captured_at: toIso(facts.captured_at) }),
    ...(facts.succeeded_at !== undefined && { succeeded_at: toIso(facts.succeeded_at) }),
  }
}

const PROMPT = "Choose how to pay: scan one of these codes with the wallet of your choice."

const qrOf = (intent: PaymentIntent) => {
  if (intent.flow === "one_time_pay") return {}
  const chosen = intent.channel === null ? undefined : offerOf(intent, intent.channel)
  if (chosen !== undefined) {
    const { charge_id, scan_url, qr_data } = chosen
    return { qr: { charge_id, scan_url, qr_data } }
  }
  if (intent.offers.length === 0) return { qr: null }
  const channels = intent.offers.map(({ channel, qr_data, scan_url, label }) => ({
    channel,
    qr_data,
    scan_url,
    label,
  }))
  return { qr: null, channels, payer_prompt: PROMPT }
}

const outcome = (intent: PaymentIntent) => {
  switch (intent.status) {
    case "capturing":
    case "debiting":
      return intent.channel_outcome === "unknown" ? { channel_outcome: "unknown" as const } : {}
    case "succeeded":
      return { channel_txn_id: intent.channel_txn_id }
    case "completed":
      return { channel_txn_id: intent.channel_txn_id, auto_paid: intent.auto_paid }
    case "failed":
      return { failure_code: intent.failure_code, failure_message: intent.failure_message }
    default:
      return {}
  }
}

const deeplinkOf = (intent: PaymentIntent) =>
  intent.flow === "one_time_pay" && intent.deeplink !== null ? { deeplink: intent.deeplink } : {}

/**
 * Returns the intent in the wire's shape, as the account `viewer` sees it. Only the payee sees the
 * fees.
 */
export const show = exactly<IntentView>()((intent: PaymentIntent, viewer: string) => {
  const { agent_id, human_id, wallet_id } = intent.payer
  const captured_amount = "capture_value" in intent ? capturedInPart(intent) : undefined
  const { fees, settlement } = captured_amount === undefined ? intent : takenOf(intent)
  const { currency, value, rate } = settlement
  return {
    id: intent.id,
    service_id: intent.service_id,
    type: "one_time",
    status: shownStatus(intent),
    amount: intent.amount,
    ...(captured_amount !== undefined && { captured_amount }),
    ...(intent.refunded.value > 0 && {
      refunded_amount: { currency: intent.amount.currency, value: intent.refunded.value },
    }),
    settlement: { currency, value, rate: Number(rate) },
    ...(viewer === intent.payee_account_id && { fees }),
    description: intent.description,
    payer: { agent_id, human_id, ...(wallet_id !== null && { wallet_id }) },
    payee: intent.payee,
    channel: intent.channel,
    ...qrOf(intent),
    ...deeplinkOf(intent),
    ...times(intent),
    ...outcome(intent),
    ...(intent.return_url !== null && { return_url: intent.return_url }),
    ...(intent.invoice !== null && { invoice: intent.invoice }),
    metadata: intent.metadata,
    created_at: toIso(intent.created_at),
    expires_at: toIso(intent.expires_at),
  }
})

/** Returns the view at that time: an intent past its `expires_at` shows as expired. */
export const view = (stored: PaymentIntent, now: Timestamp, viewer: string): IntentView =>
  show(asOf(stored, now), viewer)
