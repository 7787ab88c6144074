import { Context } from "effect"
import type { Commit } from "../../../core/ports/Store.ts"

/** On whose behalf something is done right now. */
export type Cause =
  | { readonly type: "nobody" }
  | {
      readonly type: "client"
      readonly account: string
      readonly route: string
      /** The Idempotency-Key of the request. */
      readonly key?: string
      /** What the request says, where it is one of a payment's. */
      readonly body?: unknown
    }
  | { readonly type: "worker" }
  /**
   * `flaw` says what is wrong with a message that must never act; null for a genuine one. `message`
   * names it by its channel, trade and status: that of all its copies.
   */
  | { readonly type: "callback"; readonly flaw: string | null; readonly message: string }

/** Travels with the fiber, so that every commit can be traced to what caused it. */
export const CurrentCause = Context.Reference<Cause>("payport/simulator/world/CurrentCause", {
  defaultValue: () => ({ type: "nobody" }),
})

/** What a process has asked the store to commit, for whoever sees what the store then takes. */
export const AskedCommit = Context.Reference<Commit | undefined>(
  "payport/simulator/world/AskedCommit",
  { defaultValue: () => undefined },
)
