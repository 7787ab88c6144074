import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { ANY, PAYWALL_REFUSALS, refusals } from "./Errors.ts"
import { Time } from "../../../core/shared/Wire.ts"
import { DemandedPayment, exampleDemand } from "../../../core/challenges/ChallengeView.ts"
import { Audiences } from "./Route.ts"

const id = "pi_01997d3e-8a00-7000-8000-000000000020"

const Paid = Schema.Struct({
  paid: Schema.Literal(true).annotateKey({ description: "Always `true`." }),
  service_id: Schema.String.annotateKey({ description: "The service's id." }),
  payment_intent: Schema.String.annotateKey({ description: "The payment's id." }),
  valid_until: Schema.NullOr(Time).annotateKey({
    description: "Until when the payment gives access to the resource; null for no end.",
  }),
}).annotate({
  identifier: "PaidAnswer",
  description: "The paid resource.",
  examples: [
    {
      paid: true,
      service_id: "01997d3e-8a00-7000-8000-000000000010",
      payment_intent: id,
      valid_until: null,
    },
  ],
})

const required = {
  error: Schema.Literal("payment_required").annotateKey({
    description: "Always `payment_required`.",
  }),
  code: Schema.optionalKey(Schema.String).annotate({
    description: "The error code of the proof, if one was shown.",
  }),
  message: Schema.optionalKey(Schema.String).annotateKey({
    description: "The error message of the proof, for people.",
  }),
  payment_intent: DemandedPayment,
}

const PaymentRequired = Schema.Struct(required).annotate({
  identifier: "PaymentRequired",
  description:
    "The payment to make. The headers `X-Payment-Intent`, `X-Payment-Channel`, " +
    "`X-Payment-Amount` (minor units and currency) and `X-Payment-QR` contain the same. " +
    "`PAYMENT-REQUIRED` is for clients of x402 version 2, `WWW-Authenticate: Payment` for " +
    "clients of MPP. After the payment, send the request again with `X-Payment-Intent` and " +
    "`X-Payment-Token`.",
  examples: [{ error: "payment_required", payment_intent: exampleDemand }],
})

const problem = {
  type: Schema.String.annotate({
    description: "`https://paymentauth.org/problems/` and the problem's name.",
  }),
  title: Schema.String.annotateKey({ description: "The problem's name, for people." }),
  status: Schema.Int.annotateKey({ description: "The answer's HTTP status." }),
  detail: Schema.String.annotate({ description: "The problem and what to do about it." }),
}

const exampleProblem = {
  type: "https://paymentauth.org/problems/payment-required",
  title: "Payment Required",
  status: 402,
  detail: "Pay as WWW-Authenticate says, and send it again.",
}

const Receipt = Schema.Struct({
  status: Schema.Literal("success").annotateKey({ description: "Always `success`." }),
  method: Schema.Literal("payport").annotateKey({ description: "Always `payport`." }),
  timestamp: Time.annotate({ description: "When the proof was first accepted." }),
  reference: Schema.String.annotate({ description: "The payment's id: `pi_` and a UUIDv7." }),
  challengeId: Schema.String.annotateKey({ description: "The id of the paid challenge." }),
})

const PaymentProblem = Schema.Struct({
  ...problem,
  challengeId: Schema.String.annotate({
    description: "The `id` of the challenge in `WWW-Authenticate`.",
  }),
  receipt: Schema.optionalKey(Receipt).annotate({
    description: "The receipt of the payment, if the problem is that it was already used.",
  }),
  ...required,
}).annotate({
  identifier: "PaymentProblem",
  description:
    "The answer for clients of MPP, which send `Accept-Payment` or `Authorization: Payment`.",
  examples: [
    {
      ...exampleProblem,
      challengeId: "Yb6m1D0rGzJw2vLkq8sTn4cXe7aHf9uPo3iKd5RtQyE",
      error: "payment_required",
      payment_intent: exampleDemand,
    },
  ],
})

/** Problem Details (RFC 9457). */
const asProblem = HttpApiSchema.asJson({ contentType: "application/problem+json" })

const ProofHeaders = Schema.Struct({
  "x-payment-intent": Schema.optionalKey(Schema.String).annotate({
    description: "The id of the payment, from the 402's `payment_intent`.",
  }),
  "x-payment-token": Schema.optionalKey(Schema.String).annotate({
    description: "The token of the payment, from the 402's `payment_intent`.",
  }),
  "payment-signature": Schema.optionalKey(Schema.String).annotate({
    description: "The payment's id and token as a client of x402 version 2 sends them.",
  }),
  "accept-payment": Schema.optionalKey(Schema.String).annotate({
    description:
      "Sent by clients of MPP, such as `payport/charge`. A 402 then is Problem Details. " +
      "These clients send the payment's id and token in `Authorization: Payment`.",
  }),
})

/** The sandbox's own paid endpoint (HTTP 402 mode, Sandbox). */
export const sandboxPaid = HttpApiGroup.make("sandboxPaid")
  .add(
    HttpApiEndpoint.get("get", "/v1/sandbox/paid/:service_id", {
      disableCodecs: true,
      params: { service_id: Schema.String.annotate({ description: "The service's id." }) },
      headers: ProofHeaders,
      success: [
        Paid,
        PaymentRequired.pipe(HttpApiSchema.status(402)),
        PaymentProblem.pipe(asProblem, HttpApiSchema.status(402)),
      ],
      error: refusals(ANY, ["NOT_FOUND"], PAYWALL_REFUSALS),
    })
      .annotate(
        OpenApi.Summary,
        "Get a paid resource at the service's first price, once per payment",
      )
      .annotate(
        OpenApi.Description,
        "Use it to try out a client of 402, x402 or MPP. Real paid endpoints are the " +
          "sellers' own paywalls.",
      ),
  )
  .annotate(Audiences, ["seller"])
  .annotate(OpenApi.Title, "Sandbox: a paid endpoint")
  .annotate(OpenApi.Description, "Answers 402 until it is paid. Needs no key. Not in live mode.")
