import { Schema } from "effect"
import { Amount } from "../shared/Wire.ts"
import { SpendCap } from "./SpendCap.ts"

/** The `data` of `budget.alert`: how much of its cap an agent has spent in the period. */
export const BudgetAlert = Schema.Struct({
  install_id: Schema.String.annotateKey({ description: "The install's id." }),
  service_id: Schema.String.annotateKey({ description: "The service's id." }),
  agent_id: Schema.String.annotateKey({
    description: "The agent, by the name that its account gave it.",
  }),
  percent: Schema.Int.annotate({ description: "The alert that was reached, in percent." }),
  spent: Amount.annotateKey({ description: "What the agent has paid in the period." }),
  spend_cap: SpendCap.annotateKey({
    description: "The most that the agent may pay to the service in a period.",
  }),
})

declare module "../webhooks/events/Event.ts" {
  interface EventData {
    readonly "budget.alert": typeof BudgetAlert.Type
  }
}
