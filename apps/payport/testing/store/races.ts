import { Effect } from "effect"
import { expect } from "../expect.ts"
import { type Commit, Store } from "../../../../core/ports/Store.ts"
import { anAccount, anEvent, anIntent, aReply, id, intentIn, uuid } from "../records/index.ts"
import {
  type StoreCheck,
  commit,
  counterValue,
  hasVersion,
  insert,
  keyHolder,
  replace,
  together,
  tryCommit,
  upTo,
} from "./probe.ts"

const RACERS = 200

/** Runs commits all at once and returns the numbers, from 1, of those that were stored. */
const winners = (commits: ReadonlyArray<Commit>) =>
  Effect.map(together(commits.map(tryCommit)), (reasons) =>
    reasons.flatMap((reason, index) => (reason === undefined ? [index + 1] : [])),
  )

const racers = (make: (n: number) => Commit): ReadonlyArray<Commit> => upTo(RACERS).map(make)

/** Checks that of simultaneous commits exactly the right ones are stored. */
export const races = (check: StoreCheck): void => {
  check.group("races", () => {
    check("200 racers for 50 places: 50 win, and theirs are the records", () =>
      Effect.gen(function* () {
        const port = yield* Store
        const won = yield* winners(
          racers((n) => ({
            writes: [insert("payment_intent", anIntent({ n }))],
            reservations: [{ counter: "places", add: 1, limit: 50 }],
          })),
        )
        expect(won).toHaveLength(50)
        expect(yield* counterValue("places")).toBe(50)
        for (const n of upTo(RACERS)) {
          const stored = yield* port.find("payment_intent", id("pi", n))
          expect(stored !== undefined, `intent ${n}`).toBe(won.includes(n))
        }
      }),
    )

    check("racers that ask for different amounts never pass the limit", () =>
      Effect.gen(function* () {
        const asked = upTo(RACERS).map((n) => ((n * 7) % 11) + 1)
        const reasons = yield* together(
          asked.map((add) =>
            tryCommit({ writes: [], reservations: [{ counter: "sum", add, limit: 300 }] }),
          ),
        )
        const granted = asked.filter((_, index) => reasons[index] === undefined)
        const sum = granted.reduce((a, b) => a + b, 0)
        expect(sum).toBeLessThanOrEqual(300)
        expect(yield* counterValue("sum")).toBe(sum)
        for (const [index, reason] of reasons.entries()) {
          if (reason === undefined) continue
          expect(reason.type === "limit_reached" && reason.value + asked[index]! > 300).toBe(true)
        }
      }),
    )

    check("10, 10 and 1 with room for 15: the 1 is not refused for its neighbours", () =>
      Effect.gen(function* () {
        const won = yield* winners(
          [10, 10, 1].map((add) => ({
            writes: [],
            reservations: [{ counter: "room", add, limit: 15 }],
          })),
        )
        expect(won).toHaveLength(2)
        expect(won).toContain(3)
        expect(yield* counterValue("room")).toBe(11)
      }),
    )

    check("200 racers give back what they took, exactly", () =>
      Effect.gen(function* () {
        const add = (amount: number) =>
          racers(() => ({
            writes: [],
            reservations: [{ counter: "back", add: amount, limit: 2 * RACERS }],
          }))
        expect(yield* winners(add(2))).toHaveLength(RACERS)
        expect(yield* counterValue("back")).toBe(2 * RACERS)
        expect(yield* winners(add(-1))).toHaveLength(RACERS)
        expect(yield* counterValue("back")).toBe(RACERS)
      }),
    )

    check("counters named in different orders neither lock each other nor lose count", () =>
      Effect.gen(function* () {
        const names = ["a", "b", "c", "d"]
        const won = yield* winners(
          racers((n) => ({
            writes: [],
            reservations: (n % 2 === 0 ? names : names.toReversed()).map((counter) => ({
              counter,
              add: 1,
              limit: 120,
            })),
          })),
        )
        expect(won).toHaveLength(120)
        for (const name of names) expect(yield* counterValue(name)).toBe(120)
      }),
    )

    check("of 200 replacements of one version one wins", () =>
      Effect.gen(function* () {
        const port = yield* Store
        yield* commit({ writes: [insert("payment_intent", anIntent())] })
        const won = yield* winners(
          racers((n) => ({
            writes: [replace("payment_intent", intentIn("scanning", { channel: `wallet_${n}` }))],
            events: [anEvent({ n })],
          })),
        )
        expect(won).toHaveLength(1)
        const stored = yield* port.find("payment_intent", id("pi", 1))
        expect(stored).toMatchObject({ version: 2, channel: `wallet_${won[0]}` })
        for (const n of upTo(RACERS)) {
          expect(yield* hasVersion("event", id("evt", n), 1)).toBe(won.includes(n))
        }
      }),
    )

    check("of 200 inserts of one id one wins", () =>
      Effect.gen(function* () {
        const port = yield* Store
        const won = yield* winners(
          racers((n) => ({
            writes: [insert("payment_intent", anIntent({ description: `By ${n}` }))],
          })),
        )
        expect(won).toHaveLength(1)
        expect((yield* port.find("payment_intent", id("pi", 1)))?.description).toBe(`By ${won[0]}`)
      }),
    )

    check("of 200 owners of one key one wins", () =>
      Effect.gen(function* () {
        const won = yield* winners(
          racers((n) => ({
            writes: [],
            keys: [{ op: "claim", key: "one", owner: `owner ${n}` }],
          })),
        )
        expect(won).toHaveLength(1)
        expect(yield* keyHolder("one")).toBe(`owner ${won[0]}`)
      }),
    )

    check("of 200 requests under one idempotency key one runs", () =>
      Effect.gen(function* () {
        const port = yield* Store
        const won = yield* winners(
          racers((n) => ({
            writes: [],
            reply: aReply({ holder: uuid(n) }),
          })),
        )
        expect(won).toHaveLength(1)
        expect((yield* port.findReply(id("acct", 1), "retry-1"))?.holder).toBe(uuid(won[0]!))
      }),
    )

    check("of 200 accounts of one agent one is made", () =>
      Effect.gen(function* () {
        const port = yield* Store
        const won = yield* winners(
          racers((n) => ({
            writes: [insert("account", anAccount({ n, agent_id: "wanted" }))],
            reservations: [{ counter: "accounts", add: 1, limit: RACERS }],
          })),
        )
        expect(won).toHaveLength(1)
        expect((yield* port.findBy("account", { agent_id: "wanted" }))?.id).toBe(
          id("acct", won[0]!),
        )
        expect(yield* counterValue("accounts")).toBe(1)
      }),
    )
  })

  check.group("a group", () => {
    check("of 64 commits stores all but the ones in conflict", () =>
      Effect.gen(function* () {
        yield* commit({
          writes: [insert("payment_intent", anIntent({ n: 1000 }))],
          keys: [{ op: "claim", key: "held", owner: "holder" }],
          reservations: [{ counter: "full", add: 1, limit: 1 }],
          reply: aReply({ n: 1000, holder: uuid(1000) }),
        })
        const obstacles: ReadonlyArray<Partial<Commit>> = [
          { guards: [{ kind: "payment_intent", id: id("pi", 1000), version: 2 }] },
          { keys: [{ op: "claim", key: "held", owner: "me" }] },
          { reservations: [{ counter: "full", add: 1, limit: 1 }] },
          { reply: aReply({ n: 1000 }) },
        ]
        const won = yield* winners(
          upTo(64).map((n) => ({
            writes: [insert("payment_intent", anIntent({ n }))],
            events: [anEvent({ n })],
            keys: [{ op: "claim", key: `key ${n}`, owner: `owner ${n}` }],
            reservations: [{ counter: "shared", add: 1, limit: 64 }],
            ...(n % 4 === 0 ? obstacles[(n / 4) % obstacles.length] : {}),
          })),
        )
        expect(won).toStrictEqual(upTo(64).filter((n) => n % 4 !== 0))
        expect(yield* counterValue("full")).toBe(1)
        expect(yield* counterValue("shared")).toBe(48)
        for (const n of upTo(64)) {
          const stored = won.includes(n)
          expect(yield* hasVersion("payment_intent", id("pi", n), 1)).toBe(stored)
          expect(yield* hasVersion("event", id("evt", n), 1)).toBe(stored)
          expect(yield* keyHolder(`key ${n}`)).toBe(stored ? `owner ${n}` : undefined)
        }
      }),
    )

    check("decides on what the commits before it left", () =>
      Effect.gen(function* () {
        yield* commit({ writes: upTo(32).map((n) => insert("payment_intent", anIntent({ n }))) })
        const won = yield* winners(
          upTo(64).map((n) => ({
            writes: [replace("payment_intent", intentIn("scanning", { n: Math.ceil(n / 2) }))],
          })),
        )
        expect(won).toHaveLength(32)
        expect(new Set(won.map((n) => Math.ceil(n / 2))).size).toBe(32)
      }),
    )
  })
}
