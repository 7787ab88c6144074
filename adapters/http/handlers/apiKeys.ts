import { issueKey } from "../../../core/keys/issueKey.ts"
import { listKeys } from "../../../core/keys/listKeys.ts"
import { revokeKey } from "../../../core/keys/revokeKey.ts"
import { rollKey } from "../../../core/keys/rollKey.ts"
import type { apiKeys } from "../contract/apiKeys.ts"
import type { CoreHandlers } from "./Core.ts"

export const apiKeyHandlers = {
  issue: ({ caller, payload }) => issueKey(caller, payload),
  list: ({ caller, query }) => listKeys(caller, query),
  roll: ({ caller, params, payload }) => rollKey(caller, params.id, payload),
  revoke: ({ caller, params, query }) => revokeKey(caller, params.id, query),
} satisfies CoreHandlers<typeof apiKeys>
