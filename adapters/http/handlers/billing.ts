import { getStatement, listStatements } from "../../../core/billing/showStatements.ts"
import { showUsage } from "../../../core/billing/showUsage.ts"
import type { billing } from "../contract/billing.ts"
import type { CoreHandlers } from "./Core.ts"

export const billingHandlers = {
  usage: ({ caller, query }) => showUsage(caller, query),
  statements: ({ caller, query }) => listStatements(caller, query),
  statement: ({ caller, params }) => getStatement(caller, params.id),
} satisfies CoreHandlers<typeof billing>
