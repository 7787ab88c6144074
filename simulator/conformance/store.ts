import { Effect, Result } from "effect"
import { type Commit, Store } from "../../core/ports/Store.ts"
import type { Reply } from "../../core/idempotency/Reply.ts"
import type { Event } from "../../core/webhooks/events/Event.ts"
import type { WebhookKey } from "../../core/webhooks/keys/WebhookKey.ts"
import { type Check, check } from "./Check.ts"

const NOW = 1_769_902_800_000

/** Makes names that no earlier run of the suite has used in the same store. */
export type Fresh = () => string

const keyOf = (fresh: Fresh, account_id: string): WebhookKey => ({
  id: `whk_${fresh()}`,
  version: 1,
  account_id,
  place: 1,
  key_type: "x25519",
  public_key: "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
  fingerprint: "fp_0123456789abcdef",
  label: null,
  created_at: NOW,
})

const eventOf = (fresh: Fresh, account_id: string, due_at: number): Event => ({
  id: `evt_${fresh()}`,
  version: 1,
  account_id,
  type: "payment_intent.succeeded",
  service_id: null,
  subject_id: `pi_${fresh()}`,
  data: { amount: 1 },
  traceparent: null,
  created_at: NOW,
  due_at,
})

const replyOf = (fresh: Fresh, answer: string | null, lease_until = NOW): Reply => ({
  account_id: `acct_${fresh()}`,
  key: "once",
  fingerprint: "f",
  holder: fresh(),
  answer,
  lease_until,
  created_at: NOW,
  expires_at: NOW + 1_000,
})

const insertKey = (record: WebhookKey): Commit => ({
  writes: [{ op: "insert", kind: "webhook_key", record }],
})

/** Why a commit was refused; "stored" where it was not. */
const outcomeOf = (commit: Commit) =>
  Effect.gen(function* () {
    const store = yield* Store
    const result = yield* Effect.result(store.commit(commit))
    if (Result.isSuccess(result)) return "stored"
    const error = result.failure
    return error._tag === "Conflict" ? error.reason.type : error._tag
  })

const records = (fresh: Fresh): ReadonlyArray<Check<Store>> => [
  check("what was committed is read, as it was written", function* (expect) {
    const key = keyOf(fresh, `acct_${fresh()}`)
    yield* expect.equal("the commit", yield* outcomeOf(insertKey(key)), "stored")
    yield* expect.equal("the record", yield* (yield* Store).find("webhook_key", key.id), key)
  }),
  check("what was never committed reads as undefined", function* (expect) {
    const found = yield* (yield* Store).find("webhook_key", `whk_${fresh()}`)
    yield* expect.that("Something was found that nobody stored.", found === undefined)
  }),
  check("a record is inserted once", function* (expect) {
    const key = keyOf(fresh, `acct_${fresh()}`)
    yield* outcomeOf(insertKey(key))
    yield* expect.equal("the second", yield* outcomeOf(insertKey(key)), "stale_version")
  }),
  check("a record is replaced by whoever read its latest version", function* (expect) {
    const key = keyOf(fresh, `acct_${fresh()}`)
    yield* outcomeOf(insertKey(key))
    const write = {
      op: "replace",
      kind: "webhook_key",
      record: { ...key, label: "new" },
    } as const
    yield* expect.equal("the first", yield* outcomeOf({ writes: [write] }), "stored")
    yield* expect.equal("the second", yield* outcomeOf({ writes: [write] }), "stale_version")
    const found = yield* (yield* Store).find("webhook_key", key.id)
    yield* expect.equal("the version", found?.version, 2)
  }),
  check("of many at once that replace a version, one does", function* (expect) {
    const key = keyOf(fresh, `acct_${fresh()}`)
    yield* outcomeOf(insertKey(key))
    const all = Array.from({ length: 20 }, (_, n) =>
      outcomeOf({
        writes: [{ op: "replace", kind: "webhook_key", record: { ...key, label: `${n}` } }],
      }),
    )
    const outcomes = yield* Effect.all(all, { concurrency: "unbounded" })
    yield* expect.equal("how many did", outcomes.filter((one) => one === "stored").length, 1)
  }),
]

const wholes = (fresh: Fresh): ReadonlyArray<Check<Store>> => [
  check("a commit is stored as a whole or not at all", function* (expect) {
    const [first, second] = [keyOf(fresh, `acct_${fresh()}`), keyOf(fresh, `acct_${fresh()}`)]
    yield* outcomeOf(insertKey(second))
    const event = eventOf(fresh, first.account_id, NOW)
    const both: Commit = {
      writes: [...insertKey(first).writes, ...insertKey(second).writes],
      events: [event],
    }
    yield* expect.equal("the commit", yield* outcomeOf(both), "stale_version")
    const store = yield* Store
    const left = [yield* store.find("webhook_key", first.id), yield* store.find("event", event.id)]
    yield* expect.that(
      "A part of it was stored.",
      left.every((one) => one === undefined),
    )
  }),
  check("what was removed is gone", function* (expect) {
    const key = keyOf(fresh, `acct_${fresh()}`)
    yield* outcomeOf(insertKey(key))
    yield* outcomeOf({ writes: [{ op: "remove", kind: "webhook_key", record: key }] })
    const found = yield* (yield* Store).find("webhook_key", key.id)
    yield* expect.that("It is still there.", found === undefined)
  }),
  check("a guard refuses the commit when its record has changed", function* (expect) {
    const key = keyOf(fresh, `acct_${fresh()}`)
    yield* outcomeOf(insertKey(key))
    const guards = [{ kind: "webhook_key", id: key.id, version: 2 }] as const
    yield* expect.equal("it", yield* outcomeOf({ writes: [], guards }), "stale_version")
  }),
]

