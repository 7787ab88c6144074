import { Schema } from "effect"
import { PayerInput } from "../kyc/agents/PayerInput.ts"
import { CurrencyCode, PayableAmount } from "../shared/Money.ts"
import * as Text from "../shared/Text.ts"

/** The body of `POST /v1/fx/quotes`. */
export const CreateQuoteInput = Schema.Struct({
  amount: PayableAmount,
  settlement_currency: CurrencyCode,
  service_id: Schema.optionalKey(Text.line(64)),
  channels: Schema.optionalKey(
    Schema.NonEmptyArray(Text.line(64)).check(
      Schema.isMaxLength(100, { expected: "at most 100 channels" }),
      Schema.isUnique(),
    ),
  ),
  payer: Schema.optionalKey(PayerInput),
})
export type CreateQuoteInput = typeof CreateQuoteInput.Type
