import { Schema } from "effect"
import type { Money } from "../shared/Money.ts"
import { type Timestamp, toIso } from "../shared/Timestamp.ts"
import { Amount, Time } from "../shared/Wire.ts"
import type { PaymentIntent, RequestPayment } from "../payments/PaymentIntent.ts"
import { takenAmount } from "../payments/Taken.ts"
import { type Challenge, type Redeemed, standingOf, validUntil } from "./Challenge.ts"

/** An example of a 402's payment. */
export const exampleDemand = {
  id: "pi_01997d3e-8a00-7000-8000-000000000020",
  amount: { currency: "USD", value: 25 },
  channel: "wallet_a",
  qr_uri: "svc://pay/pi_01997d3e-8a00-7000-8000-000000000020?channel=wallet_a",
  expires_at: "2026-01-31T08:15:00.000Z",
  token: "m1Yk0sC8Uq3cQe7v9dXw2bRt5nHj4aLz6pGf0iKoSxE",
} as const

/** The `payment_intent` of a 402. */
export const DemandedPayment = Schema.Struct({
  id: Schema.String.annotate({ description: "The payment's id: `pi_` and a UUIDv7." }),
  amount: Amount.annotateKey({ description: "The amount to pay." }),
  channel: Schema.String.annotateKey({ description: "The channel's name, such as `wallet_a`." }),
  qr_uri: Schema.String.annotate({ description: "The link by which a wallet pays." }),
  expires_at: Time.annotateKey({ description: "When the payment expires." }),
  token: Schema.String.annotate({
    description: "The secret that proves the payment. It is shown only here.",
  }),
}).annotate({
  identifier: "DemandedPayment",
  description: "The payment that a 402 requests: the `payment_intent` of its body.",
  examples: [exampleDemand],
})

/** A challenge as its seller sees it, once: nobody can read the token again. */
export const ChallengeView = Schema.Struct({
  payment_intent: DemandedPayment.annotateKey({ description: "The requested payment." }),
  service_id: Schema.String.annotateKey({ description: "The service's id." }),
  resource: Schema.String.annotateKey({
    description: "The paid resource, such as `GET /reports/7`.",
  }),
  valid_seconds: Schema.NullOr(Schema.Int).annotateKey({
    description: "For how many seconds the payment gives access; null for no end.",
  }),
  payee: Schema.Struct({
    agent_id: Schema.String.annotateKey({
      description: "The agent's id, chosen by its account.",
    }),
    merchant_account: Schema.NullOr(Schema.String).annotateKey({
      description: "The seller's account at its channels; null if it has none.",
    }),
  }).annotateKey({ description: "The seller." }),
  network: Schema.String.annotate({ description: "`payport:sandbox` or `payport:live`." }),
  created_at: Time.annotateKey({
    description:
      "When the challenge was opened, by the service's clock. `expires_at` minus this is the " +
      "time to pay, whatever the seller's clock says.",
  }),
}).annotate({
  identifier: "PaymentChallenge",
  description: "A payment that a paid endpoint requests, and the token that proves it.",
  examples: [
    {
      payment_intent: exampleDemand,
      service_id: "01997d3e-8a00-7000-8000-000000000010",
      resource: "GET /reports/7",
      valid_seconds: null,
      payee: { agent_id: "agent_weather", merchant_account: "merchant_42" },
      network: "payport:sandbox",
      created_at: "2026-01-31T08:00:00.000Z",
    },
  ],
})
/** See {@link ChallengeView}. */
export type ChallengeView = typeof ChallengeView.Type

const redemption = {
  payment_intent: exampleDemand.id,
  payer: "agent_buyer_1",
  resource: "GET /reports/7",
  redeemed_at: "2026-01-31T08:01:00.000Z",
  valid_until: null,
  repeated: false,
  capture_before: null,
} as const

/** An accepted proof as its seller sees it. */
export const RedemptionView = Schema.Struct({
  payment_intent: Schema.String.annotateKey({ description: "The payment's id." }),
  payer: Schema.NullOr(Schema.String).annotate({
    description: "The agent or the wallet that paid; null if the channel names neither.",
  }),
  resource: Schema.String.annotateKey({
    description: "The paid resource, such as `GET /reports/7`.",
  }),
  redeemed_at: Time.annotate({ description: "When the proof was first accepted." }),
  valid_until: Schema.NullOr(Time).annotate({
    description: "Until when the proof gives access again; null after a single use.",
  }),
  repeated: Schema.Boolean.annotate({
    description:
      "Whether the same purchase was already accepted under its identifier. If so, return " +
      "the earlier result and do not do the work twice.",
  }),
  capture_before: Schema.NullOr(Time).annotate({
    description:
      "The deadline for capturing the payment, which is only authorized (`capture: " +
      "later`); null if it was captured.",
  }),
}).annotate({
  identifier: "PaymentRedemption",
  description: "The proof is valid: let the request through.",
  examples: [redemption],
})
/** See {@link RedemptionView}. */
export type RedemptionView = typeof RedemptionView.Type

/** Returns the link that a wallet pays by. */
export const payLink = (id: string, channel: string): string =>
  `svc://pay/${id}?channel=${encodeURIComponent(channel)}`

/** Returns the view, see {@link ChallengeView}. */
export const challengeView = (
  challenge: Challenge,
  { payee }: RequestPayment,
  channel: string,
  token: string,
  mode: string,
): ChallengeView => ({
  payment_intent: {
    id: challenge.payment_intent,
    amount: challenge.amount,
    channel,
    qr_uri: payLink(challenge.payment_intent, channel),
    expires_at: toIso(challenge.expires_at),
    token,
  },
  service_id: challenge.service_id,
  resource: challenge.resource,
  valid_seconds: challenge.valid_seconds,
  payee,
  network: `payport:${mode}`,
  created_at: toIso(challenge.created_at),
})

/** Returns the payer, if known: the agent, or else the wallet that paid. */
export const payerOf = ({ payer }: PaymentIntent): string | null =>
  payer.agent_id ?? payer.wallet_id

/** Returns the view, see {@link RedemptionView}. */
export const redemptionView = (
  challenge: Redeemed,
  intent: PaymentIntent,
  repeated: boolean,
): RedemptionView => {
  const until = validUntil(challenge)
  return {
    payment_intent: challenge.payment_intent,
    payer: payerOf(intent),
    resource: challenge.resource,
    redeemed_at: toIso(challenge.redeemed_at),
    valid_until: until === null ? null : toIso(until),
    repeated,
    capture_before: standingOf(intent) === "authorized" ? toIso(intent.expires_at) : null,
  }
}

/** A settled proof: what was taken, and from whom. */
export interface SettlementView {
  readonly payment_intent: string
  readonly payer: string | null
  readonly amount: Money
  readonly redeemed_at: Timestamp
}

/** Returns what was taken of a settled payment: zero if it was released. */
const settledAmount = (intent: PaymentIntent): Money =>
  intent.status === "voided" ? { ...intent.amount, value: 0 } : takenAmount(intent)

/** Returns the view, see {@link SettlementView}. */
export const settlementView = (
  { payment_intent, redeemed_at }: Redeemed,
  intent: PaymentIntent,
): SettlementView => ({
  payment_intent,
  payer: payerOf(intent),
  amount: settledAmount(intent),
  redeemed_at,
})
