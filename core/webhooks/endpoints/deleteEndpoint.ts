import { Effect } from "effect"
import { byKey, logged } from "../../accountLog/logged.ts"
import type { Caller } from "../../accounts/Account.ts"
import { Store } from "../../ports/Store.ts"
import { retryConflict } from "../../idempotency/requestKey.ts"
import { ownEndpoint } from "./ownEndpoint.ts"

/** Removes an endpoint of the caller's account with its secret. */
export const deleteEndpoint = Effect.fn("deleteEndpoint")(function* (caller: Caller, id: string) {
  const store = yield* Store
  return yield* retryConflict(
    Effect.gen(function* () {
      const record = yield* ownEndpoint(caller, id)
      yield* store.commit({
        writes: [
          { op: "remove", kind: "endpoint", record },
          yield* logged(byKey(caller), "webhook_endpoint.deleted", id, { url: record.url }),
        ],
      })
      return { id, deleted: true } as const
    }),
  )
})
