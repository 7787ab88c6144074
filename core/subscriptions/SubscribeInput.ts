import { Schema } from "effect"
import { PayerInput } from "../kyc/agents/PayerInput.ts"
import type { FieldRules } from "../shared/Decode.ts"
import { INTERVALS } from "../shared/Period.ts"
import * as Text from "../shared/Text.ts"

/** The body of `POST /v1/service-manifests/{id}/subscribe` (AI-native endpoints, `subscribe`). */
export const SubscribeInput = Schema.Struct({
  plan_id: Text.line(64).annotateKey({ description: "The plan's id within its service." }),
  interval: Schema.optionalKey(Schema.Literals(INTERVALS)).annotateKey({
    description: "The plan's period. Needed only if several plans have the same id.",
  }),
  payer: Schema.optionalKey(PayerInput).annotateKey({
    description: "The agent that pays, and the person it pays for.",
  }),
})
export type SubscribeInput = typeof SubscribeInput.Type

/** A bad payer has an error code of its own (Errors). */
export const subscribeRules = { codes: { payer: "INVALID_PAYER" } } satisfies FieldRules
