import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { ANY, PAYWALL_REFUSALS, refusals } from "./Errors.ts"
import { Time } from "../../../core/shared/Wire.ts"
import { DemandedPayment, exampleDemand } from "../../../core/challenges/ChallengeView.ts"

const id = "pi_01997d3e-8a00-7000-8000-000000000020"

const Paid = Schema.Struct({
  paid: Schema.Literal(true),
  service_id: Schema.String,
  payment_intent: Schema.String,
  valid_until: Schema.NullOr(Time),
}).annotate({
  identifier: "PaidAnswer",
  description: "What was paid for.",
  examples: [
    {
      paid: true,
      service_id: "01997d3e-8a00-7000-8000-000000000010",
      payment_intent: id,
      valid_until: null,
    },
  ],
})

const PaymentRequired = Schema.Struct({
  error: Schema.Literal("payment_required"),
  code: Schema.optionalKey(Schema.String).annotate({
    description: "What was wrong with the proof that was shown, if one was.",
  }),
  message: Schema.optionalKey(Schema.String),
  payment_intent: DemandedPayment,
}).annotate({
  identifier: "PaymentRequired",
  description:
    "What is to be paid. The headers `X-Payment-Intent`, `X-Payment-Channel`, `X-Payment-Amount` " +
    "(minor units and currency) and `X-Payment-QR` say the same, `PAYMENT-REQUIRED` says it to " +
    "clients of x402 version 2. Send the request again with `X-Payment-Intent` and " +
    "`X-Payment-Token` once the payment is made.",
  examples: [{ error: "payment_required", payment_intent: exampleDemand }],
})

const ProofHeaders = Schema.Struct({
  "x-payment-intent": Schema.optionalKey(Schema.String).annotate({
    description: "The payment that was made: the `id` of the 402's `payment_intent`.",
  }),
  "x-payment-token": Schema.optionalKey(Schema.String).annotate({
    description: "The `token` of the 402's `payment_intent`.",
  }),
  "payment-signature": Schema.optionalKey(Schema.String).annotate({
    description: "The same two as a client of x402 version 2 sends them.",
  }),
})

/** The sandbox's own paid endpoint (HTTP 402 mode, Sandbox). */
export const sandboxPaid = HttpApiGroup.make("sandboxPaid")
  .add(
    HttpApiEndpoint.get("get", "/v1/sandbox/paid/:service_id", {
      disableCodecs: true,
      params: { service_id: Schema.String },
      headers: ProofHeaders,
      success: [Paid, PaymentRequired.pipe(HttpApiSchema.status(402))],
      error: refusals(ANY, ["NOT_FOUND"], PAYWALL_REFUSALS),
    }).annotate(OpenApi.Summary, "Get what a service's first price pays for, once a payment"),
  )
  .annotate(OpenApi.Title, "Sandbox: a paid endpoint")
  .annotate(OpenApi.Description, "Answers 402 until it is paid. Needs no key. Not in live mode.")
