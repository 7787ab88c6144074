import { Schema } from "effect"
import * as Text from "../../shared/Text.ts"

/** The name of an agent, or of the person that it acts for. */
export const AgentId = Text.line(128)

/** The payer as a request names it (PaymentIntent, payer). */
export const PayerInput = Schema.Struct({
  agent_id: Schema.optionalKey(AgentId).annotateKey({
    description: "The agent, by the name that its account gave it.",
  }),
  human_id: Schema.optionalKey(AgentId).annotateKey({
    description: "The person whom the agent pays for, by a name of the caller's.",
  }),
})
export type PayerInput = typeof PayerInput.Type
