import { KYC_LEVELS, type KycLevel } from "../../channels/Channel.ts"
import { defineKind } from "../../commits/KindDeclaration.ts"
import type { Timestamp } from "../../shared/Timestamp.ts"
import { uuidOfName } from "../../shared/Id.ts"

/**
 * An agent of an account with its level in force. An agent without a record is anonymous. Agents
 * are scoped to their account: the same name in another account is another agent.
 */
export interface Agent {
  /** See {@link agentRecordId}. */
  readonly id: string
  readonly version: number
  readonly account_id: string
  readonly agent_id: string
  /** The highest level of `verified` when the record was written; see `levelAt`. */
  readonly level: KycLevel
  /** The levels that the agent is verified for, each by one verification. */
  readonly verified: ReadonlyArray<Standing>
  readonly updated_at: Timestamp
}

/**
 * Returns the id of an agent's record: `agt_` and a UUID (version 8) derived from the two names.
 * Each agent has one record, and a lookup by name needs no index. `sha256` returns lower-case hex.
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

/** How the store keeps agents. */
export const agentKind = defineKind("agent", {
  prefix: "agt",
  erased: true,
  cached: "absence",
  unique: [{ by: ["account_id", "agent_id"] }],
})

/** A level that an agent is verified for, and the verification that it rests on. */
export interface Standing {
  readonly verification_id: string
  readonly level: KycLevel
  /** When the level ends; null when it has no end. */
  readonly expires_at: Timestamp | null
  /** The channels that confirmed the agent's payer. */
  readonly channels: ReadonlyArray<string>
  /** Keyed hashes that identify whom the agent acts for, see `personsOf`; none where unknown. */
  readonly persons?: ReadonlyArray<string>
  /** Keyed hashes of the contacts that received the verification's code. */
  readonly contacts?: ReadonlyArray<string>
}

type Holder = Pick<Agent, "verified">

const isInForce = ({ expires_at }: Standing, at: Timestamp): boolean =>
  expires_at === null || at < expires_at

const isHigher = (one: Standing, other: Standing | undefined): boolean =>
  other === undefined || KYC_LEVELS.indexOf(one.level) > KYC_LEVELS.indexOf(other.level)

/**
 * Returns the standing with the agent's highest level at `at`; undefined where none is in force.
 */
export const standingAt = (agent: Holder | undefined, at: Timestamp): Standing | undefined => {
  let highest: Standing | undefined
  for (const standing of agent?.verified ?? []) {
    if (isInForce(standing, at) && isHigher(standing, highest)) highest = standing
  }
  return highest
}

/** Returns the level in force at `at`, even if no worker has recorded the end of a level yet. */
export const levelAt = (agent: Holder | undefined, at: Timestamp): KycLevel =>
  standingAt(agent, at)?.level ?? "anonymous"

/** Returns the channels whose wallets the agent's payer is known to have (routing rules). */
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

/** Returns the keyed hashes of the persons whom the agent acts for, from its standings in force. */
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

/** Adds a standing to the agent. It replaces the previous standing of the same level. */
export const granted = (agent: Agent, standing: Standing, at: Timestamp): Agent => {
  const others = agent.verified.filter(({ level }) => level !== standing.level)
  return withVerified(agent, [...others, standing], at)
}

/** Removes the standing that a verification gave the agent. */
export const withdrawn = (agent: Agent, verificationId: string, at: Timestamp): Agent => {
  const others = agent.verified.filter(({ verification_id }) => verification_id !== verificationId)
  return withVerified(agent, others, at)
}

/** Returns the id of the verification that a new verification of the level replaces. */
export const replacedBy = (agent: Holder | undefined, level: KycLevel): string | undefined =>
  agent?.verified.find((standing) => standing.level === level)?.verification_id
