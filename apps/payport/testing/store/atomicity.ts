import { Effect } from "effect"
import { expect } from "../expect.ts"
import { type Commit, type ConflictReason, Store } from "../../../../core/ports/Store.ts"
import {
  aDelivery,
  aDiscrepancy,
  anAccount,
  anAgent,
  anAllowance,
  anAppeal,
  anApiKey,
  anEvent,
  anIntent,
  aReply,
  aService,
  id,
  intentIn,
  uuid,
  verificationIn,
} from "../records/index.ts"
import {
  type StoreCheck,
  commit,
  counterValue,
  insert,
  keyHolder,
  remove,
  replace,
  tryCommit,
  versionOf,
} from "./probe.ts"

/** The commit that is stored before each check. */
const before: Commit = {
  writes: [
    insert("account", anAccount()),
    insert("agent", anAgent()),
    insert("verification", verificationIn("verified")),
    insert("appeal", anAppeal()),
    insert("otp_allowance", anAllowance()),
    insert("api_key", anApiKey()),
    insert("service", aService()),
    insert("payment_intent", anIntent({ n: 9 })),
    insert("discrepancy", aDiscrepancy()),
  ],
  events: [anEvent({ n: 9 })],
  keys: [
    { op: "claim", key: "held", owner: "holder" },
    { op: "claim", key: "given back", owner: "me" },
  ],
  reservations: [
    { counter: "full", add: 10, limit: 10 },
    { counter: "open", add: 1, limit: 10 },
  ],
  reply: aReply({ n: 9, holder: uuid(9) }),
}

/** A commit of every part that a commit can have. */
const whole: Commit = {
  writes: [
    insert("payment_intent", anIntent()),
    insert("delivery", aDelivery()),
    replace("service", aService({ description: "Changed." })),
    remove("discrepancy", aDiscrepancy()),
  ],
  events: [anEvent()],
  guards: [{ kind: "account", id: id("acct", 1), version: 1 }],
  keys: [
    { op: "claim", key: "taken", owner: "me" },
    { op: "release", key: "given back", owner: "me" },
  ],
  reservations: [
    { counter: "open", add: 2, limit: 10 },
    { counter: "new", add: 3, limit: 3 },
    { counter: "full", add: -1, limit: 10 },
  ],
  reply: aReply(),
}

/** Reads everything that `before` and `whole` touch. */
const seen = Effect.gen(function* () {
  const port = yield* Store
  return {
    intent: yield* port.find("payment_intent", id("pi", 1)),
    service: yield* port.find("service", uuid(1)),
    event: yield* port.find("event", id("evt", 1)),
    reply: yield* port.findReply(id("acct", 1), "retry-1"),
    reply9: yield* port.findReply(id("acct", 1), "retry-9"),
    delivery: yield* versionOf("delivery", id("wd", 1)),
    discrepancy: yield* versionOf("discrepancy", id("disc", 1)),
    taken: yield* keyHolder("taken"),
    givenBack: yield* keyHolder("given back"),
    open: yield* counterValue("open"),
    added: yield* counterValue("new"),
    full: yield* counterValue("full"),
    accounts: [
      yield* versionOf("account", id("acct", 2)),
      yield* versionOf("api_key", id("key", 2)),
      yield* versionOf("service", uuid(2)),
    ],
  }
})

interface Obstacle {
  readonly part: Partial<Commit>
  readonly reason: Partial<ConflictReason>
}

const stale = { type: "stale_version" } as const
const taken = { type: "key_taken" } as const

