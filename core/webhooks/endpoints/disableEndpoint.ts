import { Clock, Effect } from "effect"
import { Ids } from "../../ports/Ids.ts"
import { Store } from "../../ports/Store.ts"
import type { Endpoint } from "./Endpoint.ts"
import { afterPatience, disabledEvent } from "./EndpointHealth.ts"
import { eventsFor } from "../events/Event.ts"

/**
 * Disables a claimed endpoint that has failed for five days without a 2xx (Delivery and retry
 * rules), and tells its account. Fails with `Conflict` if a 2xx, its account or another worker came
 * first.
 */
export const disableEndpoint = Effect.fn("disableEndpoint")(function* (claimed: Endpoint) {
  const now = yield* Clock.currentTimeMillis
  const record = afterPatience(claimed, now)
  if (record === undefined) return
  const store = yield* Store
  yield* store.commit({
    writes: [{ op: "replace", kind: "endpoint", record }],
    events: eventsFor(disabledEvent(record), yield* Ids, now),
  })
})
