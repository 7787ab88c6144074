import { issueKey } from "../../../core/accounts/issueKey.ts"
import { listKeys } from "../../../core/accounts/listKeys.ts"
import { revokeKey } from "../../../core/accounts/revokeKey.ts"
import { rollKey } from "../../../core/accounts/rollKey.ts"
import type { apiKeys } from "../contract/apiKeys.ts"
import type { GroupHandlers } from "../koa/Handlers.ts"
import type { Core } from "./Core.ts"

export const apiKeyHandlers = {
  issue: ({ caller, payload }) => issueKey(caller, payload),
  list: ({ caller, query }) => listKeys(caller, query),
  roll: ({ caller, params, payload }) => rollKey(caller, params.id, payload),
  revoke: ({ caller, params }) => revokeKey(caller, params.id),
} satisfies GroupHandlers<typeof apiKeys, Core>
