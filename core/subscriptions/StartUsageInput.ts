import { Schema } from "effect"
import { expectedRate } from "../invoices/ExpectedPrice.ts"
import type { FieldRules } from "../shared/Decode.ts"
import { SubscribeInput } from "./SubscribeInput.ts"

/** The body of `POST /v1/services/{id}/tab`. */
export const StartUsageInput = Schema.Struct({
  payer: SubscribeInput.fields.payer,
  ...expectedRate,
})
export type StartUsageInput = typeof StartUsageInput.Type

/** A bad price and a bad payer have error codes of their own (Errors). */
export const startUsageRules = {
  codes: {
    rate: "INVALID_AMOUNT",
    currency: "INVALID_AMOUNT",
    unit: "INVALID_AMOUNT",
    payer: "INVALID_PAYER",
  },
} satisfies FieldRules
