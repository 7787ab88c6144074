import { Clock, Duration, Effect } from "effect"
import { retryConflict } from "../../idempotency/requestKey.ts"
import { type EventConsumer, EventConsumers } from "../../ports/EventConsumers.ts"
import { Store } from "../../ports/Store.ts"
import { isId } from "../../shared/Id.ts"
import type { Event } from "../events/Event.ts"
import { type ConsumerList, CONSUMERS, guardOf } from "./ConsumerList.ts"
import { begun, CONSUMING, failed, type Feed, overtaken, passedOn, without } from "./Feed.ts"

/**
 * How many earlier events of a payment are checked for one that has not reached the feed yet. Each
 * of those was consumed only when it had none before it.
 */
const MOST_BEFORE = 20

/** How many refunds of a payment are checked, and how many refund requests. */
const MOST_REFUNDS = 100

/**
 * Replaces the feed that was read by the next one, or removes it if there is none. `list` is the
 * list of consumers if it decided that.
 */
const put = Effect.fnUntraced(function* (read: Feed, next: Feed | undefined, list?: ConsumerList) {
  const store = yield* Store
  const write =
    next === undefined
      ? ({ op: "remove", kind: "feed", record: read } as const)
      : ({ op: "replace", kind: "feed", record: next } as const)
  yield* store.commit({ writes: [write], guards: list === undefined ? [] : [guardOf(list)] })
})

/**
 * Returns the subjects of a payment's events: the payment, the invoice that it pays, its refunds
 * and its refund requests.
 */
const subjectsOf = Effect.fnUntraced(function* (about: string) {
  if (!isId("pi", about)) return [about]
  const store = yield* Store
  const query = { by: { payment_intent: about }, limit: MOST_REFUNDS }
  const refunds = yield* store.list("refund", query)
  const requests = yield* store.list("refund_request", query)
  const invoice = (yield* store.find("payment_intent", about))?.invoice ?? about
  return [about, invoice, ...[...refunds, ...requests].map(({ id }) => id)]
})

/** Returns whether an earlier event of the same payment still has to be dispatched. */
const isOvertaking = Effect.fnUntraced(function* ({ id, subject_id }: Event, about: string) {
  const by = { subject_id: [...new Set([...(yield* subjectsOf(about)), subject_id])] }
  const events = yield* (yield* Store).list("event", { by, after: id, limit: MOST_BEFORE })
  return events.some((event) => event.due_at !== null)
})

/** Decides on the feed as stored now, because another event may have come into it meanwhile. */
const decide = (id: string, next: (feed: Feed, now: number) => Feed | undefined) =>
  retryConflict(
    Effect.gen(function* () {
      const feed = yield* (yield* Store).find("feed", id)
      if (feed === undefined) return
      yield* put(feed, next(feed, yield* Clock.currentTimeMillis))
    }),
  ).pipe(Effect.catchTag("ReplyTaken", Effect.die))

/** Runs the consumer for the event. Returns false if it fails or takes too long. */
const isDealtWith = (consume: EventConsumer, event: Event, feed: Feed) =>
  Effect.suspend(() => consume(event)).pipe(
    Effect.timeout(Duration.millis(CONSUMING)),
    Effect.as(true),
    Effect.catchCause((cause) =>
      Effect.as(Effect.logWarning("A consumer failed. It will get the event again.", cause), false),
    ),
    Effect.annotateLogs({ consumer: feed.consumer, event: event.id, type: event.type }),
  )

/**
 * Gives the first event of a claimed, due feed to its consumer. A worker calls it. The event leaves
 * the feed when the consumer has handled it. It comes again if the consumer failed or its outcome
 * is unknown. Only one worker at a time works on a feed. Events that are no longer stored leave the
 * feed without being consumed.
 *
 * Fails with `Conflict` if another worker has the feed.
 */
export const consumeEvent = Effect.fn("consumeEvent")(function* (feed: Feed) {
  const store = yield* Store
  const now = yield* Clock.currentTimeMillis
  const [first] = feed.waiting
  const list = yield* store.find("consumer_list", CONSUMERS)
  if (first === undefined) return yield* put(feed, undefined)
  // What makes feeds has a list. This one was read a moment too late.
  if (list === undefined) return yield* put(feed, passedOn(feed, now))
  if (!list.names.includes(feed.consumer)) return yield* put(feed, undefined, list)
  const consume = (yield* EventConsumers).get(feed.consumer)
  if (consume === undefined) return yield* put(feed, passedOn(feed, now))
  const event = yield* store.find("event", first)
  if (event === undefined) return yield* put(feed, without(feed, first, now))
  if (yield* isOvertaking(event, feed.about)) return yield* put(feed, overtaken(feed, now))
  yield* put(feed, begun(feed, now))
  const done = yield* isDealtWith(consume, event, feed)
  yield* decide(feed.id, (latest, at) => (!done ? failed(latest, at) : without(latest, first, at)))
})
