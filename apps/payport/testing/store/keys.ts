import { Effect } from "effect"
import { expect } from "../expect.ts"
import {
  type Commit,
  type KeyChange,
  type Reservation,
  Store,
} from "../../../../core/ports/Store.ts"
import { aService, anAccount, id, T0 } from "../records/index.ts"
import {
  type StoreCheck,
  commit,
  counterValue,
  insert,
  keyHolder,
  remove,
  replace,
  tryCommit,
  upTo,
} from "./probe.ts"

const claim = (key: string, owner: string): KeyChange => ({ op: "claim", key, owner })
const release = (key: string, owner: string): KeyChange => ({ op: "release", key, owner })
const keys = (...changes: ReadonlyArray<KeyChange>): Commit => ({ writes: [], keys: changes })
const reserve = (...reservations: ReadonlyArray<Reservation>): Commit => ({
  writes: [],
  reservations,
})

/** Checks keys with one owner, counters with a limit, and unique names of records. */
export const keysAndCounters = (check: StoreCheck): unknown =>
  check.group("keys and counters", () => {
    check("a key has one owner until it gives it back", () =>
      Effect.gen(function* () {
        expect(yield* keyHolder("k")).toBeUndefined()
        yield* commit(keys(claim("k", "a")))
        expect(yield* tryCommit(keys(claim("k", "b")))).toStrictEqual({
          type: "key_taken",
          key: "k",
          owner: "a",
        })
        yield* commit(keys(claim("k", "a")))
        yield* commit(keys(release("k", "b")))
        expect(yield* keyHolder("k")).toBe("a")
        yield* commit(keys(release("k", "a")))
        expect(yield* keyHolder("k")).toBeUndefined()
        yield* commit(keys(release("k", "a")))
        yield* commit(keys(claim("k", "b")))
        expect(yield* keyHolder("k")).toBe("b")
      }),
    )

    check("the key changes of a commit happen in their order", () =>
      Effect.gen(function* () {
        yield* commit(keys(claim("k", "a")))
        yield* commit(keys(release("k", "a"), claim("k", "b")))
        expect(yield* keyHolder("k")).toBe("b")
        expect(yield* tryCommit(keys(claim("n", "a"), claim("n", "b")))).toMatchObject({
          type: "key_taken",
          key: "n",
        })
        expect(yield* keyHolder("n")).toBeUndefined()
        expect(yield* tryCommit(keys(release("k", "c"), claim("k", "c")))).toMatchObject({
          type: "key_taken",
          owner: "b",
        })
      }),
    )

    check("a key is taken by its exact characters", () =>
      Effect.gen(function* () {
        const odd = ["k", "K", "k ", "", "é", "e\u0301", "'; drop", "k".repeat(200)]
        yield* commit(keys(...odd.map((key, n) => claim(key, `owner ${n}`))))
        for (const [n, key] of odd.entries()) {
          expect(yield* keyHolder(key)).toBe(`owner ${n}`)
        }
      }),
    )

    check("a counter reaches its limit exactly and gives back", () =>
      Effect.gen(function* () {
        expect(yield* counterValue("c")).toBe(0)
        yield* commit(reserve({ counter: "c", add: 7, limit: 10 }))
        expect(yield* tryCommit(reserve({ counter: "c", add: 4, limit: 10 }))).toStrictEqual({
          type: "limit_reached",
          counter: "c",
          value: 7,
        })
        yield* commit(reserve({ counter: "c", add: 3, limit: 10 }))
        expect(yield* counterValue("c")).toBe(10)
        yield* commit(reserve({ counter: "c", add: -4, limit: 10 }))
        expect(yield* counterValue("c")).toBe(6)
        yield* commit(reserve({ counter: "c", add: 4, limit: 10 }))
        expect(yield* counterValue("c")).toBe(10)
      }),
    )

    check("a counter that passed a lowered limit still gives back", () =>
      Effect.gen(function* () {
        yield* commit(reserve({ counter: "c", add: 10, limit: 10 }))
        yield* commit(reserve({ counter: "c", add: -1, limit: 5 }))
        expect(yield* counterValue("c")).toBe(9)
        expect(yield* tryCommit(reserve({ counter: "c", add: 1, limit: 5 }))).toMatchObject({
          type: "limit_reached",
          value: 9,
        })
      }),
    )

    check("a counter that a limit of 0 closes takes nothing", () =>
      Effect.gen(function* () {
        expect(yield* tryCommit(reserve({ counter: "c", add: 1, limit: 0 }))).toMatchObject({
          type: "limit_reached",
          value: 0,
        })
        expect(yield* counterValue("c")).toBe(0)
      }),
    )

    check("reservations of one commit on one counter add up", () =>
      Effect.gen(function* () {
        const one = { counter: "c", add: 1, limit: 3 }
        expect(yield* tryCommit(reserve(one, one, one, one))).toMatchObject({ counter: "c" })
        expect(yield* counterValue("c")).toBe(0)
        yield* commit(reserve(one, one, one))
        expect(yield* counterValue("c")).toBe(3)
      }),
    )

    check("counters hold sums of money beyond 32 bits", () =>
      Effect.gen(function* () {
        const large = { counter: "c", add: 1_000_000_000_000, limit: 2_000_000_000_000 }
        yield* commit(reserve(large))
        yield* commit(reserve(large))
        expect(yield* counterValue("c")).toBe(2_000_000_000_000)
        expect(yield* tryCommit(reserve(large))).toMatchObject({ type: "limit_reached" })
      }),
    )

    check("a deleted manifest's name is free for another of the account", () =>
      Effect.gen(function* () {
        const ended = { deprecated_at: T0, deleted_at: T0, due_at: T0 }
        yield* commit({ writes: [insert("service", aService({ status: "deprecated" }))] })
        const next = insert("service", aService({ n: 2, name: "Service 1", status: "draft" }))
        expect(yield* tryCommit({ writes: [next] })).toMatchObject({ type: "key_taken" })
        yield* commit({ writes: [replace("service", aService({ status: "deleted", ...ended }))] })
        yield* commit({ writes: [next] })
      }),
    )

    check("a name that is not active is free for others, and active for one of them only", () =>
      Effect.gen(function* () {
        const named = (n: number, status: "draft" | "active" | "paused") =>
          aService({ n, name: "Same", account_id: id("acct", n), status })
        for (const n of upTo(3)) yield* commit({ writes: [insert("service", named(n, "draft"))] })
        const port = yield* Store
        yield* commit({ writes: [replace("service", named(1, "active"))] })
        expect((yield* port.findBy("service", { name_key: "same" }))?.id).toBe(
          named(1, "active").id,
        )
        expect(
          yield* tryCommit({ writes: [replace("service", named(2, "active"))] }),
        ).toMatchObject({ type: "key_taken" })
        yield* commit({ writes: [replace("service", { ...named(1, "paused"), version: 2 })] })
        expect(yield* port.findBy("service", { name_key: "same" })).toBeUndefined()
        yield* commit({ writes: [replace("service", named(3, "active"))] })
        expect((yield* port.findBy("service", { name_key: "same" }))?.id).toBe(
          named(3, "active").id,
        )
        expect(
          yield* tryCommit({
            writes: [replace("service", { ...named(1, "active"), version: 3 })],
          }),
        ).toMatchObject({ type: "key_taken" })
      }),
    )

    check("a commit can hand a name from one record to a new one", () =>
      Effect.gen(function* () {
        const port = yield* Store
        const heir = (n: number) => insert("account", anAccount({ n, agent_id: "agent-1" }))
        yield* commit({ writes: [insert("account", anAccount())] })
        yield* commit({
          writes: [heir(2), replace("account", anAccount({ agent_id: "retired" }))],
        })
        expect((yield* port.findBy("account", { agent_id: "agent-1" }))?.id).toBe(id("acct", 2))
        expect((yield* port.findBy("account", { agent_id: "retired" }))?.id).toBe(id("acct", 1))
        yield* commit({
          writes: [remove("account", anAccount({ n: 2, agent_id: "agent-1" })), heir(3)],
        })
        expect((yield* port.findBy("account", { agent_id: "agent-1" }))?.id).toBe(id("acct", 3))
      }),
    )

    check("an agent's name follows the account that has it", () =>
      Effect.gen(function* () {
        yield* commit({ writes: [insert("account", anAccount())] })
        yield* commit({ writes: [replace("account", anAccount({ agent_id: "renamed" }))] })
        yield* commit({ writes: [insert("account", anAccount({ n: 2, agent_id: "agent-1" }))] })
        const renamed = replace("account", anAccount({ n: 2, agent_id: "renamed" }))
        expect(yield* tryCommit({ writes: [renamed] })).toMatchObject({ type: "key_taken" })
        const port = yield* Store
        expect((yield* port.findBy("account", { agent_id: "renamed" }))?.id).toBe(id("acct", 1))
        expect((yield* port.findBy("account", { agent_id: "agent-1" }))?.id).toBe(id("acct", 2))
      }),
    )
  })
