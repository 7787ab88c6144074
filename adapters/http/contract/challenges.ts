import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import {
  challengeRules,
  OpenChallengeInput,
  RedeemInput,
} from "../../../core/challenges/ChallengeInput.ts"
import { AccountKey } from "./Access.ts"
import { ANY, BODY, KEYED, ONCE, ofFields, refusals } from "./Errors.ts"
import { CREATION } from "./paymentIntents.ts"
import { Idempotency, Rate, Rules } from "./Route.ts"
import { Amount, ById, Timestamp } from "./Wire.ts"

const id = "pi_01997d3e-8a00-7000-8000-000000000020"
const amount = { currency: "USD", value: 25 } as const
const service_id = "01997d3e-8a00-7000-8000-000000000010"
const resource = "GET /reports/7"
const token = "m1Yk0sC8Uq3cQe7v9dXw2bRt5nHj4aLz6pGf0iKoSxE"

/** What a 402 asks for, as an example. */
export const exampleDemand = {
  id,
  amount,
  channel: "wallet_a",
  qr_uri: `svc://pay/${id}?channel=wallet_a`,
  expires_at: "2026-01-31T08:15:00.000Z",
  token,
} as const

/** The `payment_intent` of a 402. */
export const DemandedPayment = Schema.Struct({
  id: Schema.String.annotate({ description: "The payment: `pi_` and a UUIDv7." }),
  amount: Amount,
  channel: Schema.String,
  qr_uri: Schema.String.annotate({ description: "What a wallet pays by." }),
  expires_at: Timestamp,
  token: Schema.String.annotate({
    description: "The secret that proves the payment; shown here and nowhere else.",
  }),
}).annotate({
  identifier: "DemandedPayment",
  description: "What a 402 asks for: the `payment_intent` of its body.",
  examples: [exampleDemand],
})

const Challenge = Schema.Struct({
  payment_intent: DemandedPayment,
  service_id: Schema.String,
  resource: Schema.String,
  valid_seconds: Schema.NullOr(Schema.Int),
  payee: Schema.Struct({
    agent_id: Schema.String,
    merchant_account: Schema.NullOr(Schema.String),
  }),
  network: Schema.String.annotate({ description: "`payport:sandbox` or `payport:live`." }),
}).annotate({
  identifier: "PaymentChallenge",
  description: "A payment that a paid endpoint asks for, and the token that proves it.",
  examples: [
    {
      payment_intent: exampleDemand,
      service_id,
      resource,
      valid_seconds: null,
      payee: { agent_id: "agent_weather", merchant_account: "merchant_42" },
      network: "payport:sandbox",
    },
  ],
})

const redemption = {
  payment_intent: id,
  resource,
  redeemed_at: "2026-01-31T08:01:00.000Z",
  valid_until: null,
} as const

const Redemption = Schema.Struct({
  payment_intent: Schema.String,
  resource: Schema.String,
  redeemed_at: Timestamp.annotate({ description: "When the proof was first accepted." }),
  valid_until: Schema.NullOr(Timestamp).annotate({
    description: "Until when the proof opens the resource again; null after a single use.",
  }),
}).annotate({
  identifier: "PaymentRedemption",
  description: "The proof is good: let the request through.",
  examples: [redemption],
})

/** What paid endpoints ask for and are shown (HTTP 402 mode). */
export const challenges = HttpApiGroup.make("challenges")
  .add(
    HttpApiEndpoint.post("open", "/v1/payment-challenges", {
      disableCodecs: true,
      payload: OpenChallengeInput.annotate({
        identifier: "OpenChallengeInput",
        description:
          "What is to be paid for. `valid_seconds`: so long the proof opens it from its " +
          "first use on; left out, it opens it once. Without `channel` the service's is taken.",
        examples: [{ service_id, amount, resource }],
      }),
      success: Challenge.pipe(HttpApiSchema.status(201)),
      error: refusals(ANY, KEYED, BODY, ONCE, CREATION),
    })
      .annotate(Rules, challengeRules)
      .annotate(Idempotency, "optimistic")
      .annotate(OpenApi.Summary, "Ask for the payment of a resource (seller)"),
    HttpApiEndpoint.post("redeem", "/v1/payment-challenges/:id/redeem", {
      disableCodecs: true,
      params: ById,
      payload: RedeemInput.annotate({
        identifier: "RedeemInput",
        description: "The proof that was shown, and what it is to open.",
        examples: [{ service_id, amount, resource, token }],
      }),
      success: Redemption,
      error: refusals(ANY, KEYED, BODY, ONCE, ofFields(challengeRules), [
        "PAYMENT_REQUIRED",
        "PAYMENT_PROOF_INVALID",
        "PAYMENT_PROOF_USED",
        "PAYMENT_UNRESOLVED",
      ]),
    })
      .annotate(Rules, challengeRules)
      .annotate(Idempotency, "checked")
      .annotate(Rate, "reserve")
      .annotate(OpenApi.Summary, "Accept a proof of payment (seller)")
      .annotate(
        OpenApi.Description,
        "Captures the payment where it is only authorized. Of many who show one proof " +
          "for a single use at once, one is let through.",
      ),
  )
  .middleware(AccountKey)
  .annotate(OpenApi.Title, "Payment challenges")
  .annotate(OpenApi.Description, "What a paid endpoint answers with 402, and the proofs of it.")
