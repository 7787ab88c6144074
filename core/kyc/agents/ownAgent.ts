import { Effect } from "effect"
import type { Caller } from "../../accounts/Account.ts"
import { Vault } from "../../ports/Vault.ts"
import { agentRecordId } from "./Agent.ts"

/**
 * The id of the record of an agent of the caller's account. Every name is one of its agents',
 * whatever agents other accounts have: nothing tells them apart from those that nobody has.
 */
export const ownAgent = ({ account }: Caller, agentId: string) =>
  Effect.map(Vault, ({ sha256 }) => agentRecordId(account.id, agentId, sha256))
