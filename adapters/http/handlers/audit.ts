import { listAudit } from "../../../core/audit/showAudit.ts"
import type { audit } from "../contract/audit.ts"
import type { GroupHandlers } from "../koa/Handlers.ts"
import type { Core } from "./Core.ts"

export const auditHandlers = {
  list: ({ query }) => listAudit(query),
} satisfies GroupHandlers<typeof audit, Core>
