import { Effect, Result } from "effect"
import { Ids } from "../../ports/Ids.ts"
import { Installation } from "../../ports/Installation.ts"
import { Store, type Write } from "../../ports/Store.ts"
import type { Timestamp } from "../../shared/Timestamp.ts"
import { type Event, eventsFor, type Happening } from "../../webhooks/events/Event.ts"
import { type Agent, granted, levelAt, replacedBy, withdrawn } from "../agents/Agent.ts"
import { expiredEvent, rejectedEvent, verifiedEvent } from "./KycEvent.ts"
import { cannot, scheduled, type Verification, type VerificationIn } from "./Verification.ts"
import { machine, type Rejection, type VerificationMove } from "./VerificationMachine.ts"

/** A verification after a decision, with what has to be committed beside it. */
export interface Decided {
  readonly verification: Verification
  readonly writes: ReadonlyArray<Write>
  readonly events: ReadonlyArray<Event>
}

const WORDS: { readonly [T in VerificationMove["type"]]: string } = {
  submitted: "submitted",
  passed: "verified",
  refused: "rejected",
  ended: "ended",
  replaced: "replaced",
  reopened: "reopened",
}

/** Moves a verification, with the time of its next look. */
export const moveVerification = (
  verification: Verification,
  ...moves: ReadonlyArray<VerificationMove>
) => {
  const moved = machine.walk(verification, moves)
  return Result.isSuccess(moved)
    ? Effect.succeed(scheduled(moved.success.record))
    : Effect.fail(cannot(verification, WORDS[moves.at(-1)?.type ?? "submitted"]))
}

/** A moved verification is in the state that its move leads to. */
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

/** What verified the agent for the level until now ends without a word. */
const replace = Effect.fnUntraced(function* (id: string | undefined, at: Timestamp) {
  const found = id === undefined ? undefined : yield* (yield* Store).find("verification", id)
  if (found?.status !== "verified") return []
  const record = yield* moveVerification(found, { type: "replaced", at })
  return [{ op: "replace", kind: "verification", record } satisfies Write]
})

/**
 * Lets a pending verification pass: it puts its level in force, in place of what had verified the
 * agent for that level before.
 */
export const pass = Effect.fnUntraced(function* (pending: Verification, at: Timestamp) {
  const { catalog } = yield* Installation
  const moved = yield* moveVerification(pending, { type: "passed", level: pending.level, at })
  const verification = yield* inState(moved, "verified")
  const { account_id, agent, agent_id, confirmed_channels: channels, id, level } = verification
  const known = yield* findAgent(verification)
  const { expires_at } = verification
  const first: Agent = {
    id: agent,
    version: 1,
    account_id,
    agent_id,
    level: "anonymous",
    verified: [],
    updated_at: at,
  }
  const standing = { verification_id: id, level, expires_at, channels }
  const decided: Decided = {
    verification,
    writes: [
      agentWrite(known, granted(known ?? first, standing, at)),
      ...(yield* replace(replacedBy(known, level), at)),
    ],
    events: yield* tell(verifiedEvent(verification, levelAt(known, at), catalog), at),
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
  return { writes, level: levelAt(next, at) }
})

/** Rejects a verification; where it was verified, its agent's level falls. */
export const refuse = Effect.fnUntraced(function* (
  before: Verification,
  rejection: Rejection,
  at: Timestamp,
) {
  const { base_url } = yield* Installation
  const moved = yield* moveVerification(before, { type: "refused", rejection, at })
  const verification = yield* inState(moved, "rejected")
  const decided: Decided = {
    verification,
    writes: (yield* takeBack(verification, at)).writes,
    events: yield* tell(rejectedEvent(verification, base_url), at),
  }
  return decided
})

/** Ends a verification whose time is over; its agent's level falls to the highest one left. */
export const expire = Effect.fnUntraced(function* (before: Verification, at: Timestamp) {
  const moved = yield* moveVerification(before, { type: "ended", at })
  const verification = yield* inState(moved, "expired")
  const { level, writes } = yield* takeBack(verification, at)
  const events = yield* tell(expiredEvent(verification, level), at)
  return { verification, writes, events } satisfies Decided
})

/** The commit of what was decided about a stored verification. */
export const storing = ({ events, verification, writes }: Decided) => ({
  writes: [{ op: "replace", kind: "verification", record: verification } as const, ...writes],
  events,
})
