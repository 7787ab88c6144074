import { Effect, Layer } from "effect"
import * as MemoryStore from "../../adapters/memory/MemoryStore.ts"
import { Store } from "../../core/ports/Store.ts"

/** A store, by default in memory, that reports how many watch each record. */
export const watchedStore = (behind: Layer.Layer<Store> = MemoryStore.layer) => {
  const watchers = new Map<string, number>()
  const count = (id: string, change: number) =>
    void watchers.set(id, (watchers.get(id) ?? 0) + change)
  const layer = Layer.effect(
    Store,
    Effect.map(Store, (inner) =>
      Store.of({
        ...inner,
        watch: (id, listener) => {
          const stop = inner.watch(id, listener)
          count(id, 1)
          return () => {
            count(id, -1)
            stop()
          }
        },
      }),
    ),
  ).pipe(Layer.provide(behind))
  return { layer, watching: (id: string) => watchers.get(id) ?? 0 }
}
