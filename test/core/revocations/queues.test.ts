import { it } from "@effect/vitest"
import { Effect } from "effect"
import { describe, expect } from "vitest"
import * as MemoryStore from "../../../adapters/memory/MemoryStore.ts"
import { Store } from "../../../core/ports/Store.ts"
import type { Revocation } from "../../../core/revocations/Revocation.ts"
import { DAY, SECOND, type Timestamp } from "../../../core/shared/Timestamp.ts"
import { makeTestStore } from "../../support/postgres.ts"
import { id, T0, uuid } from "../../support/records.ts"

/** Revocation n, of that seller. */
const aRevocation = (n: number, seller: number, due_at: Timestamp): Revocation => ({
  id: id("rvk", n),
  version: 1,
  account_id: id("acct", seller),
  refund: id("ref", n),
  payment_intent: id("pi", n),
  service_id: uuid(seller),
  position: 0,
  batch_size: 1,
  target_type: "access_token",
  target_id: `token ${n}`,
  scope: "all",
  notify: true,
  strict: false,
  attempts: 0,
  error: null,
  created_at: T0,
  status: "pending",
  due_at,
})

/** Revocation n of that seller, carried out: it falls due again when its retention ends. */
const carriedOut = (n: number, seller: number): Revocation => {
  const { error: _error, ...common } = aRevocation(n, seller, T0)
  return { ...common, status: "revoked", error: null, revoked_at: T0, due_at: T0 + 90 * DAY }
}

/** More sellers than a walk passes in one statement. */
const SELLERS = 600

/** More than a claim reads at once. */
const COUNT = 1_100

describe.each([
  ["memory", () => MemoryStore.layer],
  ["PostgreSQL", makeTestStore],
])("a claim of revocations from %s", (_, makeStore) => {
  it.live("gives each seller its share, and reaches those behind a long queue", () =>
    Effect.gen(function* () {
      const store = yield* Store
      const many = Array.from({ length: COUNT }, (__, n) => aRevocation(n + 1, 1, T0))
      const few = [2, 3, 4].map((seller) => aRevocation(COUNT + seller, seller, T0 + seller))
      const last = aRevocation(COUNT + 5, 1_000, T0 + 5)
      const kept = Array.from({ length: SELLERS }, (__, n) => carriedOut(2_000 + n, 100 + n))
      const writes = [...many, ...few, last, ...kept].map(
        (record) => ({ op: "insert", kind: "revocation", record }) as const,
      )
      yield* store.commit({ writes })
      const claimed = (limit: number) =>
        Effect.map(
          store.claimDue("revocation", T0 + SECOND, {
            limit,
            lease: SECOND,
            shares: {
              each: 64,
              left: new Map([
                [id("acct", 1), 2],
                [id("acct", 3), 0],
              ]),
            },
          }),
          (found) => found.map(({ account_id }) => account_id),
        )
      expect(yield* claimed(64)).toEqual([1, 1, 2, 4, 1_000].map((seller) => id("acct", seller)))
      expect(yield* claimed(1)).toEqual([id("acct", 1)])
    }).pipe(Effect.provide(makeStore())),
  )
})
