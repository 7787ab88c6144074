import { Clock, Effect } from "effect"
import { type CommitPart, type Conflict, merge, type Write } from "../commits/Commit.ts"
import { catchConflict } from "../commits/catchConflict.ts"
import type { Kind, Records } from "../commits/Records.ts"
import type { ChannelRequest } from "../gateway/ChannelRequest.ts"
import { Store } from "../ports/Store.ts"
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

const hasAnswer = ({ status }: ChannelRequest): boolean => status === "done" || status === "refused"

/**
 * The removal of what told of a payment, with the reports of that, unless some of it is still to be
 * delivered, of what its channels were asked and have answered for good, and of what they said.
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
  const isOver = !deliveries.some(isOpen) && events.every(({ due_at }) => due_at === null)
  return merge(
    isOver
      ? { writes: [...events.map(remove("event")), ...deliveries.map(remove("delivery"))] }
      : {},
    { writes: [...requests.map(remove("channel_request")), ...heard.map(remove("callback"))] },
  )
})

/**
 * The removal of a payment that nobody has begun to make. One for which money came too late and
 * went back is in the books, and stays for good. So does one whose channel has not said that it has
 * closed a charge: where that is refused, a payer has paid, and only the payment can send it back.
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

/** Removes payments that nobody has begun to make, and what tells of them, all in one commit. */
export const leave = Effect.fnUntraced(function* (intents: ReadonlyArray<PaymentIntent>) {
  const now = yield* Clock.currentTimeMillis
  const parts: ReadonlyArray<CommitPart> = yield* Effect.forEach(
    intents,
    (intent) => leaving(intent, now),
    { concurrency: 8 },
  )
  yield* (yield* Store).commit(merge(...parts))
})

/** How many make room at a time: those that come at once look for it once. */
const BATCH = 100

/**
 * Stores with `commit` one more payment that is to leave. Where the account has as many as its plan
 * keeps, the oldest leave first; an account whose plan was larger before has more, and they leave
 * as others come. However many processes do so at once, there are never more than that.
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
        // Whoever was faster has made the room.
        yield* Effect.catchTag(leave(oldest), "Conflict", () => Effect.void)
        yield* commit(Math.max(most, countOfFull(accountId, reason) ?? 0))
      }),
  )(commit(most))
})
