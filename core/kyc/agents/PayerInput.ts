import { Schema } from "effect"
import * as Text from "../../shared/Text.ts"

/** The name of an agent, or of the person that it acts for. */
export const AgentId = Text.line(128)

/** The payer as a request names it (PaymentIntent, payer). */
export const PayerInput = Schema.Struct({
  agent_id: Schema.optionalKey(AgentId).annotateKey({
    description: "The agent's id, chosen by its account.",
  }),
  human_id: Schema.optionalKey(AgentId).annotateKey({
    description: "The id of the person whom the agent pays for, chosen by the caller.",
  }),
})
export type PayerInput = typeof PayerInput.Type
