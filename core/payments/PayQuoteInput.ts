import { Schema } from "effect"
import * as Text from "../shared/Text.ts"
import { CreateIntentInput } from "./IntentInput.ts"

const { description, metadata, payer, return_url, service_id } = CreateIntentInput.fields

/** The body of `POST /v1/fx/routes`. */
export const PayQuoteInput = Schema.Struct({
  quote_id: Text.line(64).annotateKey({ description: "The id of the quote." }),
  channel: Schema.optionalKey(Text.line(64)).annotateKey({
    description: "The channel of the quote to pay by. Default: the best one.",
  }),
  service_id,
  description,
  payer,
  return_url,
  metadata,
})
export type PayQuoteInput = typeof PayQuoteInput.Type
