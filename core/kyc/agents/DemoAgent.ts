import type { Account } from "../../accounts/Account.ts"
import type { Timestamp } from "../../shared/Timestamp.ts"
import { type Agent, agentRecordId } from "./Agent.ts"

/** The verification id of the sandbox's demo seller; no verification has this id. */
const BY_NOBODY = "kyc_demo"

/** Returns the agent of the sandbox's demo seller: a business that was never verified. */
export const demoAgent = (
  { agent_id, id: account_id }: Pick<Account, "id" | "agent_id">,
  sha256: (text: string) => string,
  at: Timestamp,
): Agent => ({
  id: agentRecordId(account_id, agent_id, sha256),
  version: 1,
  account_id,
  agent_id,
  level: "business",
  verified: [{ verification_id: BY_NOBODY, level: "business", expires_at: null, channels: [] }],
  updated_at: at,
})

/** Tells whether the agent is the sandbox's demo seller. */
export const isDemoAgent = (agent: Pick<Agent, "verified"> | undefined): boolean =>
  agent?.verified.some(({ verification_id }) => verification_id === BY_NOBODY) ?? false
