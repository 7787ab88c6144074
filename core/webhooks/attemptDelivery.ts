import { Clock, Effect } from "effect"
import { Ids } from "../ports/Ids.ts"
import { type Commit, Store, type StoreUnavailable } from "../ports/Store.ts"
import type { Unsealable, Vault } from "../ports/Vault.ts"
import type { WallClock } from "../ports/WallClock.ts"
import { type WebhookOutcome, WebhookSender } from "../ports/WebhookSender.ts"
import type { Failure } from "../shared/Failure.ts"
import { retryConflict } from "../shared/retryConflict.ts"
import type { Timestamp } from "../shared/Timestamp.ts"
import { afterAttempt, type Delivery, isOpen, type OpenDelivery } from "./Delivery.ts"
import { deliveryReport } from "./DeliveryReport.ts"
import { type Event, eventsFor } from "./Event.ts"
import { prepareAttempt } from "./prepareAttempt.ts"

/** What the account's log is told of it. */
const reportsOf = Effect.fnUntraced(function* (after: Delivery, at: Timestamp) {
  const report = deliveryReport(after)
  if (report === undefined) return []
  return eventsFor(report, yield* Ids, at).map((event) => ({ ...event, due_at: null }))
})

/** The commit that stores what became of a delivery, with what follows from it. */
const outcomeOf = Effect.fnUntraced(function* (
  after: Delivery,
): Effect.fn.Return<Commit, never, Ids> {
  const now = yield* Clock.currentTimeMillis
  return {
    writes: [{ op: "replace", kind: "delivery", record: after }],
    events: yield* reportsOf(after, now),
  }
})

/**
 * Stores what became of a delivery. Where another worker took it over meanwhile, what has been done
 * is added to what that worker stored, unless the delivery has ended.
 */
const record = Effect.fnUntraced(function* (
  claimed: OpenDelivery,
  change: (latest: OpenDelivery) => Delivery,
) {
  const store = yield* Store
  let latest: Delivery | undefined = claimed
  const put = Effect.gen(function* () {
    const current = latest ?? (yield* store.findDelivery(claimed.id))
    latest = undefined
    if (current === undefined || !isOpen(current)) return
    yield* store.commit(yield* outcomeOf(change(current)))
  })
  yield* retryConflict(put).pipe(Effect.catchTag("ReplyTaken", Effect.die))
})

const make = Effect.fnUntraced(function* (delivery: OpenDelivery, event: Event | undefined) {
  const prepared = yield* prepareAttempt(delivery, event)
  if (prepared.type === "ended") {
    yield* record(delivery, prepared.end)
    return undefined
  }
  const { request, key_id } = prepared
  const sender = yield* WebhookSender
  const at = yield* Clock.currentTimeMillis
  const outcome = yield* sender.send(request)
  const endedAt = yield* Clock.currentTimeMillis
  yield* record(delivery, (latest) => ({
    ...afterAttempt(latest, { at, ...outcome }, endedAt),
    url: request.url,
    key_id,
  }))
  return outcome
})

/**
 * Makes the attempt that a claimed delivery is due for, and records it: never before it is due,
 * skipped where its receiver is gone or disabled, and failed without being sent where the key is
 * gone that it has to be encrypted for. `known` is its event, where that has been read already. A
 * crash between sending and recording repeats the attempt under the same `Idempotency-Key`.
 *
 * Returns what came of sending; undefined where nothing was sent. Fails with `Unsealable`, without
 * an attempt, when a secret cannot be read.
 */
export const attemptDelivery = Effect.fn("attemptDelivery")(function* (
  delivery: Delivery,
  known?: Event,
): Effect.fn.Return<
  WebhookOutcome | undefined,
  Failure | StoreUnavailable | Unsealable,
  Ids | Store | Vault | WallClock | WebhookSender
> {
  const now = yield* Clock.currentTimeMillis
  if (!isOpen(delivery) || now < delivery.due_at) return undefined
  const store = yield* Store
  const event = known ?? (yield* store.findEvent(delivery.event_id))
  return yield* Effect.uninterruptible(make(delivery, event))
})
