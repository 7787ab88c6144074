import { KYC_LEVELS, type KycLevel } from "../../channels/Channel.ts"
import { defineKind } from "../../commits/KindDeclaration.ts"
import type { Timestamp } from "../../shared/Timestamp.ts"
import { uuidOfName } from "../../shared/Id.ts"

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
  unique: [{ by: ["account_id", "agent_id"] }],
})

/** A level that an agent is verified for, and by which verification. */
export interface Standing {
  readonly verification_id: string
  readonly level: KycLevel
  /** When it ends; null when it does not. */
  readonly expires_at: Timestamp | null
  /** The channels that know the agent's payer. */
  readonly channels: ReadonlyArray<string>
  /** Keyed hashes that tell who it acts for, see `personsOf`; none where nothing does. */
  readonly persons?: ReadonlyArray<string>
  /** Keyed hashes of the contacts that took its code. */
  readonly contacts?: ReadonlyArray<string>
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

/** Whom the agent acts for, as far as what is in force tells. */
export const personsAt = (agent: Holder | undefined, at: Timestamp): ReadonlyArray<string> => {
  const persons = new Set<string>()
  for (const standing of agent?.verified ?? []) {
    if (isInForce(standing, at)) for (const person of standing.persons ?? []) persons.add(person)
  }
  return [...persons]
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
