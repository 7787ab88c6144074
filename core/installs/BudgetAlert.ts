import { Schema } from "effect"
import { Amount } from "../shared/Wire.ts"
import { SpendCap } from "./SpendCap.ts"

/** The `data` of `budget.alert`: how much of its cap an agent has spent in the period. */
export const BudgetAlert = Schema.Struct({
  install_id: Schema.String.annotateKey({ description: "The install's id." }),
  service_id: Schema.String.annotateKey({ description: "The service's id." }),
  agent_id: Schema.String.annotateKey({
    description: "The agent's id, chosen by its account.",
  }),
  percent: Schema.Int.annotate({
    description: "The threshold that was reached, in percent of the cap.",
  }),
  spent: Amount.annotateKey({ description: "The sum that the agent has paid in the period." }),
  spend_cap: SpendCap.annotateKey({
    description: "The maximum that the agent may pay to the service per period.",
  }),
})

declare module "../webhooks/events/Event.ts" {
  interface EventData {
    readonly "budget.alert": typeof BudgetAlert.Type
  }
}
