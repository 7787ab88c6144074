import { Clock, Effect, Layer } from "effect"
import * as MemoryStore from "../../../adapters/memory/MemoryStore.ts"
import {
  confirmRevocations,
  insertRevocations,
  newRevocations,
} from "../../../core/revocations/refundRevocations.ts"
import type { RevocationPlan } from "../../../core/revocations/Policy.ts"
import { Store } from "../../../core/ports/Store.ts"
import type { Event } from "../../../core/webhooks/events/Event.ts"
import { intentIn, T0 } from "../../support/records.ts"
import { makeScript, type Script } from "../../support/scriptedChannels.ts"
import { buyer, seller, world } from "../../support/world.ts"

/** Events as they were committed. */
export type Told = Array<Event>

/** A store that yields before each commit, so that racers meet, and records the events. */
const recording = (told: Told) =>
  Layer.effect(
    Store,
    Effect.map(Store, (store) =>
      Store.of({
        ...store,
        commit: (commit) =>
          Effect.yieldNow.pipe(
            Effect.andThen(store.commit(commit)),
            Effect.tap(() => Effect.sync(() => told.push(...(commit.events ?? [])))),
          ),
      }),
    ),
  )

/** The core over a store whose events are recorded. */
export const revocationWorld = (
  told: Told = [],
  store: Layer.Layer<Store, unknown> = MemoryStore.layer,
  script: Script = makeScript(),
) => recording(told).pipe(Layer.provide(Layer.orDie(store)), Layer.provideMerge(world(script)))

/** A payment of the buyer to the seller. */
export const intent = intentIn("captured", {
  account_id: buyer.id,
  payee_account_id: seller.id,
})

/** A plan with default values. */
export const planOf = (
  targets: RevocationPlan["targets"],
  said: Partial<RevocationPlan> = {},
): RevocationPlan => ({ targets, notify: true, strict: false, ...said })

/** Tokens with these identifiers, to be revoked wholly. */
export const tokens = (...ids: ReadonlyArray<string>): RevocationPlan["targets"] =>
  ids.map((id) => ({ type: "access_token", id, scope: "all" }))

/** Stores the revocations of a refund that is still pending. */
export const planned = Effect.fnUntraced(function* (refund: string, plan: RevocationPlan) {
  const store = yield* Store
  const records = yield* newRevocations({ id: refund, intent, at: T0 }, plan)
  yield* store.commit({ writes: insertRevocations(records) })
  return records
})

/** Confirms the refund: its revocations are due from now on. */
export const confirmed = Effect.fnUntraced(function* (refund: string) {
  const store = yield* Store
  const now = yield* Clock.currentTimeMillis
  const named = { id: refund, amount: intent.amount, revoke: {} }
  yield* store.commit({ writes: yield* confirmRevocations(named, intent, now) })
})
