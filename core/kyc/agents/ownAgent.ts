import { Effect } from "effect"
import type { Caller } from "../../accounts/Account.ts"
import { Store } from "../../ports/Store.ts"
import { Vault } from "../../ports/Vault.ts"
import { agentRecordId } from "./Agent.ts"

/**
 * The id of the record of an agent of the caller's account; undefined for the name that another
 * account acts as, which no account can have an agent of.
 */
export const ownAgent = Effect.fnUntraced(function* ({ account }: Caller, agentId: string) {
  if (agentId !== account.agent_id) {
    const other = yield* (yield* Store).findBy("account", { agent_id: agentId })
    if (other !== undefined) return undefined
  }
  return agentRecordId(account.id, agentId, (yield* Vault).sha256)
})
