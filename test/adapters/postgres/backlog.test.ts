import { layer } from "@effect/vitest"
import { Effect } from "effect"
import { describe, expect, test } from "vitest"
import { BacklogReads, busiest } from "../../../adapters/postgres/Backlog.ts"
import { failureKind } from "../../../adapters/postgres/measures.ts"
import { DUE_KINDS, Store } from "../../../core/ports/Store.ts"
import { aDelivery, anEvent, channelRequestIn, id, T0, uuid } from "../../support/records.ts"
import { makeTestStore } from "../../support/postgres.ts"

test.each([
  [{ _tag: "SqlError", reason: { _tag: "LockTimeoutError" } }, "lock_timeout"],
  [{ _tag: "SqlError", reason: { _tag: "ConnectionError" } }, "connection"],
  [{ _tag: "SqlError", reason: { _tag: "UniqueViolation" } }, "unique_violation"],
  [{ _tag: "NoAnswer" }, "no_answer"],
  [new Error("what"), "unknown"],
])("%o is counted as %s", (error, kind) => {
  expect(failureKind(error)).toBe(kind)
})

describe("the busiest receivers", () => {
  const a = { receiver: "a", count: 1 }
  const b = { receiver: "b", count: 5 }
  const c = { receiver: "c", count: 1 }
  test.each([
    ["nobody", [], 2, []],
    ["all that there are", [a, b], 2, [b, a]],
    ["the rest as one", [a, b, c], 1, [b, { receiver: "others", count: 2 }]],
    ["those who have as many by their names", [c, a], 2, [a, c]],
  ])("%s", (_, receivers, most, shown) => {
    expect(busiest(receivers, most)).toEqual(shown)
  })
})

layer(makeTestStore())("what waits in the database", (it) => {
  it.effect("is counted by kind, by receiver and by channel", () =>
    Effect.gen(function* () {
      const store = yield* Store
      const endpoint = { endpoint_id: id("we", 1), service_id: null }
      const service = { endpoint_id: null, service_id: uuid(2) }
      yield* store.commit({
        writes: [
          { op: "insert", kind: "event", record: anEvent({ n: 1, due_at: T0 - 5_000 }) },
          { op: "insert", kind: "event", record: anEvent({ n: 2, due_at: T0 + 5_000 }) },
          { op: "insert", kind: "delivery", record: aDelivery({ n: 1, ...endpoint, due_at: T0 }) },
          {
            op: "insert",
            kind: "delivery",
            record: aDelivery({ n: 2, ...service, event_id: id("evt", 1), due_at: T0 + 9_000 }),
          },
          {
            op: "insert",
            kind: "channel_request",
            record: channelRequestIn("unknown", { n: 1, due_at: T0, created_at: T0 - 60_000 }),
          },
        ],
      })
      const { channel_requests, due, receivers } = yield* (yield* BacklogReads).count(T0)
      expect(due.map(({ kind }) => kind)).toEqual(DUE_KINDS)
      expect(due.filter(({ count }) => count > 0)).toEqual([
        { kind: "channel_request", count: 1, oldest: T0 },
        { kind: "event", count: 1, oldest: T0 - 5_000 },
        { kind: "delivery", count: 1, oldest: T0 },
      ])
      expect(busiest(receivers, 2)).toEqual([
        { receiver: uuid(2), count: 1 },
        { receiver: id("we", 1), count: 1 },
      ])
      expect(channel_requests).toEqual([
        { channel: "wallet_a", status: "unknown", count: 1, oldest: T0 - 60_000 },
      ])
    }),
  )
})
