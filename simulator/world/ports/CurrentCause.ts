import { Context } from "effect"
import type { Commit } from "../../../core/ports/Store.ts"

/** What causes the current action. */
export type Cause =
  | { readonly type: "nobody" }
  | {
      readonly type: "client"
      readonly account: string
      readonly route: string
      /** The Idempotency-Key of the request. */
      readonly key?: string
      /** The request's body, if it is about a payment. */
      readonly body?: unknown
    }
  | { readonly type: "worker" }
  /**
   * `flaw` says what is wrong with a message that must never take effect; null for a genuine one.
   * `message` names it by its channel, trade and status, equal for all its copies.
   */
  | { readonly type: "callback"; readonly flaw: string | null; readonly message: string }

/** Travels with the fiber, so that every commit can be attributed to its cause. */
export const CurrentCause = Context.Reference<Cause>("payport/simulator/world/CurrentCause", {
  defaultValue: () => ({ type: "nobody" }),
})

/** The commit that a process has asked the store for, to be compared with the stored one. */
export const AskedCommit = Context.Reference<Commit | undefined>(
  "payport/simulator/world/AskedCommit",
  { defaultValue: () => undefined },
)
