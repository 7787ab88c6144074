import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { describe } from "vitest"
import { Store } from "../../../core/ports/Store.ts"
import { executeRevocation } from "../../../core/revocations/executeRevocation.ts"
import type { Revocation } from "../../../core/revocations/Revocation.ts"
import { SECOND } from "../../../core/shared/Timestamp.ts"
import { makeTestStore } from "../../support/postgres.ts"
import { id } from "../../support/records.ts"
import { confirmed, intent, planned, planOf, revocationWorld, tokens } from "./revocationWorld.ts"

const SIZE = 40

describe("revocations on PostgreSQL", () => {
  it.live("two workers end the last targets at the same moment: one batch event", () => {
    const told: Parameters<typeof revocationWorld>[0] = []
    return Effect.gen(function* () {
      const store = yield* Store
      yield* store.commit({
        writes: [{ op: "insert", kind: "payment_intent", record: intent }],
      })
      const refund = id("ref", 1)
      const names = Array.from({ length: SIZE }, (_, n) => `t${n}`)
      yield* planned(refund, planOf(tokens(...names, "t0")))
      yield* confirmed(refund)
      const worker = Effect.gen(function* () {
        for (let round = 0; round < 40; round += 1) {
          const due = yield* store.claimDue("revocation", Date.now(), {
            limit: 8,
            lease: 30 * SECOND,
          })
          yield* Effect.forEach(due, executeRevocation, { concurrency: "unbounded" })
          const left = yield* store.list("revocation", { by: { refund }, order: "oldest" })
          if (left.every(({ attempts }) => attempts > 0)) break
          yield* Effect.sleep("20 millis")
        }
      })
      yield* Effect.all([worker, worker, worker], { concurrency: "unbounded" })
      const all = yield* store.list("revocation", { by: { refund }, order: "oldest" })
      expect(all.filter(({ status }) => status === "revoked")).toHaveLength(SIZE)
      expect(all.filter(({ status }) => status === "pending")).toHaveLength(1)
      const one = all.find(({ status }) => status === "pending")
      for (let attempt = 2; attempt <= 4; attempt += 1) {
        const due = yield* store.claimDue("revocation", Date.now() + 60 * SECOND, {
          limit: 8,
          lease: SECOND,
        })
        expect(due.map((found) => found.id)).toStrictEqual([one?.id])
        yield* Effect.forEach(due, (found) =>
          executeRevocation({ ...found, due_at: 0 } as Revocation),
        )
      }
      const batches = told.filter(({ type }) => type === "revocation.batch.completed")
      expect(batches.map(({ account_id }) => account_id).toSorted()).toStrictEqual(
        [intent.account_id, intent.payee_account_id].toSorted(),
      )
      expect(batches[0]?.data).toMatchObject({
        total_targets: SIZE + 1,
        revoked: SIZE,
        failed: 1,
      })
      const succeeded = told.filter(({ type }) => type === "revocation.succeeded")
      expect(succeeded).toHaveLength(2 * SIZE)
    }).pipe(Effect.provide(revocationWorld(told, makeTestStore())))
  })
})
