import { Effect } from "effect"
import type { Caller } from "../../accounts/Account.ts"
import { Vault } from "../../ports/Vault.ts"
import { agentRecordId } from "./Agent.ts"

/**
 * Returns the record id of an agent of the caller's account. Every name is valid, whatever agents
 * other accounts have, so the result does not reveal whether an agent exists.
 */
export const ownAgent = ({ account }: Caller, agentId: string) =>
  Effect.map(Vault, ({ sha256 }) => agentRecordId(account.id, agentId, sha256))
