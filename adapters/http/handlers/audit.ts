import { listAudit } from "../../../core/audit/showAudit.ts"
import type { audit } from "../contract/audit.ts"
import type { CoreHandlers } from "./Core.ts"

export const auditHandlers = {
  list: ({ query }) => listAudit(query),
} satisfies CoreHandlers<typeof audit>
