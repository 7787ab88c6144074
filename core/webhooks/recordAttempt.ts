import { Clock, Effect } from "effect"
import { Ids } from "../ports/Ids.ts"
import { type Commit, Conflict, Store, type StoreUnavailable } from "../ports/Store.ts"
import type { Failure } from "../shared/Failure.ts"
import { retryConflict } from "../shared/retryConflict.ts"
import type { Timestamp } from "../shared/Timestamp.ts"
import { type Delivery, isOpen, type OpenDelivery } from "./Delivery.ts"
import { deliveryReport } from "./DeliveryReport.ts"
import type { Endpoint } from "./Endpoint.ts"
import { afterOutcome, disabledEvent } from "./EndpointHealth.ts"
import { eventsFor } from "./Event.ts"
import type { Lookups } from "./lookups.ts"

/** Whoever is told of deliveries asked for it by name; elsewhere the log alone is. */
const reportsOf = Effect.fnUntraced(function* (after: Delivery, at: Timestamp, reads: Lookups) {
  const report = deliveryReport(after)
  if (report === undefined) return []
  const isWanted = yield* reads.isWanted(after.account_id, report.type)
  const due_at = isWanted ? at : null
  return eventsFor(report, yield* Ids, at).map((event) => ({ ...event, due_at }))
})

/** What the attempt means for the endpoint; nothing where none was made. */
const healthOf = (
  before: OpenDelivery,
  after: Delivery,
  endpoint: Endpoint | undefined,
  at: Timestamp,
): Endpoint | undefined =>
  endpoint === undefined || after.attempts.length === before.attempts.length
    ? undefined
    : afterOutcome(endpoint, after.status === "delivered", at)

/** The commit that stores what became of a delivery, with what follows from it. */
const outcomeOf = Effect.fnUntraced(function* (
  before: OpenDelivery,
  after: Delivery,
  endpoint: Endpoint | undefined,
  reads: Lookups,
): Effect.fn.Return<Commit, StoreUnavailable, Ids> {
  const now = yield* Clock.currentTimeMillis
  const reports = yield* reportsOf(after, now, reads)
  const changed = healthOf(before, after, endpoint, now)
  const replaced = { op: "replace", kind: "delivery", record: after } as const
  if (changed === undefined) return { writes: [replaced], events: reports }
  const isOff = changed.status === "disabled" && endpoint?.status !== "disabled"
  const disabled = isOff ? eventsFor(disabledEvent(changed), yield* Ids, now) : []
  return {
    writes: [replaced, { op: "replace", kind: "endpoint", record: changed }],
    events: [...reports, ...disabled],
  }
})

const isContested = ({ reason }: Conflict): boolean =>
  reason.type === "stale_version" && reason.kind === "endpoint"

/**
 * Stores what became of a delivery, what the account's log is told of it and what it means for the
 * endpoint. Where another worker took the delivery over meanwhile, what has been done is added to
 * what that worker stored, unless the delivery has ended. Attempts at one endpoint that end at the
 * same time leave its health to the first of them, rather than be repeated for it.
 */
export const recordAttempt = Effect.fnUntraced(function* (
  claimed: OpenDelivery,
  endpoint: Endpoint | undefined,
  reads: Lookups,
  change: (latest: OpenDelivery) => Delivery,
): Effect.fn.Return<void, Failure | StoreUnavailable, Ids | Store> {
  const store = yield* Store
  let latest: Delivery | undefined = claimed
  let health = endpoint
  const put = Effect.gen(function* () {
    const current = latest ?? (yield* store.findDelivery(claimed.id))
    latest = undefined
    if (current === undefined || !isOpen(current)) return
    yield* store.commit(yield* outcomeOf(current, change(current), health, reads))
  }).pipe(
    Effect.tapError((error) =>
      Effect.sync(() => {
        if (error instanceof Conflict && isContested(error)) health = undefined
      }),
    ),
  )
  yield* retryConflict(put).pipe(Effect.catchTag("ReplyTaken", Effect.die))
})
