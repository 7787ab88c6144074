import { Clock, Effect } from "effect"
import { Ids } from "../ports/Ids.ts"
import type { Write } from "../ports/Store.ts"
import type { LogAction, LogDetails, LogEntry } from "./LogEntry.ts"

/** The account, and who acted: the id of a key, or `operator`. */
export interface Actor {
  readonly account_id: string
  readonly actor: string
}

/** Returns the actor for a caller's key. */
export const byKey = (caller: {
  readonly account: { readonly id: string }
  readonly api_key_id: string
}): Actor => ({ account_id: caller.account.id, actor: caller.api_key_id })

/** Returns the actor for an operator, whom only the operators' own log names. */
export const byOperator = (account_id: string): Actor => ({ account_id, actor: "operator" })

/** Returns the write that logs a change of a commit for its account. */
export const logged = Effect.fnUntraced(function* (
  { account_id, actor }: Actor,
  action: LogAction,
  target: string,
  details: LogDetails = {},
) {
  const record: LogEntry = {
    id: `log_${(yield* Ids).uuid()}`,
    version: 1,
    account_id,
    at: yield* Clock.currentTimeMillis,
    actor,
    action,
    target,
    details,
  }
  return { op: "insert", kind: "log_entry", record } satisfies Write
})
