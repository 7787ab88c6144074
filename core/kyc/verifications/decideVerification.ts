import { Effect, Result } from "effect"
import { Ids } from "../../ports/Ids.ts"
import { Installation } from "../../ports/Installation.ts"
import { Store, type Write } from "../../ports/Store.ts"
import type { Timestamp } from "../../shared/Timestamp.ts"
import { type Event, eventsFor, type Happening } from "../../webhooks/events/Event.ts"
import { ContactRules } from "../../ports/ContactRules.ts"
import { Vault } from "../../ports/Vault.ts"
import type { Reservation } from "../../commits/Commit.ts"
import {
  type Agent,
  granted,
  levelAt,
  replacedBy,
  type Standing,
  withdrawn,
} from "../agents/Agent.ts"
import {
  contactChanges,
  contactCounter,
  contactsOf,
  MOST_AGENTS,
  newContacts,
  personsOf,
} from "./Person.ts"
import { openPersonal } from "./sealedData.ts"
import { expiredEvent, rejectedEvent, verifiedEvent } from "./KycEvent.ts"
import { cannot, scheduled, type Verification, type VerificationIn } from "./Verification.ts"
import { machine, type Rejection, type VerificationMove } from "./VerificationMachine.ts"

/** A verification after a decision, with the other parts of its commit. */
export interface Decided {
  readonly verification: Verification
  readonly writes: ReadonlyArray<Write>
  readonly events: ReadonlyArray<Event>
  /** Changes to the counters of agents that its contacts verify. */
  readonly reservations: ReadonlyArray<Reservation>
}

const WORDS: { readonly [T in VerificationMove["type"]]: string } = {
  submitted: "submitted",
  passed: "verified",
  refused: "rejected",
  ended: "ended",
  replaced: "replaced",
  reopened: "reopened",
}

/**
 * Moves a verification and schedules its next step. A move is never earlier than the creation,
 * although the clock may be set back or belong to another process.
 */
export const moveVerification = (
  verification: Verification,
  ...moves: ReadonlyArray<VerificationMove>
) => {
  const earliest = verification.created_at
  const moved = machine.walk(
    verification,
    moves.map((move) => ({ ...move, at: Math.max(move.at, earliest) })),
  )
  return Result.isSuccess(moved)
    ? Effect.succeed(scheduled(moved.success.record))
    : Effect.fail(cannot(verification, WORDS[moves.at(-1)?.type ?? "submitted"]))
}

/** Narrows a moved verification to the state that its move leads to. */
const inState = <S extends Verification["status"]>(verification: Verification, status: S) =>
  verification.status === status
    ? Effect.succeed(verification as VerificationIn<S>)
    : Effect.die(new Error(`A verification is ${verification.status}, not ${status}.`))

const tell = Effect.fnUntraced(function* (happening: Happening, at: Timestamp) {
  return eventsFor(happening, yield* Ids, at)
})

const findAgent = Effect.fnUntraced(function* ({ agent }: Verification) {
  return yield* (yield* Store).find("agent", agent)
})

const agentWrite = (before: Agent | undefined, record: Agent): Write =>
  before === undefined
    ? { op: "insert", kind: "agent", record }
    : { op: "replace", kind: "agent", record }

/** Ends, without an event, the verification that the agent's level rested on so far. */
const replace = Effect.fnUntraced(function* (id: string | undefined, at: Timestamp) {
  const found = id === undefined ? undefined : yield* (yield* Store).find("verification", id)
  if (found?.status !== "verified") return []
  const record = yield* moveVerification(found, { type: "replaced", at })
  return [{ op: "replace", kind: "verification", record } satisfies Write]
})

/** Returns the standing that a verification gives: whom the agent acts for, and its contacts. */
const standingBy = Effect.fnUntraced(function* (verification: VerificationIn<"verified">) {
  const { confirmed_channels: channels, expires_at, id, level } = verification
  const { credentials, data } = yield* openPersonal(verification)
  const { fingerprint } = yield* Vault
  const { mailbox } = yield* ContactRules
  const persons = personsOf(data, credentials, channels, fingerprint)
  // A code was sent to both contacts, or to neither where a channel confirms the user.
  const coded = level === "basic" && channels.length === 0
  const contacts = coded ? contactsOf(data, mailbox, fingerprint) : []
  const standing: Standing = { verification_id: id, level, expires_at, channels, persons, contacts }
  return standing
})

