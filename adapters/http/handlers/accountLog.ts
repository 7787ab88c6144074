import { listLog } from "../../../core/accountLog/listLog.ts"
import type { accountLog } from "../contract/accountLog.ts"
import type { CoreHandlers } from "./Core.ts"

export const accountLogHandlers = {
  list: ({ caller, query }) => listLog(caller.account.id, query),
} satisfies CoreHandlers<typeof accountLog>
