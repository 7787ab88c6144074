import { Effect } from "effect"
import { expect } from "../expect.ts"
import { KEPT_FOR, type Reply, RUNNING_LEASE } from "../../../../core/idempotency/Reply.ts"
import { Store } from "../../../../core/ports/Store.ts"
import { aReply, hash, id, T0, uuid } from "../records/index.ts"
import { type StoreCheck, commit, tryCommit } from "./probe.ts"

const running = aReply()
const answered = aReply({ answer: "sealed:answer" })

/** A request of another holder, some milliseconds after the first. */
const later = (after: number, said: Partial<Reply> = {}): Reply =>
  aReply({ created_at: T0 + after, holder: uuid(2), fingerprint: hash(2), ...said })

const same = { holder: uuid(1) }

/** The stored reply, the new one, and whether the store accepts it. */
const cases: ReadonlyArray<readonly [name: string, stored: Reply, next: Reply, accepted: boolean]> =
  [
    ["a running request keeps others out", running, later(1), false],
    ["even after its lease, who has not seen it", running, later(RUNNING_LEASE), false],
    ["and is gone on with as its holder", running, later(RUNNING_LEASE, same), true],
    ["the holder answers its own request", running, later(1, { ...same, answer: "a" }), true],
    ["even after its lease", running, later(RUNNING_LEASE + 1, { ...same, answer: "a" }), true],
    ["a stranger does not", running, later(1, { answer: "a" }), false],
    ["an answer is not written over", answered, later(RUNNING_LEASE + 1), false],
    ["nor by its own holder", answered, later(1, { ...same, answer: "other" }), false],
    ["until it is over", answered, later(KEPT_FOR - 1), false],
    ["and gives way from then on", answered, later(KEPT_FOR), true],
    ["another key is another matter", answered, later(1, { key: "retry-2" }), true],
    ["so is another account", answered, later(1, { account_id: id("acct", 2) }), true],
  ]

/** Checks the stored replies of idempotency keys. */
export const replies = (check: StoreCheck): unknown =>
  check.group("replies", () => {
    for (const [name, stored, next, accepted] of cases) {
      check(name, () =>
        Effect.gen(function* () {
          const port = yield* Store
          yield* commit({ writes: [], reply: stored })
          expect(yield* port.findReply(stored.account_id, stored.key)).toStrictEqual(stored)
          const reason = yield* tryCommit({ writes: [], reply: next })
          expect(reason).toStrictEqual(accepted ? undefined : { type: "reply_taken" })
          const found = yield* port.findReply(next.account_id, next.key)
          expect(found).toStrictEqual(accepted ? next : stored)
        }),
      )
    }

    check("a request that was gone on with is answered once, by whoever is first", () =>
      Effect.gen(function* () {
        const port = yield* Store
        const next = later(RUNNING_LEASE, same)
        yield* commit({ writes: [], reply: running })
        yield* commit({ writes: [], reply: next })
        yield* commit({ writes: [], reply: { ...next, answer: "sealed:second" } })
        const late = aReply({ created_at: T0 + RUNNING_LEASE + 1, answer: "late" })
        expect(yield* tryCommit({ writes: [], reply: late })).toStrictEqual({ type: "reply_taken" })
        expect((yield* port.findReply(next.account_id, next.key))?.answer).toBe("sealed:second")
      }),
    )

    check("a key that was never used has no reply", () =>
      Effect.gen(function* () {
        const port = yield* Store
        expect(yield* port.findReply(id("acct", 1), "retry-1")).toBeUndefined()
      }),
    )

    check("purging forgets replies whose time is over, and counts them", () =>
      Effect.gen(function* () {
        const port = yield* Store
        for (const n of [1, 2, 3]) {
          yield* commit({
            writes: [],
            reply: aReply({ n, created_at: T0 - n, expires_at: T0 + n }),
          })
        }
        expect(yield* port.oldestReply()).toBe(T0 - 1)
        expect(yield* port.purgeReplies(T0, 9)).toBe(0)
        expect(yield* port.purgeReplies(T0 + 2, 1)).toBe(1)
        expect(yield* port.purgeReplies(T0 + 2, 9)).toBe(1)
        expect(yield* port.purgeReplies(T0 + 2, 9)).toBe(0)
        expect(yield* port.oldestReply()).toBe(T0 - 3)
        expect(yield* port.findReply(id("acct", 1), "retry-1")).toBeUndefined()
        expect(yield* port.findReply(id("acct", 1), "retry-2")).toBeUndefined()
        expect(yield* port.findReply(id("acct", 1), "retry-3")).toBeDefined()
      }),
    )
  })
