import { AsyncLocalStorage } from "node:async_hooks"
import type { BeforeCommit } from "../../adapters/shared/BeforeCommit.ts"
import type { EventHook } from "./EventHook.ts"

/**
 * Knows whether code runs inside one of the host's hooks. A closing payport waits for its hooks. If
 * a hook itself waited for the close, both would wait until the time limit.
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

  /** Returns the hook; its work is tracked from now on. */
  readonly ofEvents = (hook: EventHook): EventHook => ({
    ...hook,
    handle: (event, signal) => this.#during(() => hook.handle(event, signal)),
  })

  /** The same as `ofEvents`, for a hook of commits. */
  readonly ofCommits = <Tools>(hook: BeforeCommit<Tools>): BeforeCommit<Tools> => ({
    ...hook,
    run: (change, tools) => this.#during(() => hook.run(change, tools)),
  })

  /**
   * Waits for an end that waits for hooks. Inside a hook it returns at once, and a failure is
   * reported to those who wait for the end elsewhere.
   */
  readonly unlessWithin = (end: Promise<void>): Promise<void> => {
    if (this.#current.getStore()?.goesOn !== true) return end
    end.catch(() => undefined)
    return Promise.resolve()
  }
}
