import type { Timestamp } from "../../shared/Timestamp.ts"
import type { Agent } from "./Agent.ts"
import { KYC_LEVELS, type KycLevel } from "../../shared/KycLevel.ts"

/** A level that an agent is verified for, and by which verification. */
export interface Standing {
  readonly verification_id: string
  readonly level: KycLevel
  /** When it ends; null when it does not. */
  readonly expires_at: Timestamp | null
  /** The channels that know the agent's payer. */
  readonly channels: ReadonlyArray<string>
}

type Holder = Pick<Agent, "verified">

const isInForce = ({ expires_at }: Standing, at: Timestamp): boolean =>
  expires_at === null || at < expires_at

const isHigher = (one: Standing, other: Standing | undefined): boolean =>
  other === undefined || KYC_LEVELS.indexOf(one.level) > KYC_LEVELS.indexOf(other.level)

/** What the agent's level rests on at `at`; undefined where it was never verified. */
export const standingAt = (agent: Holder | undefined, at: Timestamp): Standing | undefined => {
  let highest: Standing | undefined
  for (const standing of agent?.verified ?? []) {
    if (isInForce(standing, at) && isHigher(standing, highest)) highest = standing
  }
  return highest
}

/** The level in force: the highest verified one that has not ended, whoever has noticed that. */
export const levelAt = (agent: Holder | undefined, at: Timestamp): KycLevel =>
  standingAt(agent, at)?.level ?? "anonymous"

/** The channels whose wallets the agent's payer is known to have (routing rules). */
export const detectedChannels = (
  agent: Holder | undefined,
  at: Timestamp,
): ReadonlyArray<string> => {
  const detected: Array<string> = []
  for (const standing of agent?.verified ?? []) {
    if (!isInForce(standing, at)) continue
    for (const channel of standing.channels) {
      if (!detected.includes(channel)) detected.push(channel)
    }
  }
  return detected
}

const withVerified = (agent: Agent, verified: Agent["verified"], at: Timestamp): Agent => ({
  ...agent,
  verified,
  level: levelAt({ verified }, at),
  updated_at: at,
})

/** The agent verified for a level, in place of what verified it for that level before. */
export const granted = (agent: Agent, standing: Standing, at: Timestamp): Agent => {
  const others = agent.verified.filter(({ level }) => level !== standing.level)
  return withVerified(agent, [...others, standing], at)
}

/** The agent without what a verification gave it. */
export const withdrawn = (agent: Agent, verificationId: string, at: Timestamp): Agent => {
  const others = agent.verified.filter(({ verification_id }) => verification_id !== verificationId)
  return withVerified(agent, others, at)
}

/** The verification that a new one of the level takes the place of. */
export const replacedBy = (agent: Holder | undefined, level: KycLevel): string | undefined =>
  agent?.verified.find((standing) => standing.level === level)?.verification_id
