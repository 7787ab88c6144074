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

/** So often what is known of the endpoint has to be the latest. */
const STRICT_TRIES = 3

/** So often a 2xx is to clear the endpoint's failures; then the attempt is stored alone. */
const CLEARING_TRIES = 10

/**
 * What the attempt means for its endpoint: the write where that changes something, and elsewhere
 * the version that it rests on. In a contest failures leave it to the others at the same endpoint:
 * they tell the same, or a 2xx has come in between.
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
 * Stores what became of a delivery, what the account's log is told of it and what an attempt that
 * ended at `endedAt` means for the endpoint. Where another worker took the delivery over meanwhile,
 * what has been done is added to what that worker stored, unless the delivery has ended. `together`
 * takes a commit of the delivery alone, which may wait for others; without it there is no waiting.
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
      // Whoever is told of deliveries asked for it by name; elsewhere the log alone is.
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
