import { Clock, Effect } from "effect"
import { type CommitPart, merge } from "../../commits/Commit.ts"
import type { Caller } from "../../accounts/Account.ts"
import { meter } from "../../billing/Meter.ts"
import { replyWith, retryConflict } from "../../idempotency/requestKey.ts"
import { Ids } from "../../ports/Ids.ts"
import { Store } from "../../ports/Store.ts"
import { Failure } from "../../shared/Failure.ts"
import {
  type Delivery,
  deliveryView,
  firstRetryAfter,
  isOpen,
  newDelivery,
  receiverOf,
} from "./Delivery.ts"
import type { Endpoint } from "../endpoints/Endpoint.ts"
import { newestKey, ownEndpoint } from "../endpoints/ownEndpoint.ts"
import { eventsFor } from "../events/Event.ts"
import { ownDelivery } from "./showLog.ts"

const disabled = ({ id }: Endpoint) =>
  new Failure({
    code: "INVALID_TRANSITION",
    message:
      `The webhook endpoint ${id} is disabled.` +
      ` Enable it first: PATCH it with {"status": "enabled"}.`,
    details: { status: "disabled", endpoint_id: id },
  })

/**
 * The most deliveries of an event that are kept at a time, to all its receivers. A replay reads
 * them all.
 */
export const MOST_OF_EVENT = 500

const tooMany = (event_id: string) =>
  new Failure({
    code: "INVALID_TRANSITION",
    message:
      `The event ${event_id} has ${MOST_OF_EVENT} deliveries already, so it is not delivered` +
      ` again. Read it by GET /v1/events/${event_id}.`,
    details: { event_id, limit: MOST_OF_EVENT },
  })

/** Returns the caller's enabled endpoint and the id of the key to encrypt for. */
const readReceiver = Effect.fnUntraced(function* (caller: Caller, id: string) {
  const endpoint = yield* ownEndpoint(caller, id)
  if (endpoint.status === "disabled") return yield* disabled(endpoint)
  const key = endpoint.encryption ?? (yield* newestKey(caller.account.id))
  return { endpoint, key_id: key?.id ?? null }
})

const put = Effect.fnUntraced(function* (delivery: Delivery, also: CommitPart) {
  const view = deliveryView(delivery)
  const own: CommitPart = { writes: [{ op: "insert", kind: "delivery", record: delivery }] }
  yield* (yield* Store).commit(merge(own, also, yield* replyWith(view)))
  return view
})

/**
 * Returns the number of a replay's first attempt, and the commit part that keeps the replays of an
 * event in a row: each writes the event, so that of two at the same time one conflicts. An open
 * delivery is not written, since that would end the lease of the worker that makes its attempt.
 */
const numbered = Effect.fnUntraced(function* (before: Delivery) {
  const store = yield* Store
  const event = yield* store.find("event", before.event_id)
  const by = { event_id: before.event_id }
  const all = yield* store.list("delivery", { by, limit: MOST_OF_EVENT })
  if (all.length === MOST_OF_EVENT) return yield* tooMany(before.event_id)
  const same = all.filter((one) => receiverOf(one) === receiverOf(before))
  const part: CommitPart =
    event === undefined ? {} : { writes: [{ op: "replace", kind: "event", record: event }] }
  return { first_retry: firstRetryAfter(same), part }
})

/**
 * Returns the commit part that keeps the replayed delivery. An event stays as long as one of its
 * deliveries does. One that is over may be removed at the same time, and is written: a removal sees
 * no guard.
 */
const keptWith = (before: Delivery): CommitPart => {
  const { id, version } = before
  return isOpen(before)
    ? { guards: [{ kind: "delivery", id, version }] }
    : { writes: [{ op: "replace", kind: "delivery", record: before }] }
}

const replay = Effect.fnUntraced(function* (caller: Caller, id: string, made: string) {
  const before = yield* ownDelivery(caller, id)
  const { account_id, endpoint_id, event_id, event_type, service_id } = before
  const receiver = endpoint_id === null ? undefined : yield* readReceiver(caller, endpoint_id)
  const now = yield* Clock.currentTimeMillis
  const { first_retry, part } = yield* numbered(before)
  const delivery = newDelivery(
    {
      id: made,
      account_id,
      event_id,
      event_type,
      endpoint_id,
      service_id,
      url: receiver?.endpoint.url ?? before.url,
      key_id: receiver?.key_id ?? before.key_id,
      replay_of: before.id,
      first_retry,
    },
    now,
  )
  const reservations = meter(account_id, "webhook-replay", now)
  return yield* put(delivery, merge(part, keptWith(before), { reservations }))
})

/**
 * Delivers an event again to the receiver of the given delivery, whatever its state: a new delivery
 * with its own schedule, for the newest key. A delivery that was encrypted fails if no key is left.
 * Receivers that deduplicate by the event's id see a repetition. The numbers of the attempts' own
 * keys are those of no other attempt of the event at this receiver.
 *
 * Fails with `NOT_FOUND` if the endpoint is gone, and with `INVALID_TRANSITION` if it is disabled
 * or the event has too many deliveries.
 */
export const replayDelivery = Effect.fn("replayDelivery")(function* (caller: Caller, id: string) {
  const made = `wd_${(yield* Ids).uuid()}`
  return yield* retryConflict(replay(caller, id, made))
})

/**
 * Sends a `ping` to one endpoint, whichever events it enables. Fails with `INVALID_TRANSITION` if
 * the endpoint is disabled.
 */
export const testEndpoint = Effect.fn("testEndpoint")(function* (caller: Caller, id: string) {
  const { endpoint, key_id } = yield* readReceiver(caller, id)
  const ids = yield* Ids
  const now = yield* Clock.currentTimeMillis
  const [event] = eventsFor(
    {
      type: "ping",
      accounts: [caller.account.id],
      service_id: null,
      subject_id: endpoint.id,
      data: { endpoint_id: endpoint.id },
    },
    ids,
    now,
  )
  if (event === undefined) return yield* Effect.die("an account has a log")
  const delivery = newDelivery(
    {
      id: `wd_${ids.uuid()}`,
      account_id: event.account_id,
      event_id: event.id,
      event_type: event.type,
      endpoint_id: endpoint.id,
      service_id: null,
      url: endpoint.url,
      key_id,
      replay_of: null,
      first_retry: 0,
    },
    now,
  )
  return yield* retryConflict(put(delivery, { events: [{ ...event, due_at: null }] }))
})
