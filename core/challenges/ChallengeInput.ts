import { Schema } from "effect"
import { PayableAmount } from "../shared/Money.ts"
import type { FieldRules } from "../shared/Decode.ts"
import * as Text from "../shared/Text.ts"
import { IdleSeconds } from "./PaymentSession.ts"

/** The resource that is paid for: method and path, or any other name that the seller uses. */
const Resource = Text.line(2048)

const bound = {
  service_id: Text.line(64).annotateKey({ description: "The service that is paid." }),
  amount: PayableAmount.annotateKey({ description: "The price of the resource." }),
  resource: Resource.annotateKey({ description: "The paid resource, such as `GET /reports/7`." }),
}

/** The longest time that one payment opens a resource for is a year. */
const ValidSeconds = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 31_536_000 }))

/** The client's identifier of a purchase, so that it is made once (x402, `payment-identifier`). */
export const PaymentIdentifier = Schema.String.check(
  Schema.isPattern(/^[A-Za-z0-9_-]{16,128}$/, {
    expected: "16 to 128 letters, digits, - and _",
  }),
).annotate({
  description:
    "The client's id of the purchase: 16 to 128 letters, digits, `-` and `_` (x402, " +
    "payment-identifier).",
})

/** The body of `POST /v1/payment-challenges` (HTTP 402 mode). */
export const OpenChallengeInput = Schema.Struct({
  ...bound,
  description: Schema.optionalKey(Text.description(1024)).annotateKey({
    description: "The sale, described for the payer.",
  }),
  channel: Schema.optionalKey(Text.line(64)).annotateKey({
    description: "The channel to pay by. Default: the service's choice.",
  }),
  valid_seconds: Schema.optionalKey(ValidSeconds).annotateKey({
    description: "For how many seconds the payment gives access.",
  }),
  idle_seconds: Schema.optionalKey(IdleSeconds).annotateKey({
    description:
      "For a deposit from which requests draw: the number of seconds after the last draw " +
      "until the session closes and the rest is returned. Default: a day.",
  }),
})
export type OpenChallengeInput = typeof OpenChallengeInput.Type

/** The body of `POST /v1/x402/payments`: it pays for one use. */
export const PayForResourceInput = Schema.Struct({
  ...bound,
  description: Schema.optionalKey(Text.description(1024)).annotateKey({
    description: "The purchase, described for the payer.",
  }),
  channel: Schema.optionalKey(Text.line(64)).annotateKey({
    description: "The channel to pay by. Default: the service's choice.",
  }),
})
export type PayForResourceInput = typeof PayForResourceInput.Type

/** The body of `POST /v1/payment-challenges/{payment_intent}/redeem`. */
export const RedeemInput = Schema.Struct({
  ...bound,
  token: Text.line(256).annotateKey({ description: "The token of the payment challenge." }),
  payment_identifier: Schema.optionalKey(PaymentIdentifier),
  capture: Schema.optionalKey(Schema.Literals(["at_once", "later", "in_part"])).annotateKey({
    description:
      "Whether an authorized payment is captured at once (the default) or later, by `POST " +
      "/v1/payment-intents/{id}/capture`. `in_part` is accepted only if a part can be " +
      "captured.",
  }),
})
export type RedeemInput = typeof RedeemInput.Type

/** Amounts have their own error code (Errors). */
export const challengeRules = { codes: { amount: "INVALID_AMOUNT" } } satisfies FieldRules
