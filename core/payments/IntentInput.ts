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
    description: "What is to be paid: a price of the service, in its currency.",
  }),
  description: Text.description(1024).annotateKey({
    description: "What is bought, as the payer reads it.",
  }),
  payer_channel: Schema.optionalKey(Text.line(64)).annotateKey({
    description: "The channel that the payer wants; the service's choice where it is left out.",
  }),
  payer: Schema.optionalKey(PayerInput).annotateKey({
    description: "The agent that pays, and the person it pays for.",
  }),
  return_url: Schema.optionalKey(Url).annotateKey({
    description: "Where the payer's browser goes back to afterwards.",
  }),
  metadata: Schema.optionalKey(Metadata).annotateKey({
    description: "Facts of the caller's own, which are kept and shown, and mean nothing here.",
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
    description: "What is to be paid: a price of the service, in its currency.",
  }),
  description: Text.description(1024).annotateKey({
    description: "What is bought, as the payer reads it.",
  }),
  payer: Schema.Struct({
    agent_id: AgentId.annotateKey({
      description: "The agent, by the name that its account gave it.",
    }),
    human_id: Schema.optionalKey(AgentId).annotateKey({
      description: "The person whom the agent pays for, by a name of the caller's.",
    }),
  }).annotateKey({ description: "The agent that pays, and the person it pays for." }),
  channel: Schema.optionalKey(Text.line(64)).annotateKey({
    description: "The channel to pay by; the service's choice where it is left out.",
  }),
  return_url: Schema.optionalKey(Url).annotateKey({
    description: "Where the payer's browser goes back to afterwards.",
  }),
  metadata: Schema.optionalKey(Metadata).annotateKey({
    description: "Facts of the caller's own, which are kept and shown, and mean nothing here.",
  }),
})
export type CreateOneTimeInput = typeof CreateOneTimeInput.Type

/**
 * The body of `POST /v1/payments`: the body of a One-Time payment with the payer's claimed level,
 * or only the amount, to ask whether it may be paid.
 */
export const AttemptInput = Schema.Struct({
  amount: PayableAmount.annotateKey({ description: "What is to be paid." }),
  service_id: Schema.optionalKey(Text.line(64)).annotateKey({ description: "The service's id." }),
  description: Schema.optionalKey(Text.description(1024)).annotateKey({
    description: "What is bought, as the payer reads it.",
  }),
  payer: Schema.optionalKey(CreateOneTimeInput.fields.payer).annotateKey({
    description: "The agent that pays, and the person it pays for.",
  }),
  channel: Schema.optionalKey(Text.line(64)).annotateKey({
    description: "The channel to pay by; the service's choice where it is left out.",
  }),
  return_url: Schema.optionalKey(Url).annotateKey({
    description: "Where the payer's browser goes back to afterwards.",
  }),
  metadata: Schema.optionalKey(Metadata).annotateKey({
    description: "Facts of the caller's own, which are kept and shown, and mean nothing here.",
  }),
  kyc_level: Schema.optionalKey(Schema.Literals(KYC_LEVELS)).annotateKey({
    description: "The level that the payer claims; it is held to the one in force.",
  }),
})
export type AttemptInput = typeof AttemptInput.Type
