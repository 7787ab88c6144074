import { Schema } from "effect"
import { KYC_LEVELS } from "../channels/Channel.ts"
import type { FieldRules } from "../shared/Decode.ts"
import { PayableAmount, PayableValue } from "../shared/Money.ts"
import { AgentId, PayerInput } from "../kyc/agents/PayerInput.ts"
import * as Text from "../shared/Text.ts"

/**
 * A website's address that a payer's browser opens. It has no user name or password, and no
 * characters in the host that browsers and people read differently.
 */
const Url = Text.line(2048).check(
  Schema.isPattern(
    /^https?:\/\/(\[[\da-f:.]+\]|[^\s/?#@\\:<>[\]^|%"`{}]+)(:\d{1,5})?([/?#][^\s\\]*)?$/i,
    { expected: "an http or https URL" },
  ),
)

const Metadata = Schema.Record(Schema.String, Schema.Json)

/** Fields of a payment that other inputs use, too. */
export const paymentFields = { value: PayableValue, return_url: Url, metadata: Metadata }

/** The body of `POST /v1/payment-intents` (Request Payment). */
export const CreateIntentInput = Schema.Struct({
  service_id: Text.line(64).annotateKey({ description: "The service's id." }),
  type: Schema.Literal("one_time").annotateKey({ description: "Always `one_time`." }),
  amount: PayableAmount.annotateKey({
    description: "The amount to pay: a price of the service, in its currency.",
  }),
  description: Text.description(1024).annotateKey({
    description: "The purchase, described for the payer.",
  }),
  payer_channel: Schema.optionalKey(Text.line(64)).annotateKey({
    description: "The channel that the payer wants. Default: the service's choice.",
  }),
  payer: Schema.optionalKey(PayerInput).annotateKey({
    description: "The agent that pays, and the person it pays for.",
  }),
  return_url: Schema.optionalKey(Url).annotateKey({
    description: "The URL to which the payer's browser returns after the payment.",
  }),
  metadata: Schema.optionalKey(Metadata).annotateKey({
    description: "The caller's own data. It is stored and shown, and has no other effect.",
  }),
})
export type CreateIntentInput = typeof CreateIntentInput.Type

/** In both flows, amount and payer have their own error codes (Errors). */
export const paymentRules = {
  codes: { amount: "INVALID_AMOUNT", payer: "INVALID_PAYER" },
} satisfies FieldRules

/** The body of `POST /v1/payments/one-time` (One-Time Pay). */
export const CreateOneTimeInput = Schema.Struct({
  service_id: Text.line(64).annotateKey({ description: "The service's id." }),
  amount: PayableAmount.annotateKey({
    description: "The amount to pay: a price of the service, in its currency.",
  }),
  description: Text.description(1024).annotateKey({
    description: "The purchase, described for the payer.",
  }),
  payer: Schema.Struct({
    agent_id: AgentId.annotateKey({
      description: "The agent's id, chosen by its account.",
    }),
    human_id: Schema.optionalKey(AgentId).annotateKey({
      description: "The id of the person whom the agent pays for, chosen by the caller.",
    }),
  }).annotateKey({ description: "The agent that pays, and the person it pays for." }),
  channel: Schema.optionalKey(Text.line(64)).annotateKey({
    description: "The channel to pay by. Default: the service's choice.",
  }),
  return_url: Schema.optionalKey(Url).annotateKey({
    description: "The URL to which the payer's browser returns after the payment.",
  }),
  metadata: Schema.optionalKey(Metadata).annotateKey({
    description: "The caller's own data. It is stored and shown, and has no other effect.",
  }),
})
export type CreateOneTimeInput = typeof CreateOneTimeInput.Type

/**
 * The body of `POST /v1/payments`: the body of a One-Time payment with the payer's claimed level,
 * or only the amount, to ask whether it may be paid.
 */
export const AttemptInput = Schema.Struct({
  amount: PayableAmount.annotateKey({ description: "The amount to pay." }),
  service_id: Schema.optionalKey(Text.line(64)).annotateKey({ description: "The service's id." }),
  description: Schema.optionalKey(Text.description(1024)).annotateKey({
    description: "The purchase, described for the payer.",
  }),
  payer: Schema.optionalKey(CreateOneTimeInput.fields.payer).annotateKey({
    description: "The agent that pays, and the person it pays for.",
  }),
  channel: Schema.optionalKey(Text.line(64)).annotateKey({
    description: "The channel to pay by. Default: the service's choice.",
  }),
  return_url: Schema.optionalKey(Url).annotateKey({
    description: "The URL to which the payer's browser returns after the payment.",
  }),
  metadata: Schema.optionalKey(Metadata).annotateKey({
    description: "The caller's own data. It is stored and shown, and has no other effect.",
  }),
  kyc_level: Schema.optionalKey(Schema.Literals(KYC_LEVELS)).annotateKey({
    description:
      "The level that the payer claims. It can lower the level in force, never raise it.",
  }),
})
export type AttemptInput = typeof AttemptInput.Type
