import { Effect } from "effect"
import type { Commit, ServiceListener } from "../../core/ports/Store.ts"
import { writesOf } from "./decide.ts"

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
  readonly tell = (commit: Commit): Effect.Effect<void> => {
    if (this.#listeners.size === 0) return Effect.void
    const calls = writesOf(commit).flatMap(({ record }) => [
      ...(this.#listeners.get(record.id) ?? []),
    ])
    return Effect.forEach(
      calls,
      (call) =>
        Effect.sync(call).pipe(
          Effect.catchDefect((defect) => Effect.logError("A store listener failed.", defect)),
        ),
      { discard: true },
    )
  }
}

/** The manifests that a commit changes. */
export const changedServices = (commit: Commit): ReadonlyArray<string> =>
  commit.writes.flatMap(({ kind, record }) => (kind === "service" ? [record.id] : []))

/** Who wants to hear of manifests, whichever they are. */
export class ServiceWatchers {
  readonly #listeners = new Set<ServiceListener>()

  add(listener: ServiceListener): () => void {
    const call: ServiceListener = (ids) => listener(ids)
    this.#listeners.add(call)
    return () => void this.#listeners.delete(call)
  }

  readonly tell = (ids: Parameters<ServiceListener>[0]): Effect.Effect<void> => {
    if (this.#listeners.size === 0 || ids.length === 0) return Effect.void
    return Effect.forEach(
      [...this.#listeners],
      (call) =>
        Effect.sync(() => call(ids)).pipe(
          Effect.catchDefect((defect) => Effect.logError("A store listener failed.", defect)),
        ),
      { discard: true },
    )
  }
}
