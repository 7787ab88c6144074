import { Context } from "effect"

/** On whose behalf something is done right now. */
export type Cause =
  | { readonly type: "nobody" }
  | { readonly type: "client"; readonly account: string; readonly route: string }
  | { readonly type: "worker" }
  /** `flaw` says what is wrong with a message that must never act; null for a genuine one. */
  | { readonly type: "callback"; readonly flaw: string | null }

/** Travels with the fiber, so that every commit can be traced to what caused it. */
export const CurrentCause = Context.Reference<Cause>("payport/simulator/world/CurrentCause", {
  defaultValue: () => ({ type: "nobody" }),
})
