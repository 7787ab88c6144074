import { Effect, Exit, Schedule } from "effect"
import type { Check } from "../Contract.ts"
import { expect } from "../expect.ts"
import { type Commit, Store, StoreUnavailable } from "../../../../core/ports/Store.ts"
import { aDelivery, anEvent, anIntent, aReply, id, T0 } from "../records/index.ts"
import { CUT_POINTS, StoreFaults } from "./faults.ts"
import {
  counterValue,
  hasVersion,
  insert,
  keyHolder,
  store,
  together,
  tryCommit,
  upTo,
} from "./probe.ts"

/** Makes a commit with something in every table, numbered to tell several apart. */
const numbered = (n: number): Commit => ({
  writes: [insert("payment_intent", anIntent({ n })), insert("delivery", aDelivery({ n }))],
  events: [anEvent({ n })],
  keys: [{ op: "claim", key: `key ${n}`, owner: `owner ${n}` }],
  reservations: [{ counter: `counter ${n}`, add: 1, limit: 1 }],
  reply: aReply({ n }),
})

/** Returns which parts of a numbered commit are stored. */
const partsOf = Effect.fnUntraced(function* (n: number) {
  const port = yield* Store
  return [
    yield* hasVersion("payment_intent", id("pi", n), 1),
    yield* hasVersion("delivery", id("wd", n), 1),
    yield* hasVersion("event", id("evt", n), 1),
    (yield* keyHolder(`key ${n}`)) === `owner ${n}`,
    (yield* counterValue(`counter ${n}`)) === 1,
    (yield* port.findReply(id("acct", 1), `retry-${n}`)) !== undefined,
  ]
})

const nothing = [false, false, false, false, false, false]
const whole = [true, true, true, true, true, true]

/** Waits until the store has reconnected, which it does by itself. */
const recovered = Effect.flatMap(Store, (port) => port.ping()).pipe(
  Effect.retry(Schedule.spaced("50 millis")),
  Effect.timeout("10 seconds"),
)

