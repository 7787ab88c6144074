import { defineKind } from "../../commits/KindDeclaration.ts"
import type { Timestamp } from "../../shared/Timestamp.ts"
import { uuidOfName } from "../../shared/Id.ts"
import type { KycLevel } from "../../shared/KycLevel.ts"
import type { Standing } from "./Standing.ts"

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
  /** The highest of `verified`, as it was when the record was written: see `levelAt`. */
  readonly level: KycLevel
  /** What the agent is verified for: each level by one verification. */
  readonly verified: ReadonlyArray<Standing>
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
): string => `agt_${uuidOfName(`${accountId} ${agentId}`, sha256)}`

declare module "../../commits/Records.ts" {
  interface Records {
    readonly agent: Agent
  }
}

/** How agents are kept. */
export const agentKind = defineKind("agent", {
  prefix: "agt",
  erased: true,
  cached: "absence",
})
