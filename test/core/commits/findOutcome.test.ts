import { assert, it } from "@effect/vitest"
import { Effect, Fiber, Result } from "effect"
import { TestClock } from "effect/testing"
import { describe } from "vitest"
import * as MemoryStore from "../../../adapters/memory/MemoryStore.ts"
import { type Commit, Conflict, type ConflictReason } from "../../../core/commits/Commit.ts"
import { findOutcome, FOUND_OUT_WITHIN } from "../../../core/commits/findOutcome.ts"
import { CurrentDeadline } from "../../../core/shared/CurrentDeadline.ts"
import { Store, StoreUnavailable } from "../../../core/ports/Store.ts"
import { insert, replace } from "../../../apps/payport/testing/store/probe.ts"
import { aChannelRequest } from "../../../apps/payport/testing/records/channels.ts"
import { uuidOfName } from "../../../core/shared/Id.ts"
import { anAgent, anEvent, anIntent, aReply, id } from "../../support/records.ts"

const lost = new StoreUnavailable({ outcome: "unknown", cause: "the connection was lost" })
const away = new StoreUnavailable({ outcome: "not_stored", cause: "nobody answers" })

type Fault = StoreUnavailable | Conflict | undefined

/** A store that answers the next commits with these faults, before they are stored. */
const faulty = (faults: ReadonlyArray<Fault>) =>
  Effect.map(Store, (store) => {
    let sent = 0
    return {
      sent: () => sent,
      find: store.find,
      findReply: store.findReply,
      commit: (commit: Commit) =>
        Effect.suspend(() => {
          const fault = faults[sent]
          sent += 1
          return fault === undefined ? store.commit(commit) : Effect.fail(fault)
        }),
    }
  })

const creation: Commit = { writes: [insert("payment_intent", anIntent({ n: 1 }))] }
const told: Commit = {
  writes: [replace("payment_intent", anIntent({ n: 1, version: 1 }))],
  events: [anEvent({ n: 7 })],
}

const change = (version: number, description = "ours"): Commit => ({
  writes: [replace("payment_intent", { ...anIntent({ n: 1, version }), description })],
})

/** A single use, which other requests want at the same time. */
const use = (key?: string): Commit => ({
  ...change(1),
  contended: true,
  ...(key !== undefined && { reply: { ...aReply(), key, holder: `the request of ${key}` } }),
})

/** Finds out the outcome of a commit, however long it takes. */
const foundOut = Effect.fnUntraced(function* (
  wanted: Commit,
  faults: ReadonlyArray<Fault>,
  error: StoreUnavailable = lost,
) {
  const store = yield* faulty(faults)
  const asking = yield* Effect.forkChild(Effect.result(findOutcome(store, wanted, error)))
  yield* TestClock.adjust(2 * FOUND_OUT_WITHIN)
  return { outcome: yield* Fiber.join(asking), sent: store.sent() }
})

const check = (name: string, test: () => Effect.Effect<void, unknown, Store>) =>
  it.effect(name, () => Effect.provide(Effect.suspend(test), MemoryStore.layer))

const isUnknown = (outcome: Result.Result<void, unknown>, subject: string | undefined) => {
  assert.isTrue(Result.isFailure(outcome))
  const failure = Result.isFailure(outcome) ? outcome.failure : undefined
  assert.instanceOf(failure, StoreUnavailable)
  assert.deepInclude(failure, { outcome: "unknown", subject })
}

const conflict = (reason: ConflictReason) => new Conflict({ reason })

