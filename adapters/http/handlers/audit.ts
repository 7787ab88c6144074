import { listHeads } from "../../../core/audit/publishHeads.ts"
import { listAudit } from "../../../core/audit/showAudit.ts"
import type { audit } from "../contract/audit.ts"
import type { CoreHandlers } from "./Core.ts"

export const auditHandlers = {
  list: ({ query }) => listAudit(query),
  heads: ({ query }) => listHeads(query),
} satisfies CoreHandlers<typeof audit>