const obstacles: { readonly [name: string]: Obstacle } = {
  "an insert of what is there": {
    part: { writes: [insert("payment_intent", anIntent({ n: 9 }))] },
    reason: { ...stale, kind: "payment_intent", id: id("pi", 9) },
  },
  "a replacement of an older version": {
    part: { writes: [replace("account", anAccount({ version: 2 }))] },
    reason: { ...stale, kind: "account", id: id("acct", 1) },
  },
  "a replacement of what is not there": {
    part: { writes: [replace("payment_intent", intentIn("pending", { n: 3 }))] },
    reason: { ...stale, kind: "payment_intent", id: id("pi", 3) },
  },
  "a removal of another version": {
    part: { writes: [remove("payment_intent", anIntent({ n: 9, version: 2 }))] },
    reason: { ...stale, kind: "payment_intent", id: id("pi", 9) },
  },
  "a removal of what is not there": {
    part: { writes: [remove("delivery", aDelivery({ n: 3 }))] },
    reason: { ...stale, kind: "delivery", id: id("wd", 3) },
  },
  "an event that is there": {
    part: { events: [anEvent({ n: 9 })] },
    reason: { ...stale, kind: "event", id: id("evt", 9) },
  },
  "a guard on another version": {
    part: { guards: [{ kind: "api_key", id: id("key", 1), version: 2 }] },
    reason: { ...stale, kind: "api_key", id: id("key", 1) },
  },
  "a guard on what is not there": {
    part: { guards: [{ kind: "service", id: uuid(3), version: 1 }] },
    reason: { ...stale, kind: "service", id: uuid(3) },
  },
  "a key that another holds": {
    part: { keys: [{ op: "claim", key: "held", owner: "me" }] },
    reason: { ...taken, key: "held", owner: "holder" },
  },
  "a counter that would pass its limit": {
    part: { reservations: [{ counter: "open", add: 100, limit: 100 }] },
    reason: { type: "limit_reached", counter: "open" },
  },
  "a running reply of another holder": {
    part: { reply: aReply({ n: 9 }) },
    reason: { type: "reply_taken" },
  },
  "an agent that another account has": {
    part: { writes: [insert("account", anAccount({ n: 2, agent_id: "agent-1" }))] },
    reason: taken,
  },
  "a key hash that is there": {
    part: { writes: [insert("api_key", anApiKey({ n: 2, hash: anApiKey().hash }))] },
    reason: taken,
  },
  "a name that the account's own manifest has": {
    part: { writes: [insert("service", aService({ n: 2, name: "SERVICE 1", status: "draft" }))] },
    reason: taken,
  },
  "a name that another's active manifest has": {
    part: {
      writes: [insert("service", aService({ n: 2, name: "Service 1", account_id: id("acct", 2) }))],
    },
    reason: taken,
  },
}

const joined = (a: Partial<Commit>, b: Partial<Commit>, reply: Commit["reply"]): Commit => ({
  writes: [...(a.writes ?? []), ...(b.writes ?? [])],
  events: [...(a.events ?? []), ...(b.events ?? [])],
  guards: [...(a.guards ?? []), ...(b.guards ?? [])],
  keys: [...(a.keys ?? []), ...(b.keys ?? [])],
  reservations: [...(a.reservations ?? []), ...(b.reservations ?? [])],
  ...(reply === undefined ? {} : { reply }),
})

/** Checks that a commit is stored whole or leaves no trace, whatever prevents it. */
export const atomicity = (check: StoreCheck): unknown =>
  check.group("atomicity", () => {
    check("stores every part of a commit", () =>
      Effect.gen(function* () {
        yield* commit(before)
        yield* commit(whole)
        expect(yield* seen).toStrictEqual({
          intent: anIntent(),
          service: aService({ description: "Changed.", version: 2 }),
          event: anEvent(),
          reply: aReply(),
          reply9: aReply({ n: 9, holder: uuid(9) }),
          delivery: 1,
          discrepancy: 0,
          taken: "me",
          givenBack: undefined,
          open: 3,
          added: 3,
          full: 9,
          accounts: [0, 0, 0],
        })
      }),
    )

    for (const [name, { part, reason }] of Object.entries(obstacles)) {
      check(`${name} leaves no trace of the rest`, () =>
        Effect.gen(function* () {
          yield* commit(before)
          const untouched = yield* seen
          const reply = part.reply ?? whole.reply
          expect(yield* tryCommit(joined(whole, part, reply))).toMatchObject(reason)
          expect(yield* tryCommit(joined(part, whole, reply))).toMatchObject(reason)
          expect(yield* seen).toStrictEqual(untouched)
          expect(yield* tryCommit(whole)).toBeUndefined()
          expect(yield* seen).not.toStrictEqual(untouched)
        }),
      )
    }

    check("accepts a commit without any part", () => commit({ writes: [] }))
  })
