import { Schema } from "effect"
import { CurrencyCode } from "../shared/Money.ts"
import * as Text from "../shared/Text.ts"
import { CreateIntentInput } from "./IntentInput.ts"

const { amount, description, metadata, payer, return_url, service_id } = CreateIntentInput.fields

/** The body of `POST /v1/fx/quotes`. */
export const CreateQuoteInput = Schema.Struct({
  amount,
  settlement_currency: CurrencyCode,
  service_id: Schema.optionalKey(service_id),
  channels: Schema.optionalKey(
    Schema.NonEmptyArray(Text.line(64)).check(
      Schema.isMaxLength(100, { expected: "at most 100 channels" }),
      Schema.isUnique(),
    ),
  ),
  payer,
})
export type CreateQuoteInput = typeof CreateQuoteInput.Type

/** The body of `POST /v1/fx/routes`. */
export const PayQuoteInput = Schema.Struct({
  quote_id: Text.line(64),
  channel: Schema.optionalKey(Text.line(64)),
  service_id,
  description,
  payer,
  return_url,
  metadata,
})
export type PayQuoteInput = typeof PayQuoteInput.Type
