import { Clock, Effect } from "effect"
import { byKey, logged } from "../../accountLog/logged.ts"
import type { Caller } from "../../accounts/Account.ts"
import { Store } from "../../ports/Store.ts"
import { retryConflict } from "../../idempotency/requestKey.ts"
import { change, endpointView } from "./Endpoint.ts"
import type { EndpointChange } from "./EndpointInput.ts"
import { makeEndpointKey } from "./makeEndpointKey.ts"
import { checkReceiver, newestKey, ownEndpoint } from "./ownEndpoint.ts"

/**
 * Changes the given fields of an endpoint (Webhook management). The deliveries of a disabled
 * endpoint are skipped as they fall due. An endpoint that is enabled again gets events from then
 * on.
 */
export const changeEndpoint = Effect.fn("changeEndpoint")(function* (
  caller: Caller,
  id: string,
  input: EndpointChange,
) {
  const store = yield* Store
  const { encryption, ...named } = input
  const key = encryption ? yield* makeEndpointKey(encryption.public_key) : encryption

  return yield* retryConflict(
    Effect.gen(function* () {
      const endpoint = yield* ownEndpoint(caller, id)
      if (input.url !== undefined) yield* checkReceiver(input.url)
      const said = { ...named, ...(key !== undefined && { encryption: key }) }
      const changed = change(endpoint, said, yield* Clock.currentTimeMillis)
      const view = endpointView(changed, yield* newestKey(caller.account.id))
      if (changed === endpoint) return view
      const { status, url } = changed
      yield* store.commit({
        writes: [
          { op: "replace", kind: "endpoint", record: changed },
          yield* logged(byKey(caller), "webhook_endpoint.changed", id, { status, url }),
        ],
      })
      return view
    }),
  )
})
