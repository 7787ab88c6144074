import { Schema } from "effect"
import { PayableAmount } from "../shared/Money.ts"
import type { FieldRules } from "../shared/Decode.ts"
import * as Text from "../shared/Text.ts"
import { IdleSeconds } from "./PaymentSession.ts"

/** The resource that is paid for: method and path, or any other name that the seller uses. */
const Resource = Text.line(2048)

const bound = {
  service_id: Text.line(64).annotateKey({ description: "The service that is paid." }),
  amount: PayableAmount.annotateKey({ description: "What the resource costs." }),
  resource: Resource.annotateKey({ description: "What is paid for, such as `GET /reports/7`." }),
}

/** The longest time that one payment opens a resource for is a year. */
const ValidSeconds = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 31_536_000 }))

/** The client's identifier of a purchase, so that it is made once (x402, `payment-identifier`). */
export const PaymentIdentifier = Schema.String.check(
  Schema.isPattern(/^[A-Za-z0-9_-]{16,128}$/),
).annotate({ description: "16 to 128 letters, digits, `-` and `_` (x402, payment-identifier)." })

/** The body of `POST /v1/payment-challenges` (HTTP 402 mode). */
export const OpenChallengeInput = Schema.Struct({
  ...bound,
  description: Schema.optionalKey(Text.description(1024)).annotateKey({
    description: "What is sold, as the payer reads it.",
  }),
  channel: Schema.optionalKey(Text.line(64)).annotateKey({
    description: "The channel to pay by; the service's choice where it is left out.",
  }),
  valid_seconds: Schema.optionalKey(ValidSeconds).annotateKey({
    description: "For how many seconds the payment gives access.",
  }),
  idle_seconds: Schema.optionalKey(IdleSeconds).annotateKey({
    description:
      "For a deposit that requests draw from: so many seconds after the last draw the session is " +
      "closed and the rest given back; a day where it is left out.",
  }),
})
export type OpenChallengeInput = typeof OpenChallengeInput.Type

/** The body of `POST /v1/x402/payments`: it pays for one use. */
export const PayForResourceInput = Schema.Struct({
  ...bound,
  description: Schema.optionalKey(Text.description(1024)).annotateKey({
    description: "What is bought, as the payer reads it.",
  }),
  channel: Schema.optionalKey(Text.line(64)).annotateKey({
    description: "The channel to pay by; the service's choice where it is left out.",
  }),
})
export type PayForResourceInput = typeof PayForResourceInput.Type

/** The body of `POST /v1/payment-challenges/{payment_intent}/redeem`. */
export const RedeemInput = Schema.Struct({
  ...bound,
  token: Text.line(256).annotateKey({ description: "The token that the demand gave." }),
  payment_identifier: Schema.optionalKey(PaymentIdentifier),
  capture: Schema.optionalKey(Schema.Literals(["at_once", "later", "in_part"])).annotateKey({
    description:
      "Whether an authorized payment is captured at once, as it is without this, or later, by " +
      "`POST /v1/payment-intents/{id}/capture`; `in_part` is accepted where a part can be.",
  }),
})
export type RedeemInput = typeof RedeemInput.Type

/** Amounts have their own error code (Errors). */
export const challengeRules = { codes: { amount: "INVALID_AMOUNT" } } satisfies FieldRules
