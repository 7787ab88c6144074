import { changePlan } from "../../../core/accounts/changePlan.ts"
import { createAccount } from "../../../core/accounts/createAccount.ts"
import { getAccount, listAccounts } from "../../../core/accounts/showAccounts.ts"
import { issueAnew } from "../../../core/keys/issueAnew.ts"
import { keysOfAccount, suspendAccount, suspendKey } from "../../../core/keys/suspend.ts"
import type { accounts } from "../contract/accounts.ts"
import type { CoreHandlers } from "./Core.ts"

export const accountHandlers = {
  create: ({ payload }) => createAccount(payload),
  list: ({ query }) => listAccounts(query),
  get: ({ params }) => getAccount(params.id),
  suspend: ({ params }) => suspendAccount(params.id, true),
  resume: ({ params }) => suspendAccount(params.id, false),
  listKeys: ({ params, query }) => keysOfAccount(params.id, query),
  issueKey: ({ params }) => issueAnew(params.id),
  suspendKey: ({ params, payload }) => suspendKey(params.id, params.key_id, true, payload),
  resumeKey: ({ params, payload }) => suspendKey(params.id, params.key_id, false, payload),
  changePlan: ({ params, payload }) => changePlan(params.id, payload),
} satisfies CoreHandlers<typeof accounts>
