import { Schema } from "effect"
import { KYC_LEVELS } from "../channels/Channel.ts"
import type { FieldRules } from "../shared/Decode.ts"
import { PayableAmount, PayableValue } from "../shared/Money.ts"
import { AgentId, PayerInput } from "../kyc/agents/PayerInput.ts"
import * as Text from "../shared/Text.ts"

const Url = Text.line(2048).check(
  Schema.isPattern(/^https?:\/\/[^\s/?#@\\]+([/?#][^\s\\]*)?$/i, {
    expected: "an http or https URL",
  }),
)

const Metadata = Schema.Record(Schema.String, Schema.Json)

/** Fields of a payment that are asked for elsewhere too. */
export const paymentFields = { value: PayableValue, return_url: Url, metadata: Metadata }

/** The body of `POST /v1/payment-intents` (Request Payment). */
export const CreateIntentInput = Schema.Struct({
  service_id: Text.line(64),
  type: Schema.Literal("one_time"),
  amount: PayableAmount,
  description: Text.description(1024),
  payer_channel: Schema.optionalKey(Text.line(64)),
  payer: Schema.optionalKey(PayerInput),
  return_url: Schema.optionalKey(Url),
  metadata: Schema.optionalKey(Metadata),
})
export type CreateIntentInput = typeof CreateIntentInput.Type

/** In both flows amount and payer have codes of their own (Errors). */
export const paymentRules = {
  codes: { amount: "INVALID_AMOUNT", payer: "INVALID_PAYER" },
} satisfies FieldRules

/** The body of `POST /v1/payments/one-time` (One-Time Pay). */
export const CreateOneTimeInput = Schema.Struct({
  service_id: Text.line(64),
  amount: PayableAmount,
  description: Text.description(1024),
  payer: Schema.Struct({
    agent_id: AgentId,
    human_id: Schema.optionalKey(AgentId),
  }),
  channel: Schema.optionalKey(Text.line(64)),
  return_url: Schema.optionalKey(Url),
  metadata: Schema.optionalKey(Metadata),
})
export type CreateOneTimeInput = typeof CreateOneTimeInput.Type

/**
 * The body of `POST /v1/payments`: that of a One-Time payment with the payer's claimed level, or
 * the amount alone to ask whether it may be paid.
 */
export const AttemptInput = Schema.Struct({
  amount: PayableAmount,
  service_id: Schema.optionalKey(Text.line(64)),
  description: Schema.optionalKey(Text.description(1024)),
  payer: Schema.optionalKey(CreateOneTimeInput.fields.payer),
  channel: Schema.optionalKey(Text.line(64)),
  return_url: Schema.optionalKey(Url),
  metadata: Schema.optionalKey(Metadata),
  kyc_level: Schema.optionalKey(Schema.Literals(KYC_LEVELS)),
})
export type AttemptInput = typeof AttemptInput.Type
