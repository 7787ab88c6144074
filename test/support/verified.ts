import { Clock, Effect } from "effect"
import { agentRecordId } from "../../core/kyc/agents/Agent.ts"
import type { KycLevel } from "../../core/channels/Channel.ts"
import { Store } from "../../core/ports/Store.ts"
import { Vault } from "../../core/ports/Vault.ts"

/** Puts a level in force for an agent that was never verified, as a verification would. */
export const verified = Effect.fnUntraced(function* (
  account_id: string,
  agent_id: string,
  level: KycLevel = "business",
) {
  const id = agentRecordId(account_id, agent_id, (yield* Vault).sha256)
  const updated_at = yield* Clock.currentTimeMillis
  const verified = [{ verification_id: "kyc_", level, expires_at: null, channels: [] }]
  const record = { id, version: 1, account_id, agent_id, level, verified, updated_at }
  yield* (yield* Store).commit({ writes: [{ op: "insert", kind: "agent", record }] })
})
