import { Clock, Effect } from "effect"
import { Store } from "../../ports/Store.ts"
import { Vault } from "../../ports/Vault.ts"
import { agentRecordId } from "./Agent.ts"
import type { Spender } from "../limits/Gate.ts"
import { detectedChannels, levelAt } from "./Standing.ts"

/** Who pays, with the channels whose wallets it is known to have (routing rules). */
export interface KnownSpender extends Spender {
  readonly detected: ReadonlyArray<string>
}

/** An agent of an account as the limits see it: anonymous, unless it was verified (KYC/KYB). */
export const spenderOf = Effect.fnUntraced(function* (accountId: string, agentId: string) {
  const agent = agentRecordId(accountId, agentId, (yield* Vault).sha256)
  const found = yield* (yield* Store).find("agent", agent)
  const now = yield* Clock.currentTimeMillis
  const spender: KnownSpender = {
    account_id: accountId,
    agent,
    level: levelAt(found, now),
    detected: detectedChannels(found, now),
  }
  return spender
})