/** Checks broken connections, failing servers and other processes. */
export const brokenConnections = (check: Check<Store | StoreFaults>): void => {
  check.group("a broken connection", () => {
    for (const point of CUT_POINTS) {
      check(`${point.replace("_", " ")}: a commit is stored whole or not at all`, () =>
        Effect.gen(function* () {
          const { cut } = yield* StoreFaults
          yield* store(insert("payment_intent", anIntent({ n: 99 })))
          const outcome = yield* cut(point, Effect.result(tryCommit(numbered(1))))
          yield* recovered
          const parts = yield* partsOf(1)
          // The store finds out whether the commit was stored, and every caller gets an answer.
          const refused = outcome._tag === "Failure" ? outcome.failure : undefined
          expect(parts).toStrictEqual(refused === undefined ? whole : nothing)
          if (refused !== undefined) expect(refused).toBeInstanceOf(StoreUnavailable)
          expect(refused?.outcome).not.toBe("unknown")
          if (point === "before_answer") expect(refused).toBeUndefined()
          yield* store(insert("payment_intent", anIntent({ n: 98 })))
        }),
      )

      check(`${point.replace("_", " ")}: of 64 commits each is stored whole or not at all`, () =>
        Effect.gen(function* () {
          const { cut } = yield* StoreFaults
          const commits = upTo(64).map((n) => Effect.result(tryCommit(numbered(n))))
          const outcomes = yield* cut(point, together(commits))
          yield* recovered
          for (const n of upTo(64)) {
            const outcome = outcomes[n - 1]!
            const parts = yield* partsOf(n)
            expect(parts).toStrictEqual(outcome._tag === "Success" ? whole : nothing)
          }
        }),
      )
    }
  })

  check.group("an error of the server between two statements", () => {
    check("leaves nothing of the commit", () =>
      Effect.gen(function* () {
        const { failOnEvent } = yield* StoreFaults
        const failure = yield* Effect.scoped(
          Effect.gen(function* () {
            yield* failOnEvent(id("evt", 1))
            return yield* Effect.flip(tryCommit(numbered(1)))
          }),
        )
        expect(failure).toMatchObject({ _tag: "StoreUnavailable", outcome: "not_stored" })
        expect(yield* partsOf(1)).toStrictEqual(nothing)
        expect(yield* tryCommit(numbered(1))).toBeUndefined()
        expect(yield* partsOf(1)).toStrictEqual(whole)
      }),
    )

    check("is nobody's business but the commit's that caused it", () =>
      Effect.gen(function* () {
        const { failOnEvent } = yield* StoreFaults
        yield* failOnEvent(id("evt", 17))
        const outcomes = yield* together(upTo(64).map((n) => Effect.exit(tryCommit(numbered(n)))))
        for (const n of upTo(64)) {
          expect(Exit.isSuccess(outcomes[n - 1]!), `commit ${n}`).toBe(n !== 17)
          expect(yield* partsOf(n)).toStrictEqual(n === 17 ? nothing : whole)
        }
      }),
    )
  })

  check.group("a server that is down", () => {
    check("answers nothing, stores nothing, and is found again", () =>
      Effect.gen(function* () {
        const { down } = yield* StoreFaults
        const port = yield* Store
        yield* store(insert("payment_intent", anIntent({ n: 99 })))
        yield* Effect.scoped(
          Effect.gen(function* () {
            yield* down
            const unanswered = [
              port.ping(),
              port.find("payment_intent", id("pi", 99)),
              port.nextDueAt(),
              port.claimDue("event", T0, { limit: 1, lease: 1 }),
              port.purgeReplies(T0, 9),
              tryCommit(numbered(1)),
            ]
            for (const effect of unanswered) {
              const failure = yield* Effect.flip(effect as Effect.Effect<unknown, StoreUnavailable>)
              expect(failure).toBeInstanceOf(StoreUnavailable)
            }
          }),
        )
        yield* recovered
        expect(yield* partsOf(1)).toStrictEqual(nothing)
        expect(yield* port.find("payment_intent", id("pi", 99))).toBeDefined()
      }),
    )
  })

  check.group("two processes", () => {
    check("see each other's commits and have one winner", () =>
      Effect.gen(function* () {
        const port = yield* Store
        const { another } = yield* StoreFaults
        yield* port.commit(numbered(1))
        expect(yield* another.find("payment_intent", id("pi", 1))).toStrictEqual(anIntent())
        const racers = upTo(200).map((n) =>
          Effect.exit(
            (n % 2 ? port : another).commit({
              writes: [insert("payment_intent", anIntent({ n: n + 1 }))],
              reservations: [
                { counter: n % 4 < 2 ? "a" : "b", add: 1, limit: 30 },
                { counter: n % 4 < 2 ? "b" : "a", add: 1, limit: 30 },
              ],
            }),
          ),
        )
        const won = (yield* together(racers)).filter(Exit.isSuccess)
        expect(won).toHaveLength(30)
        expect(yield* counterValue("a")).toBe(30)
        expect(yield* counterValue("b")).toBe(30)
      }),
    )

    check("claim each due record once", () =>
      Effect.gen(function* () {
        const port = yield* Store
        const { another } = yield* StoreFaults
        yield* store(...upTo(100).map((n) => insert("event", anEvent({ n }))))
        const options = { limit: 3, lease: 60_000 }
        const claims = yield* together(
          upTo(80).map((n) => (n % 2 ? port : another).claimDue("event", T0, options)),
        )
        const claimed = claims.flat().map((event) => event.id)
        expect(new Set(claimed).size).toBe(claimed.length)
        const rest = yield* port.claimDue("event", T0, { limit: 100, lease: 60_000 })
        expect(claimed.length + rest.length).toBe(100)
      }),
    )
  })
}
