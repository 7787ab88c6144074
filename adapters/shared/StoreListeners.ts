import { Effect } from "effect"
import type { ServiceListener } from "../../core/ports/Store.ts"

/** Calls every listener. One that throws is logged, and the commit and the others go on. */
const callEach = (listeners: ReadonlyArray<() => void>): Effect.Effect<void> =>
  Effect.forEach(
    listeners,
    (listener) =>
      Effect.catchDefect(Effect.sync(listener), (defect) =>
        Effect.logError("A listener of the store failed.", defect),
      ),
    { discard: true },
  )

/** The listeners of single records, by the record's id, which `Store.watch` registers. */
export class RecordListeners {
  readonly #listeners = new Map<string, Set<() => void>>()

  /** Returns the function that removes the listener. */
  add(id: string, listener: () => void): () => void {
    const added = () => listener()
    const listeners = this.#listeners.get(id) ?? new Set()
    this.#listeners.set(id, listeners.add(added))
    return () => {
      listeners.delete(added)
      if (listeners.size === 0 && this.#listeners.get(id) === listeners) this.#listeners.delete(id)
    }
  }

  /** Calls the listeners of the records with these ids. */
  readonly notify = (ids: ReadonlyArray<string>): Effect.Effect<void> =>
    this.#listeners.size === 0
      ? Effect.void
      : callEach(ids.flatMap((id) => [...(this.#listeners.get(id) ?? [])]))
}

/** The listeners of all services' manifests, which `Store.watchServices` registers. */
export class ServiceListeners {
  readonly #listeners = new Set<ServiceListener>()

  /** Returns the function that removes the listener. */
  add(listener: ServiceListener): () => void {
    const added: ServiceListener = (ids) => listener(ids)
    this.#listeners.add(added)
    return () => void this.#listeners.delete(added)
  }

  /** Passes the ids of changed services to every listener. */
  readonly notify = (ids: Parameters<ServiceListener>[0]): Effect.Effect<void> =>
    this.#listeners.size === 0 || ids.length === 0
      ? Effect.void
      : callEach([...this.#listeners].map((listener) => () => listener(ids)))
}
