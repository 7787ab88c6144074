import { Schema } from "effect"
import { PayerInput } from "../kyc/agents/PayerInput.ts"
import type { FieldRules } from "../shared/Decode.ts"
import { INTERVALS } from "../shared/Period.ts"
import { type Money, PayableAmount } from "../shared/Money.ts"
import * as Text from "../shared/Text.ts"

/** The body of `POST /v1/service-manifests/{id}/subscribe` (AI-native endpoints, `subscribe`). */
export const SubscribeInput = Schema.Struct({
  plan_id: Text.line(64).annotateKey({ description: "The plan's id within its service." }),
  interval: Schema.optionalKey(Schema.Literals(INTERVALS)).annotateKey({
    description:
      "The plan's interval that you agree to. If it differs, the request is refused. Required " +
      "with `amount`.",
  }),
  amount: Schema.optionalKey(PayableAmount).annotateKey({
    description:
      "The price of an interval that you agree to, as the service shows it. If the plan's price " +
      "differs, the request is refused, and nothing is charged. Default: any price.",
  }),
  payer: Schema.optionalKey(PayerInput).annotateKey({
    description:
      "The agent that pays, and the person it pays for. Default: the agent of a buyer's key. " +
      "A seller's key has to name one.",
  }),
})
export type SubscribeInput = typeof SubscribeInput.Type

/** The terms of a subscription. A part of the price that is left out may be anything. */
export interface SubscribeTerms extends Omit<SubscribeInput, "amount"> {
  readonly amount?: Partial<Money>
}

/** A bad amount and a bad payer have error codes of their own (Errors). */
export const subscribeRules = {
  codes: { amount: "INVALID_AMOUNT", payer: "INVALID_PAYER" },
} satisfies FieldRules
