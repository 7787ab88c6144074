import { Clock, Effect } from "effect"
import { type CommitPart, type Conflict, merge, type Write } from "../commits/Commit.ts"
import { catchConflict } from "../commits/catchConflict.ts"
import type { Kind, Records } from "../commits/Records.ts"
import type { ChannelRequest } from "../gateway/ChannelRequest.ts"
import { type ArchivedKind, ArchivedUntil } from "../ports/ArchivedUntil.ts"
import { Store } from "../ports/Store.ts"
import { drawnAt } from "../shared/Id.ts"
import type { Timestamp } from "../shared/Timestamp.ts"
import { isOpen } from "../webhooks/deliveries/Delivery.ts"
import type { Event } from "../webhooks/events/Event.ts"
import { MOST_ASKS, type PaymentIntent } from "./PaymentIntent.ts"
import { countOfFull, MOST_UNPAID } from "./UnpaidPayments.ts"
import { removed, writeIntent } from "./writeIntent.ts"

const remove =
  <K extends Kind>(kind: K) =>
  (record: Records[K]): Write =>
    ({ op: "remove", kind, record }) as Write

/** Returns those of the records that need not wait for the archive. */
const archivedOf = Effect.fnUntraced(function* <K extends ArchivedKind>(
  kind: K,
  records: ReadonlyArray<Records[K]>,
) {
  const until = yield* (yield* ArchivedUntil)(kind)
  return records.filter(({ id }) => drawnAt(id) < until)
})

const hasAnswer = ({ status }: ChannelRequest): boolean => status === "done" || status === "refused"

/**
 * Returns the removal of a payment's events and their deliveries, unless some are still to be
 * delivered or archived. It also removes the channel requests, all answered for good, and the
 * callbacks, unless they are to be archived. What stays leaves by its age.
 */
const traces = Effect.fnUntraced(function* (
  { id }: PaymentIntent,
  requests: ReadonlyArray<ChannelRequest>,
) {
  const store = yield* Store
  const about = (subjects: ReadonlyArray<string>) =>
    store.list("event", { by: { subject_id: subjects } })
  const of = (events: ReadonlyArray<Event>) =>
    store.list("delivery", { by: { event_id: events.map((event) => event.id) } })
  const told = yield* about([id])
  const delivered = yield* of(told)
  const reports = yield* about(delivered.map((delivery) => delivery.id))
  const events = [...told, ...reports]
  const deliveries = [...delivered, ...(yield* of(reports))]
  const heard = yield* store.list("callback", { by: { payment_intent: id } })
  const isArchived =
    (yield* archivedOf("event", events)).length === events.length &&
    (yield* archivedOf("delivery", deliveries)).length === deliveries.length
  const isOver =
    isArchived && !deliveries.some(isOpen) && events.every(({ due_at }) => due_at === null)
  const asked = yield* archivedOf("channel_request", requests)
  const answered = yield* archivedOf("callback", heard)
  return merge(
    isOver
      ? { writes: [...events.map(remove("event")), ...deliveries.map(remove("delivery"))] }
      : {},
    { writes: [...asked.map(remove("channel_request")), ...answered.map(remove("callback"))] },
  )
})

/**
 * Returns the removal of a payment that its payer never began. A payment stays for good if late
 * money came and went back, because that is in the books. It also stays if its channel has not said
 * that it has closed a charge: a refused closing means that a payer has paid, and only the payment
 * can send that money back.
 */
const leaving = Effect.fnUntraced(function* (intent: PaymentIntent, now: Timestamp) {
  const store = yield* Store
  const { id: payment_intent, payee_account_id: account_id } = intent
  const rows = yield* store.listPostings({ account_id, payment_intent, limit: 1 })
  const requests = yield* store.list("channel_request", { by: { payment_intent } })
  const isOver = rows.length === 0 && requests.every(hasAnswer)
  if (isOver) return merge(removed(intent), yield* traces(intent, requests))
  return yield* writeIntent(intent, { ...intent, channel_asks: MOST_ASKS }, now)
})

/** Removes payments that their payers never began, and their traces, in one commit. */
export const leave = Effect.fnUntraced(function* (intents: ReadonlyArray<PaymentIntent>) {
  const now = yield* Clock.currentTimeMillis
  const parts: ReadonlyArray<CommitPart> = yield* Effect.forEach(
    intents,
    (intent) => leaving(intent, now),
    { concurrency: 8 },
  )
  yield* (yield* Store).commit(merge(...parts))
})

/** How many payments are removed at a time, so that simultaneous creations do it once. */
const BATCH = 100

/**
 * Stores one more payment that will be removed, with `commit`. If the account has as many as its
 * plan keeps, the oldest are removed first. An account whose plan was larger before has more. They
 * are removed as others come. The count never exceeds that, however many processes do this at once.
 */
export const amongUnpaid = Effect.fnUntraced(function* <E, R>(
  accountId: string,
  commit: (most: number) => Effect.Effect<void, E | Conflict, R>,
) {
  const store = yield* Store
  const account = yield* store.find("account", accountId)
  const most = MOST_UNPAID[account?.plan ?? "starter"]
  yield* catchConflict(
    (reason) => countOfFull(accountId, reason) !== undefined,
    ({ reason }) =>
      Effect.gen(function* () {
        const oldest = yield* store.listUnpaid(accountId, BATCH)
        // Another process has already made room.
        yield* Effect.catchTag(leave(oldest), "Conflict", () => Effect.void)
        yield* commit(Math.max(most, countOfFull(accountId, reason) ?? 0))
      }),
  )(commit(most))
})
