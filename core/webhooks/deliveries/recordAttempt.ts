import { Clock, Effect } from "effect"
import { type CommitPart, empty, merge } from "../../commits/Commit.ts"
import { Ids } from "../../ports/Ids.ts"
import { Store, type StoreUnavailable } from "../../ports/Store.ts"
import type { Failure } from "../../shared/Failure.ts"
import { retryConflict } from "../../idempotency/requestKey.ts"
import type { Timestamp } from "../../shared/Timestamp.ts"
import { type Delivery, isOpen, type OpenDelivery } from "./Delivery.ts"
import { deliveryReport } from "./DeliveryReport.ts"
import { afterOutcome } from "../endpoints/EndpointHealth.ts"
import { type Event, eventsFor } from "../events/Event.ts"
import type { CommitsTogether } from "./commitsTogether.ts"
import { endpointsToTell, type Lookups } from "./lookups.ts"

/** How many tries require the endpoint's latest version. */
const STRICT_TRIES = 3

/**
 * How many tries a 2xx makes to clear the endpoint's failures. Later tries store the attempt alone.
 */
const CLEARING_TRIES = 10

/**
 * Returns what the attempt changes about its endpoint: a write if it changes something, else a
 * guard of the version that was read. After several conflicts, a failure leaves the endpoint to the
 * other attempts: they report the same, or a 2xx has come in between.
 */
const healthOf = (
  { endpoint_id, status }: Delivery,
  endedAt: Timestamp,
  tries: number,
): Effect.Effect<CommitPart, StoreUnavailable, Store> => {
  const isDelivered = status === "delivered"
  const most = isDelivered ? CLEARING_TRIES : STRICT_TRIES
  if (endpoint_id === null || tries > most) return Effect.succeed(empty)
  return Effect.flatMap(Store, (store) =>
    Effect.map(store.find("endpoint", endpoint_id), (endpoint): CommitPart => {
      if (endpoint === undefined) return empty
      const record = afterOutcome(endpoint, isDelivered, endedAt)
      if (record !== undefined) return { writes: [{ op: "replace", kind: "endpoint", record }] }
      const { id, version } = endpoint
      return { guards: tries > STRICT_TRIES ? [] : [{ kind: "endpoint", id, version }] }
    }),
  )
}

/**
 * Stores the result of a delivery, the account's event about it, and what an attempt that ended at
 * `endedAt` means for the endpoint. If another worker took the delivery over meanwhile, the result
 * is added to what that worker stored, unless the delivery has ended. `together` stores a commit of
 * the delivery alone, which may wait for others. Without it there is no waiting.
 */
export const recordAttempt = Effect.fnUntraced(function* (
  claimed: OpenDelivery,
  change: (latest: OpenDelivery) => Delivery,
  endedAt: Timestamp,
  reads: Lookups,
  together?: CommitsTogether,
): Effect.fn.Return<void, Failure<"TEMPORARILY_UNAVAILABLE"> | StoreUnavailable, Ids | Store> {
  const store = yield* Store
  let latest: Delivery | undefined = claimed
  let tries = 0
  const put = Effect.gen(function* () {
    tries += 1
    const current = latest ?? (yield* store.find("delivery", claimed.id))
    latest = undefined
    if (current === undefined || !isOpen(current)) return
    const record = change(current)
    const own: CommitPart = { writes: [{ op: "replace", kind: "delivery", record }] }
    const report = deliveryReport(record)
    let events: ReadonlyArray<Event> = []
    if (report !== undefined) {
      // Only endpoints that name this event get it. Otherwise it is only logged.
      const told = yield* endpointsToTell(reads, record.account_id, report.type)
      const at = yield* Clock.currentTimeMillis
      const due_at = told.length > 0 ? at : null
      events = eventsFor(report, yield* Ids, at).map((event) => ({ ...event, due_at }))
    }
    const wasMade = record.attempts.length > current.attempts.length
    const health = wasMade ? yield* healthOf(record, endedAt, tries) : empty
    const all = merge(own, { events }, health)
    const isAlone = together === undefined || tries > 1 || all.writes.length > 1
    yield* isAlone ? store.commit(all) : together.commit(all)
  })
  yield* retryConflict(put).pipe(Effect.catchTag("ReplyTaken", Effect.die))
})
