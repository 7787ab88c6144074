import { Effect } from "effect"
import type { ServiceListener } from "../../core/ports/Store.ts"
import { isUuid } from "../../core/shared/Id.ts"

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

/**
 * Who wants to hear of manifests. Of the records that are announced to all processes only manifests
 * have ids without a prefix.
 */
export class ServiceWatchers {
  readonly #listeners = new Set<ServiceListener>()
  readonly #report: (error: unknown) => void

  constructor(report: (error: unknown) => void) {
    this.#report = report
  }

  add(listener: ServiceListener): () => void {
    const call: ServiceListener = (ids) => listener(ids)
    this.#listeners.add(call)
    return () => void this.#listeners.delete(call)
  }

  /** A listener that fails is no business of whoever brought the news. */
  tell(changed: ReadonlyArray<string> | "everything"): void {
    if (this.#listeners.size === 0) return
    const ids = changed === "everything" ? changed : changed.filter(isUuid)
    if (ids.length === 0) return
    for (const call of this.#listeners) {
      try {
        call(ids)
      } catch (error) {
        this.#report(error)
      }
    }
  }
}
