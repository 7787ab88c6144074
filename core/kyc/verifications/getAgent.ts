import { Clock, Effect } from "effect"
import type { Caller } from "../../accounts/Account.ts"
import { Installation } from "../../ports/Installation.ts"
import { Store } from "../../ports/Store.ts"
import { toIso } from "../../shared/Timestamp.ts"
import { channelsOf, limitsView } from "../limits/Limits.ts"
import { ownAgent } from "../agents/ownAgent.ts"
import { standingAt } from "../agents/Agent.ts"
import { verificationSummary } from "./VerificationView.ts"

/** The most verifications of an agent that are shown, newest first. */
const MOST_SHOWN = 20

/**
 * Shows an agent of the caller's account: its level in force, what the level allows, and its newest
 * verifications. An agent that was never verified is anonymous.
 */
export const getAgent = Effect.fn("getAgent")(function* (caller: Caller, agentId: string) {
  const store = yield* Store
  const { catalog, terms } = yield* Installation
  const agent = yield* ownAgent(caller, agentId)
  const at = yield* Clock.currentTimeMillis
  const standing = standingAt(yield* store.find("agent", agent), at)
  const level = standing?.level ?? "anonymous"
  const verifications = yield* store.list("verification", { by: { agent }, limit: MOST_SHOWN })
  const expiresAt = standing?.expires_at ?? null
  return {
    agent_id: agentId,
    level,
    limits: limitsView(terms.limits, level),
    channels: channelsOf(catalog, level),
    verifications: verifications.map((verification) => verificationSummary(verification, at)),
    ...(expiresAt !== null && { expires_at: toIso(expiresAt) }),
  }
})