/** Tells whether a contact that is new to the agent already verifies the most agents. */
const isUsedUp = Effect.fnUntraced(function* (before: Agent | undefined, after: Agent) {
  const counters = newContacts(before, after).map(contactCounter)
  const counts = yield* (yield* Store).readCounters(counters)
  return counts.some((count) => count >= MOST_AGENTS)
})

const usedUp: Rejection = {
  code: "contact_limit_reached",
  message: `An e-mail address or a phone can verify at most ${MOST_AGENTS} agents. Use another.`,
  details: {},
}

/**
 * Passes a pending verification and puts its level in force; it replaces the agent's previous
 * verification of that level. Rejects it where its contacts already verify the most agents.
 *
 * Fails with `INVALID_TRANSITION` once its data has been erased: nothing would prove the level.
 */
export const pass = Effect.fnUntraced(function* (pending: Verification, at: Timestamp) {
  if (pending.sealed === null) {
    return yield* cannot(pending, "verified: its data has been erased. Submit the data again")
  }
  const installation = yield* Installation
  const moved = yield* moveVerification(pending, { type: "passed", level: pending.level, at })
  const verification = yield* inState(moved, "verified")
  const { account_id, agent, agent_id, level } = verification
  const known = yield* findAgent(verification)
  const first: Agent = {
    id: agent,
    version: 1,
    account_id,
    agent_id,
    level: "anonymous",
    verified: [],
    updated_at: at,
  }
  const next = granted(known ?? first, yield* standingBy(verification), at)
  if (yield* isUsedUp(known, next)) return yield* refuse(pending, usedUp, at)
  const decided: Decided = {
    verification,
    writes: [agentWrite(known, next), ...(yield* replace(replacedBy(known, level), at))],
    reservations: contactChanges(known, next),
    events: yield* tell(verifiedEvent(verification, levelAt(known, at), installation), at),
  }
  return decided
})

const takeBack = Effect.fnUntraced(function* (verification: Verification, at: Timestamp) {
  const known = yield* findAgent(verification)
  const next = known === undefined ? undefined : withdrawn(known, verification.id, at)
  const changes = next !== undefined && next.verified.length !== known?.verified.length
  const writes: ReadonlyArray<Write> = changes
    ? [{ op: "replace", kind: "agent", record: next }]
    : []
  const reservations = next === undefined ? [] : contactChanges(known, next)
  return { writes, reservations, level: levelAt(next, at) }
})

/** Rejects a verification. If it was verified, its agent loses the level. */
export const refuse = Effect.fnUntraced(function* (
  before: Verification,
  rejection: Rejection,
  at: Timestamp,
) {
  const { base_url } = yield* Installation
  const moved = yield* moveVerification(before, { type: "refused", rejection, at })
  const verification = yield* inState(moved, "rejected")
  const { reservations, writes } = yield* takeBack(verification, at)
  const decided: Decided = {
    verification,
    writes,
    reservations,
    events: yield* tell(rejectedEvent(verification, base_url), at),
  }
  return decided
})

/** Ends a verification that has expired; its agent falls to the highest level left. */
export const expire = Effect.fnUntraced(function* (before: Verification, at: Timestamp) {
  const { terms } = yield* Installation
  const moved = yield* moveVerification(before, { type: "ended", at })
  const verification = yield* inState(moved, "expired")
  const { level, reservations, writes } = yield* takeBack(verification, at)
  const events = yield* tell(expiredEvent(verification, level, terms), at)
  return { verification, writes, reservations, events } satisfies Decided
})

/** Returns the commit of a decision about a stored verification. */
export const storing = ({ events, reservations, verification, writes }: Decided) => ({
  writes: [{ op: "replace", kind: "verification", record: verification } as const, ...writes],
  events,
  reservations,
})
