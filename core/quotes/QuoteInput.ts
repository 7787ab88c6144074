import { Schema } from "effect"
import { PayerInput } from "../kyc/agents/PayerInput.ts"
import { CurrencyCode, PayableAmount } from "../shared/Money.ts"
import * as Text from "../shared/Text.ts"

/** The body of `POST /v1/fx/quotes`. */
export const CreateQuoteInput = Schema.Struct({
  amount: PayableAmount.annotateKey({ description: "The amount that the payer pays." }),
  settlement_currency: CurrencyCode.annotateKey({
    description: "The currency that the payee is paid in.",
  }),
  service_id: Schema.optionalKey(Text.line(64)).annotateKey({
    description: "The service that is paid. Its channels are compared.",
  }),
  channels: Schema.optionalKey(
    Schema.NonEmptyArray(Text.line(64)).check(
      Schema.isMaxLength(100, { expected: "at most 100 channels" }),
      Schema.isUnique(),
    ),
  ).annotateKey({
    description: "The channels to compare. Default: the service's channels.",
  }),
  payer: Schema.optionalKey(PayerInput).annotateKey({
    description: "The agent that pays, and the person it pays for.",
  }),
})
export type CreateQuoteInput = typeof CreateQuoteInput.Type
