import { Clock, Effect } from "effect"
import type { Caller } from "../accounts/Account.ts"
import type { Posting } from "../ledger/Posting.ts"
import { findVisible } from "../payments/access.ts"
import { asOf } from "../payments/Lifecycle.ts"
import { Store } from "../ports/Store.ts"
import { timelineOf } from "./TimelineView.ts"

/** The most records of each kind that are shown; few payments have more. */
const MOST = 200

/** The oldest records, and one more that tells whether there are others. */
const OLDEST = { order: "oldest", limit: MOST + 1 } as const

/** Returns the oldest rows, without the journal whose further rows were not read. */
const wholeJournals = (rows: ReadonlyArray<Posting>): ReadonlyArray<Posting> => {
  const next = rows[MOST]
  return rows.slice(0, MOST).filter(({ journal }) => journal !== next?.journal)
}

/**
 * Shows what happened to a payment to one of its parties: its own events, deliveries and postings,
 * and the refunds and revocations of both. Only the payee sees requests to the channel and its
 * messages.
 *
 * Fails with `NOT_FOUND`.
 */
export const showTimeline = Effect.fn("showTimeline")(function* (caller: Caller, id: string) {
  const intent = yield* findVisible(caller, id)
  const store = yield* Store
  const account_id = caller.account.id
  const by = { payment_intent: intent.id }
  const isPayee = account_id === intent.payee_account_id
  const [requests, callbacks, refunds, asked, postings] = yield* Effect.all(
    [
      isPayee ? store.list("channel_request", { by, ...OLDEST }) : Effect.succeed([]),
      isPayee ? store.list("callback", { by, ...OLDEST }) : Effect.succeed([]),
      store.list("refund", { by, ...OLDEST }),
      store.list("refund_request", { by, ...OLDEST }),
      store.listPostings({ account_id, payment_intent: intent.id, ...OLDEST }),
    ],
    { concurrency: "unbounded" },
  )
  const given = refunds.map((refund) => refund.id)
  const subject_id = [intent.id, ...given, ...asked.map((request) => request.id)]
  const [events, revocations] = yield* Effect.all(
    [
      store.list("event", { by: { subject_id, account_id }, ...OLDEST }),
      refunds.length > 0
        ? store.list("revocation", { by: { refund: given }, ...OLDEST })
        : Effect.succeed([]),
    ],
    { concurrency: "unbounded" },
  )
  const event_id = events.map((event) => event.id)
  const deliveries =
    event_id.length === 0
      ? []
      : yield* store.list("delivery", { by: { event_id, account_id }, ...OLDEST })
  const now = yield* Clock.currentTimeMillis
  const found = { requests, callbacks, refunds, asked, revocations, postings, events, deliveries }
  return {
    data: timelineOf({
      intent: asOf(intent, now),
      requests: requests.slice(0, MOST),
      callbacks: callbacks.slice(0, MOST),
      refunds: refunds.slice(0, MOST),
      revocations: revocations.slice(0, MOST),
      postings: wholeJournals(postings),
      events: events.slice(0, MOST),
      deliveries: deliveries.slice(0, MOST),
    }),
    complete: Object.values(found).every((records) => records.length <= MOST),
  }
})
