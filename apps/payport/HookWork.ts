import { AsyncLocalStorage } from "node:async_hooks"
import type { BeforeCommit } from "../../adapters/shared/BeforeCommit.ts"
import type { EventHook } from "./EventHook.ts"

/**
 * Knows whether one is called by a hook of the host's. A payport that closes waits for its hooks,
 * and would wait for one that waits for that itself until its time is over.
 */
export class HookWork {
  readonly #current = new AsyncLocalStorage<{ goesOn: boolean }>()

  readonly #during = async (run: () => unknown): Promise<unknown> => {
    const work = { goesOn: true }
    try {
      return await this.#current.run(work, run)
    } finally {
      work.goesOn = false
    }
  }

  /** The hook, whose work is known from now on. */
  readonly ofEvents = (hook: EventHook): EventHook => ({
    ...hook,
    handle: (event, signal) => this.#during(() => hook.handle(event, signal)),
  })

  /** The same for a hook of commits. */
  readonly ofCommits = <Tools>(hook: BeforeCommit<Tools>): BeforeCommit<Tools> => ({
    ...hook,
    run: (change, tools) => this.#during(() => hook.run(change, tools)),
  })

  /**
   * Waits for an end that waits for hooks. Called by one of them it does not wait, and what goes
   * wrong is heard by whoever waits for the end elsewhere.
   */
  readonly unlessWithin = (end: Promise<void>): Promise<void> => {
    if (this.#current.getStore()?.goesOn !== true) return end
    end.catch(() => undefined)
    return Promise.resolve()
  }
}
