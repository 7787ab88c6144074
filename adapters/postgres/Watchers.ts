import { Effect } from "effect"

/** Who wants to hear of which record. */
export class Watchers {
  readonly #listeners = new Map<string, Set<() => void>>()

  add(id: string, listener: () => void): () => void {
    const call = () => listener()
    const calls = this.#listeners.get(id) ?? new Set()
    this.#listeners.set(id, calls.add(call))
    return () => {
      calls.delete(call)
      if (calls.size === 0 && this.#listeners.get(id) === calls) this.#listeners.delete(id)
    }
  }

  /** A listener that fails is no business of whoever committed. */
  readonly tell = (ids: ReadonlyArray<string>): Effect.Effect<void> => {
    if (this.#listeners.size === 0) return Effect.void
    const calls = ids.flatMap((id) => [...(this.#listeners.get(id) ?? [])])
    return Effect.forEach(
      calls,
      (call) =>
        Effect.catchDefect(Effect.sync(call), (defect) =>
          Effect.logError("A listener of the store failed.", defect),
        ),
      { discard: true },
    )
  }
}
