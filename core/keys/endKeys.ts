import { Effect } from "effect"
import type { ApiKey } from "../accounts/ApiKey.ts"
import type { LogDetails } from "../accountLog/LogEntry.ts"
import { type Actor, logged } from "../accountLog/logged.ts"
import { Ids } from "../ports/Ids.ts"
import { Store, type Write } from "../ports/Store.ts"
import type { Timestamp } from "../shared/Timestamp.ts"
import { eventsFor } from "../webhooks/events/Event.ts"
import { keyEvent } from "./KeyEvent.ts"
import { issuedBy } from "../accounts/KeyRules.ts"

/** Finds the working keys that the key has issued, directly or through others. */
export const workingIssuedBy = Effect.fnUntraced(function* (key: ApiKey, now: Timestamp) {
  const all = yield* (yield* Store).list("api_key", { by: { account_id: key.account_id } })
  return issuedBy(all, key.id).filter(
    ({ expires_at, revoked_at }) =>
      revoked_at === null && (expires_at === null || now < expires_at),
  )
})

/** Returns the commit part that revokes keys now, with their events and log entries. */
export const ending = Effect.fnUntraced(function* (
  keys: ReadonlyArray<ApiKey>,
  by: Actor,
  now: Timestamp,
  more: LogDetails = {},
) {
  const ids = yield* Ids
  const revoked = keys.map((key): ApiKey => ({ ...key, revoked_at: now }))
  const entries = yield* Effect.forEach(revoked, ({ hint, id, minted_by }) =>
    logged(by, "api_key.revoked", id, { hint, minted_by, ...more }),
  )
  return {
    writes: [
      ...revoked.map((record): Write => ({ op: "replace", kind: "api_key", record })),
      ...entries,
    ],
    events: revoked.flatMap((key) =>
      eventsFor(keyEvent("api_key.revoked", key, by.actor), ids, now),
    ),
  }
})
