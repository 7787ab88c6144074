import { describe, expect, it } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import * as MemoryStore from "../../../adapters/memory/MemoryStore.ts"
import { Store } from "../../../core/ports/Store.ts"
import { createRefund } from "../../../core/refunds/createRefund.ts"
import { settleRefund } from "../../../core/refunds/refundOutcome.ts"
import type { RevokeInput } from "../../../core/revocations/RevokeInput.ts"
import { makeTestStore } from "../../support/postgres.ts"
import { as, seller } from "../../support/world.ts"
import { paid, pendingRefunds, registered, usd } from "./paidSessions.ts"
import { revocationWorld } from "./revocationWorld.ts"

/** Begins a refund that its channel does not answer yet. Returns its id. */
const begin = Effect.fnUntraced(function* (payment: string, value: number, revoke?: RevokeInput) {
  const asked = { payment_intent: payment, amount: usd(value) }
  return (yield* createRefund(as(seller), { ...asked, ...(revoke && { revoke }) })).id
})

/** Lets the channel answer a refund. */
const end = Effect.fnUntraced(function* (id: string, outcome: "succeeds" | "fails") {
  const refund = yield* (yield* Store).find("refund", id)
  const number = refund?.channel_request ?? ""
  yield* outcome === "fails"
    ? settleRefund(number, { type: "refused", message: "closed" })
    : settleRefund(number, { type: "done", at: 0, trade_no: "t" })
})

/** Returns what a confirmed refund revokes: `s1 all`. */
const revokedBy = Effect.fnUntraced(function* (refund: string) {
  const all = yield* (yield* Store).list("revocation", { by: { refund }, order: "oldest" })
  for (const { batch_size, due_at } of all) {
    expect(batch_size).toBe(all.length)
    expect(due_at).not.toBeNull()
  }
  expect(new Set(all.map(({ position }) => position)).size).toBe(all.length)
  return all.map(({ scope, target_id }) => `${target_id} ${scope}`)
})

type End = readonly [part: number, outcome: "succeeds" | "fails"]

/** What refunds of these parts revoke, ended in this order, by part. */
const CASES: ReadonlyArray<{
  readonly name: string
  readonly parts: ReadonlyArray<number>
  readonly ends: ReadonlyArray<End>
  readonly revoked: ReadonlyArray<ReadonlyArray<string>>
  readonly revoke?: ReadonlyArray<RevokeInput | undefined>
}> = [
  {
    name: "the rest, where the larger part fails first",
    parts: [600, 99],
    ends: [
      [0, "fails"],
      [1, "succeeds"],
    ],
    revoked: [[], ["s1 read:summary"]],
  },
  {
    name: "the rest, where the larger part fails afterwards",
    parts: [600, 99],
    ends: [
      [1, "succeeds"],
      [0, "fails"],
    ],
    revoked: [[], ["s1 read:summary"]],
  },
  {
    name: "the rest, confirmed last",
    parts: [300, 399],
    ends: [
      [0, "succeeds"],
      [1, "succeeds"],
    ],
    revoked: [["s1 read:detail"], ["s1 all"]],
  },
  {
    name: "the rest, confirmed first",
    parts: [300, 399],
    ends: [
      [1, "succeeds"],
      [0, "succeeds"],
    ],
    revoked: [["s1 all"], ["s1 read:full"]],
  },
  {
    name: "three parts, the middle one confirmed last",
    parts: [100, 300, 299],
    ends: [
      [2, "succeeds"],
      [0, "succeeds"],
      [1, "succeeds"],
    ],
    revoked: [["s1 read:summary"], ["s1 all"], ["s1 read:detail"]],
  },
  {
    name: "a part that was asked to revoke nothing, and the rest after it",
    parts: [300, 399],
    ends: [
      [0, "succeeds"],
      [1, "succeeds"],
    ],
    revoked: [[], ["s1 all"]],
    revoke: [{ auto_revoke: false }],
  },
  {
    name: "a part that names its target, confirmed last",
    parts: [300, 399],
    ends: [
      [1, "succeeds"],
      [0, "succeeds"],
    ],
    revoked: [["s1 read:reports"], ["s1 read:full"]],
    revoke: [{ targets: [{ type: "session", id: "s1", scope: "read:reports" }] }],
  },
]

const STORES: ReadonlyArray<readonly [string, () => Layer.Layer<Store, unknown>]> = [
  ["memory", () => MemoryStore.layer],
  ["PostgreSQL", makeTestStore],
]

for (const [name, store] of STORES) {
  const here = () => Effect.provide(revocationWorld([], store(), pendingRefunds()))

  describe(`what confirmed refunds revoke by policy, on ${name}`, () => {
    for (const { ends, name: what, parts, revoke = [], revoked } of CASES) {
      it.live(what, () =>
        Effect.gen(function* () {
          const payment = yield* paid()
          const refunds = yield* Effect.forEach(parts, (part, n) => begin(payment, part, revoke[n]))
          for (const [part, outcome] of ends) yield* end(refunds[part] ?? "", outcome)
          expect(yield* Effect.forEach(refunds, revokedBy)).toStrictEqual(revoked)
        }).pipe(here()),
      )
    }

    it.live("is all for one of two parts that are confirmed at once", () =>
      Effect.gen(function* () {
        const payment = yield* paid()
        const refunds = yield* Effect.forEach([300, 399], (part) => begin(payment, part))
        yield* Effect.forEach(refunds, (refund) => end(refund, "succeeds"), {
          concurrency: "unbounded",
        })
        const [first, second] = yield* Effect.forEach(refunds, revokedBy)
        expect([
          [["s1 read:detail"], ["s1 all"]],
          [["s1 all"], ["s1 read:full"]],
        ]).toContainEqual([first, second])
      }).pipe(here()),
    )

    it.live("includes what was registered while the refund was pending", () =>
      Effect.gen(function* () {
        const payment = yield* paid()
        const refund = yield* begin(payment, 300)
        yield* registered(payment, "s2")
        yield* end(refund, "succeeds")
        yield* registered(payment, "s3")
        expect(yield* revokedBy(refund)).toStrictEqual(["s1 read:detail", "s2 read:detail"])
      }).pipe(here()),
    )
  })
}