describe("a commit whose outcome is unknown", () => {
  check("is shown by a record that only it can insert, and not by its payment", () =>
    Effect.gen(function* () {
      const requested = insert("channel_request", aChannelRequest())
      // Another process has inserted the same payment, which is derived from what it bills.
      yield* (yield* Store).commit(creation)
      const { outcome } = yield* foundOut({ writes: [...creation.writes, requested] }, [])
      assert.isTrue(Result.isFailure(outcome) && outcome.failure instanceof Conflict)
    }),
  )

  check("is stored where it was not, once", () =>
    Effect.gen(function* () {
      const { outcome, sent } = yield* foundOut(creation, [away, lost])
      assert.isTrue(Result.isSuccess(outcome))
      assert.strictEqual(sent, 3)
      const stored = yield* (yield* Store).find("payment_intent", id("pi", 1))
      assert.strictEqual(stored?.version, 1)
    }),
  )

  check("is found to be stored by the record that it inserted", () =>
    Effect.gen(function* () {
      yield* (yield* Store).commit(creation)
      const { outcome, sent } = yield* foundOut(creation, [])
      assert.isTrue(Result.isSuccess(outcome))
      assert.strictEqual(sent, 1)
    }),
  )

  check("is found to be stored by its event, whatever has become of what it changed", () =>
    Effect.gen(function* () {
      const store = yield* Store
      yield* store.commit(creation)
      yield* store.commit(told)
      yield* store.commit({ writes: [replace("payment_intent", anIntent({ n: 1, version: 2 }))] })
      assert.isTrue(Result.isSuccess((yield* foundOut(told, [])).outcome))
    }),
  )

  check("is refused where something else came before it", () =>
    Effect.gen(function* () {
      const store = yield* Store
      yield* store.commit(creation)
      yield* store.commit({ writes: [replace("payment_intent", anIntent({ n: 1, version: 1 }))] })
      const { outcome } = yield* foundOut(told, [])
      assert.isTrue(Result.isFailure(outcome) && outcome.failure instanceof Conflict)
    }),
  )

  check("stays unknown where what stands in its way may go, and the first may still come", () =>
    Effect.gen(function* () {
      const full = conflict({ type: "limit_reached", counter: "spent", value: 5 })
      const { outcome } = yield* foundOut(
        creation,
        Array.from({ length: 99 }, () => full),
      )
      isUnknown(outcome, id("pi", 1))
    }),
  )

  check("stays unknown where the store does not come back, and names what to look for", () =>
    Effect.gen(function* () {
      const { outcome, sent } = yield* foundOut(
        creation,
        Array.from({ length: 99 }, () => away),
      )
      isUnknown(outcome, id("pi", 1))
      assert.isBelow(sent, 20)
    }),
  )

  check("is not looked for beyond the deadline of whoever asked", () =>
    Effect.gen(function* () {
      const always = Array.from({ length: 99 }, () => away)
      const { outcome, sent } = yield* Effect.provideService(
        foundOut(creation, always),
        CurrentDeadline,
        { left: () => 200 },
      )
      isUnknown(outcome, id("pi", 1))
      assert.strictEqual(sent, 2)
    }),
  )

  check("that only changes a record is found by the version that it made", () =>
    Effect.gen(function* () {
      const store = yield* Store
      yield* store.commit(creation)
      assert.isTrue(Result.isSuccess((yield* foundOut(change(1), [away])).outcome))
      const { outcome, sent } = yield* foundOut(change(1), [])
      assert.isTrue(Result.isSuccess(outcome))
      assert.strictEqual(sent, 1)
    }),
  )

  check("that only changes a record is refused where another made the next version", () =>
    Effect.gen(function* () {
      const store = yield* Store
      yield* store.commit(creation)
      yield* store.commit(change(1, "another's"))
      const { outcome } = yield* foundOut(change(1), [])
      assert.isTrue(Result.isFailure(outcome) && outcome.failure instanceof Conflict)
    }),
  )

  check("that only changes a record stays unknown once others have changed it since", () =>
    Effect.gen(function* () {
      const store = yield* Store
      yield* store.commit(creation)
      yield* store.commit(change(1))
      yield* store.commit(change(2, "another's"))
      isUnknown((yield* foundOut(change(1), [])).outcome, id("pi", 1))
    }),
  )

  check("that others would write alike is theirs or ours: its record does not say whose", () =>
    Effect.gen(function* () {
      const store = yield* Store
      yield* store.commit(creation)
      yield* store.commit(use())
      isUnknown((yield* foundOut(use(), [])).outcome, id("pi", 1))
    }),
  )

  check("that others would write alike is found by its own answer", () =>
    Effect.gen(function* () {
      const store = yield* Store
      yield* store.commit(creation)
      yield* store.commit(use("ours"))
      assert.isTrue(Result.isSuccess((yield* foundOut(use("ours"), [])).outcome))
      const { outcome } = yield* foundOut(use("another's"), [])
      assert.isTrue(Result.isFailure(outcome) && outcome.failure instanceof Conflict)
    }),
  )

  check("is not sent again where nothing in it could tell", () =>
    Effect.gen(function* () {
      const agent = anAgent({ id: `agt_${uuidOfName("acct_1 a", () => "0".repeat(64))}` })
      const { outcome, sent } = yield* foundOut({ writes: [insert("agent", agent)] }, [])
      isUnknown(outcome, agent.id)
      assert.strictEqual(sent, 0)
    }),
  )

  check("needs no look where it is known not to be stored", () =>
    Effect.gen(function* () {
      const { outcome, sent } = yield* foundOut(creation, [], away)
      assert.deepStrictEqual(outcome, Result.fail(away))
      assert.strictEqual(sent, 0)
    }),
  )
})
