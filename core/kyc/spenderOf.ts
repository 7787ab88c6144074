import { Clock, Effect } from "effect"
import { Store } from "../ports/Store.ts"
import { Vault } from "../ports/Vault.ts"
import { agentRecordId } from "./Agent.ts"
import type { Spender } from "./Gate.ts"
import { levelAt } from "./Standing.ts"

/** An agent of an account as the limits see it: anonymous, unless it was verified (KYC/KYB). */
export const spenderOf = Effect.fnUntraced(function* (accountId: string, agentId: string) {
  const agent = agentRecordId(accountId, agentId, (yield* Vault).sha256)
  const found = yield* (yield* Store).findAgent(agent)
  const level = levelAt(found, yield* Clock.currentTimeMillis)
  return { account_id: accountId, agent, level } satisfies Spender
})
