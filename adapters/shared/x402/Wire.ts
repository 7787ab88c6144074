import { Schema } from "effect"
import * as Text from "../../../core/shared/Text.ts"

/**
 * The messages of x402, version 2: `specs/x402-specification-v2.md` of
 * github.com/x402-foundation/x402, sections 5 and 7. A payload comes from a stranger to the seller.
 * `ProvenPayment.ts` decodes it: one that does not decode is an invalid payment.
 */

const service_id = "01997d3e-8a00-7000-8000-000000000010"

/** The scheme of a payment of exactly the required amount. */
export const SCHEME = "exact"

/** The scheme of a payment of at most the required amount (`specs/schemes/upto/scheme_upto.md`). */
export const UPTO = "upto"

/**
 * The scheme of a payment that is held first, and captured or released afterwards, also in part
 * (`specs/schemes/auth-capture/scheme_auth_capture.md`).
 */
export const AUTH_CAPTURE = "auth-capture"

/** The schemes that this facilitator settles. */
export const SCHEMES = [SCHEME, UPTO, AUTH_CAPTURE] as const

/** The version of x402. */
export const VERSION = 2

const JsonObject = Schema.Record(Schema.String, Schema.Unknown)

const exampleRequirements = {
  scheme: "exact",
  network: "payport:sandbox",
  amount: "25",
  asset: "USD",
  payTo: service_id,
  maxTimeoutSeconds: 300,
  extra: { resource: "https://weather.example/reports/7" },
}

/** `PaymentRequirements` (5.1.2), as the scheme maps them to our payments. */
const PaymentRequirements = Schema.Struct({
  scheme: Text.line(64).annotateKey({ description: `One of: ${SCHEMES.join(", ")}.` }),
  network: Text.line(64).annotateKey({ description: "`payport:sandbox` or `payport:live`." }),
  amount: Text.line(64).annotateKey({
    description:
      "Minor units of the asset, in digits. With `upto` and `auth-capture`: the maximum that may " +
      "be taken. When settling or capturing: the amount to take. `0` releases everything.",
  }),
  asset: Text.line(64).annotateKey({ description: "The currency, by its ISO 4217 code." }),
  payTo: Text.line(64).annotateKey({ description: "The id of the seller's service." }),
  maxTimeoutSeconds: Schema.Finite.annotate({
    description: "For how many seconds after the start of its payment a payload is first accepted.",
  }),
  extra: Schema.optionalKey(JsonObject).annotate({
    description: "`resource`: the URL of the paid resource, to which the payment is bound.",
  }),
}).annotate({
  identifier: "X402PaymentRequirements",
  description: "What the seller's server requires (x402 version 2, 5.1.2).",
  examples: [exampleRequirements],
})

const examplePayload = {
  x402Version: VERSION,
  accepted: exampleRequirements,
  payload: {
    payment_intent: "pi_01997d3e-8a00-7000-8000-000000000024",
    token: "m1Yk0sC8Uq3cQe7v9dXw2bRt5nHj4aLz6pGf0iKoSxE",
  },
}

/** The body of verify and settle (7.1, 7.2). */
export const FacilitatorRequest = Schema.Struct({
  x402Version: Schema.Finite.annotateKey({ description: "The version of x402: 2." }),
  paymentPayload: JsonObject.annotate({
    description:
      "What the buyer sent (5.2). Its `payload` holds `payment_intent` and `token`, as " +
      "`POST /v1/x402/payments` has answered them.",
  }),
  paymentRequirements: PaymentRequirements.annotateKey({
    description: "What the seller asks for.",
  }),
}).annotate({
  identifier: "X402FacilitatorRequest",
  description: "A payload that a seller was sent, and what it was to pay.",
  examples: [
    {
      x402Version: VERSION,
      paymentPayload: examplePayload,
      paymentRequirements: exampleRequirements,
    },
  ],
})
export type FacilitatorRequest = typeof FacilitatorRequest.Type

const payer = Schema.optionalKey(Schema.String).annotate({
  description: "The agent that pays, or the wallet.",
})

/** `VerifyResponse` (5.4). */
export const VerifyResponse = Schema.Struct({
  isValid: Schema.Boolean.annotateKey({ description: "Whether it would be settled." }),
  invalidReason: Schema.optionalKey(Schema.String).annotateKey({
    description: "Why not, for programs.",
  }),
  invalidMessage: Schema.optionalKey(Schema.String).annotateKey({
    description: "Why not, for people.",
  }),
  payer,
}).annotate({
  identifier: "X402VerifyResponse",
  description: "Whether the payload would be settled now, or why not.",
  examples: [{ isValid: true, payer: "agent_buyer_1" }],
})
export type VerifyResponse = typeof VerifyResponse.Type

/** `SettleResponse` (5.3). */
export const SettleResponse = Schema.Struct({
  success: Schema.Boolean.annotateKey({ description: "Whether it was settled." }),
  errorReason: Schema.optionalKey(Schema.String).annotate({
    description:
      "Why nothing was settled. `settlement_pending`: whether the money was taken is being found " +
      "out; settle the same payload again.",
  }),
  errorMessage: Schema.optionalKey(Schema.String).annotateKey({
    description: "Why not, for people.",
  }),
  payer,
  transaction: Schema.String.annotate({ description: "The payment; empty where there is none." }),
  network: Schema.String.annotateKey({
    description: "Where the money moves: `payport:live` or `payport:sandbox`.",
  }),
  amount: Schema.optionalKey(Schema.String).annotate({
    description: "What was taken, in minor units.",
  }),
}).annotate({
  identifier: "X402SettleResponse",
  description: "What became of the payment.",
  examples: [
    {
      success: true,
      payer: "agent_buyer_1",
      transaction: examplePayload.payload.payment_intent,
      network: "payport:sandbox",
      amount: "25",
    },
  ],
})
export type SettleResponse = typeof SettleResponse.Type

/** `SupportedResponse` (7.3). */
export const SupportedResponse = Schema.Struct({
  kinds: Schema.Array(
    Schema.Struct({
      x402Version: Schema.Int.annotateKey({ description: "The version of x402: 2." }),
      scheme: Schema.String.annotateKey({
        description:
          "How it is paid; `exact` pays the amount that is asked, `upto` at most that, by use; " +
          "`auth-capture` holds it first, and takes or releases it afterwards.",
      }),
      network: Schema.String.annotateKey({
        description: "Where the money moves: `payport:live` or `payport:sandbox`.",
      }),
    }),
  ).annotateKey({ description: "What it settles." }),
  extensions: Schema.Array(Schema.String).annotateKey({
    description: "The extensions of x402 that it knows.",
  }),
  signers: Schema.Record(Schema.String, Schema.Array(Schema.String)).annotateKey({
    description: "The addresses that sign, by network: none.",
  }),
}).annotate({
  identifier: "X402SupportedResponse",
  description: "The schemes and networks that are settled here.",
  examples: [
    {
      kinds: [{ x402Version: VERSION, scheme: "exact", network: "payport:sandbox" }],
      extensions: [],
      signers: {},
    },
  ],
})
export type SupportedResponse = typeof SupportedResponse.Type
