import { Effect, Layer } from "effect"
import * as MemoryStore from "../../adapters/memory/MemoryStore.ts"
import { Store } from "../../core/ports/Store.ts"

/** A store in memory that does not answer reads of records and commits while it hangs. */
export const hangingStore = () => {
  const state = { hangs: false, waiting: 0 }
  const never = Effect.suspend(() => {
    state.waiting += 1
    return Effect.never
  }).pipe(Effect.ensuring(Effect.sync(() => void (state.waiting -= 1))))
  const held = <A, E>(effect: Effect.Effect<A, E>) =>
    Effect.suspend(() => (state.hangs ? never : effect))
  const layer = Layer.effect(
    Store,
    Effect.map(Store, (inner) =>
      Store.of({
        ...inner,
        find: (kind, id) => held(inner.find(kind, id)),
        commit: (commit) => held(inner.commit(commit)),
      }),
    ),
  ).pipe(Layer.provide(MemoryStore.layer))
  return {
    layer,
    hang: (hangs: boolean) => void (state.hangs = hangs),
    /** Returns the number of callers without an answer. */
    waiting: () => state.waiting,
  }
}
