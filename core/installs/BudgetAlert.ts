import { Schema } from "effect"
import { Amount } from "../shared/Wire.ts"
import { SpendCap } from "./SpendCap.ts"

/** The `data` of `budget.alert`: what an agent has spent of its cap in the period. */
export const BudgetAlert = Schema.Struct({
  install_id: Schema.String,
  service_id: Schema.String,
  agent_id: Schema.String,
  percent: Schema.Int.annotate({ description: "The alert that was reached, in percent." }),
  spent: Amount,
  spend_cap: SpendCap,
})

declare module "../webhooks/events/Event.ts" {
  interface EventData {
    readonly "budget.alert": typeof BudgetAlert.Type
  }
}