const names = (fresh: Fresh): ReadonlyArray<Check<Store>> => [
  check("a name has one owner until it is given back", function* (expect) {
    const key = `name:${fresh()}`
    const claim = (owner: string): Commit => ({ writes: [], keys: [{ op: "claim", key, owner }] })
    yield* expect.equal("the first", yield* outcomeOf(claim("a")), "stored")
    yield* expect.equal("another", yield* outcomeOf(claim("b")), "key_taken")
    yield* outcomeOf({ writes: [], keys: [{ op: "release", key, owner: "a" }] })
    yield* expect.equal("after the release", yield* outcomeOf(claim("b")), "stored")
  }),
  check("a counter stops at its limit, whoever adds to it at once", function* (expect) {
    const counter = `count:${fresh()}`
    const all = Array.from({ length: 20 }, () =>
      outcomeOf({ writes: [], reservations: [{ counter, add: 1, limit: 7 }] }),
    )
    const outcomes = yield* Effect.all(all, { concurrency: "unbounded" })
    yield* expect.equal("how many did", outcomes.filter((one) => one === "stored").length, 7)
    const others = new Set(outcomes.filter((one) => one !== "stored"))
    yield* expect.equal("the others", [...others], ["limit_reached"])
  }),
  check("an answer is stored once under its key", function* (expect) {
    const reply = replyOf(fresh, "the answer")
    const again = { ...reply, holder: fresh(), answer: "another" }
    yield* expect.equal("the first", yield* outcomeOf({ writes: [], reply }), "stored")
    const second = yield* outcomeOf({ writes: [], reply: again })
    yield* expect.equal("the second", second, "reply_taken")
    const found = yield* (yield* Store).findReply(reply.account_id, reply.key)
    yield* expect.equal("the answer", found?.answer, "the answer")
  }),
  check(
    "a request that is running keeps its key for its holder, however long it runs",
    function* (expect) {
      const reply = replyOf(fresh, null, NOW + 500)
      yield* outcomeOf({ writes: [], reply })
      const other = { ...reply, holder: fresh(), created_at: NOW + 501 }
      const own = { ...reply, created_at: NOW + 501 }
      const first = yield* outcomeOf({ writes: [], reply: other })
      yield* expect.equal("another's", first, "reply_taken")
      yield* expect.equal("its own", yield* outcomeOf({ writes: [], reply: own }), "stored")
    },
  ),
]

const due = (fresh: Fresh): ReadonlyArray<Check<Store>> => [
  check("what is due is handed out once until its lease is over", function* (expect) {
    const store = yield* Store
    const event = eventOf(fresh, `acct_${fresh()}`, NOW)
    yield* outcomeOf({ writes: [], events: [event] })
    const claim = (at: number) =>
      Effect.map(store.claimDue("event", at, { limit: 1_000, lease: 1_000 }), (all) =>
        all.find(({ id }) => id === event.id),
      )
    const early = yield* claim(NOW - 1)
    yield* expect.that("It was handed out before its time.", early === undefined)
    const first = yield* claim(NOW)
    yield* expect.that("It was not handed out.", first !== undefined)
    const second = yield* claim(NOW + 999)
    yield* expect.that("It was handed out twice.", second === undefined)
    const third = yield* claim(NOW + 1_001)
    yield* expect.that("It was not handed out after its lease.", third !== undefined)
  }),
  check("the kinds of which something is due are named", function* (expect) {
    const store = yield* Store
    const event = eventOf(fresh, `acct_${fresh()}`, NOW)
    yield* outcomeOf({ writes: [], events: [event] })
    const kinds = yield* store.dueKinds(NOW)
    yield* expect.that("An event is due, and its kind is not named.", kinds.has("event"))
  }),
  check(
    "a claim raises the version, so that an earlier holder's commit is stale",
    function* (expect) {
      const store = yield* Store
      const event = eventOf(fresh, `acct_${fresh()}`, NOW)
      yield* outcomeOf({ writes: [], events: [event] })
      yield* store.claimDue("event", NOW, { limit: 1_000, lease: 1_000 })
      const record = { ...event, due_at: null }
      const outcome = yield* outcomeOf({ writes: [{ op: "replace", kind: "event", record }] })
      yield* expect.equal("the commit", outcome, "stale_version")
    },
  ),
]

/** What the core relies on in any `Store`, for those who bring their own. */
export const storeConformance = (fresh: Fresh): ReadonlyArray<Check<Store>> => [
  ...records(fresh),
  ...wholes(fresh),
  ...names(fresh),
  ...due(fresh),
]
