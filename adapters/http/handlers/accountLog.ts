import { listLog } from "../../../core/accountLog/listLog.ts"
import type { accountLog } from "../contract/accountLog.ts"
import type { GroupHandlers } from "../koa/Handlers.ts"
import type { Core } from "./Core.ts"

export const accountLogHandlers = {
  list: ({ caller, query }) => listLog(caller.account.id, query),
} satisfies GroupHandlers<typeof accountLog, Core>
