import type { Timestamp } from "../shared/Timestamp.ts"
import type { KycLevel } from "./Level.ts"

/**
 * An agent of an account with the level that is in force for it. One without a record is anonymous.
 * Agents are scoped to their account: the same name in another account is another agent.
 */
export interface Agent {
  /** See {@link agentRecordId}. */
  readonly id: string
  readonly version: number
  readonly account_id: string
  readonly agent_id: string
  /** The highest of its verified levels that has not expired. */
  readonly level: KycLevel
  readonly updated_at: Timestamp
}

/**
 * The id of an agent's record: `agt_` and a UUID (version 8) made of the two names, so that each
 * agent has one record and asking for it needs no index. `sha256` returns lower-case hex.
 */
export const agentRecordId = (
  accountId: string,
  agentId: string,
  sha256: (text: string) => string,
): string => {
  const digest = sha256(`${accountId} ${agentId}`)
  const variant = "89ab".charAt(Number.parseInt(digest.charAt(16), 16) % 4)
  return (
    `agt_${digest.slice(0, 8)}-${digest.slice(8, 12)}-8${digest.slice(13, 16)}-` +
    `${variant}${digest.slice(17, 20)}-${digest.slice(20, 32)}`
  )
}
