import { expect, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { TestClock } from "effect/testing"
import { executeRevocation } from "../../../core/revocations/executeRevocation.ts"
import { introspectAccess } from "../../../core/revocations/introspectAccess.ts"
import { itemKey } from "../../../core/revocations/AccessItem.ts"
import { MOST_REVOKED } from "../../../core/revocations/Verdict.ts"
import { Store } from "../../../core/ports/Store.ts"
import { Vault } from "../../../core/ports/Vault.ts"
import { SECOND } from "../../../core/shared/Timestamp.ts"
import { anAccessItem, id, T0 } from "../../support/records.ts"
import { as, seller } from "../../support/world.ts"
import { confirmed, intent, planned, planOf, revocationWorld } from "./revocationWorld.ts"

const target = (scope: string) => ({ type: "access_token", id: "t1", scope }) as const

/** Stores an item of which so many scopes are revoked. */
const open = Effect.fnUntraced(function* (revoked: number) {
  yield* TestClock.setTime(T0)
  const record = anAccessItem({
    account_id: seller.id,
    item_id: "t1",
    item_key: itemKey((yield* Vault).sha256, "access_token", "t1"),
    scopes: ["all"],
    revoked: Array.from({ length: revoked }, (_, n) => ({ scope: `read:r${n}`, revoked_at: T0 })),
  })
  yield* (yield* Store).commit({
    writes: [
      { op: "insert", kind: "payment_intent", record: intent },
      { op: "insert", kind: "access_item", record },
    ],
  })
})

/** Revokes scopes by a refund, with all attempts, and returns the errors of its revocations. */
const revoking = Effect.fnUntraced(function* (refund: string, ...scopes: ReadonlyArray<string>) {
  const store = yield* Store
  yield* planned(refund, planOf(scopes.map(target)))
  yield* confirmed(refund)
  for (let second = 0; second <= 60; second++) {
    yield* TestClock.adjust(SECOND)
    const now = yield* Clock.currentTimeMillis
    const due = yield* store.claimDue("revocation", now, { limit: 100, lease: 30 * SECOND })
    yield* Effect.forEach(due, executeRevocation)
  }
  const all = yield* store.list("revocation", { by: { refund }, order: "oldest" })
  return all.map(({ error, status }) => error?.code ?? status)
})

it.effect("the scopes of a target are revoked one by one up to the most, and all always", () =>
  Effect.gen(function* () {
    yield* open(MOST_REVOKED - 1)
    expect(yield* revoking(id("ref", 1), "read:one", "read:two")).toStrictEqual([
      "revoked",
      "revocation_limit_exceeded",
    ])
    expect(yield* revoking(id("ref", 2), "all")).toStrictEqual(["revoked"])
    const { active, revoked_scopes } = yield* introspectAccess(as(seller), {
      type: "access_token",
      id: "t1",
    })
    expect([active, revoked_scopes.length]).toStrictEqual([false, MOST_REVOKED + 1])
  }).pipe(Effect.provide(revocationWorld([]))),
)
