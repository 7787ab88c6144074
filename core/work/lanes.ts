import { Clock, Effect } from "effect"
import { closeMonth } from "../billing/closeMonth.ts"
import { lookAfterChallenge } from "../challenges/lookAfterChallenge.ts"
import { forgetAllowance } from "../kyc/verifications/allowances.ts"
import { lookAfterVerification } from "../kyc/verifications/lookAfterVerification.ts"
import { lookAfterMandate } from "../installs/settleMandate.ts"
import { takeFees } from "../ledger/takeFees.ts"
import { probeListing } from "../listings/probeListing.ts"
import { lookAfterIntent } from "../payments/lookAfterIntent.ts"
import { resolveChannelRequest } from "../dispatch/resolveChannelRequest.ts"
import { type DueKind, type Records, Store, type StoreUnavailable } from "../ports/Store.ts"
import { expireRefundRequest } from "../refundRequests/moveRefundRequest.ts"
import { Revoker } from "../ports/Revoker.ts"
import { monotonicMillis, type WallClock } from "../ports/WallClock.ts"
import { executeRevocation } from "../revocations/executeRevocation.ts"
import type { Revocation } from "../revocations/Revocation.ts"
import { sellerShares } from "../revocations/sellerShares.ts"
import { purgeQuote } from "../quotes/purgeQuote.ts"
import { reconcileDay } from "../reports/reconcileDay.ts"
import { purgeService } from "../retention/purgeService.ts"
import { lookAfterInvoice } from "../subscriptions/lookAfterInvoice.ts"
import { renewSubscription } from "../subscriptions/renewSubscription.ts"
import { lookAfterTab } from "../invoices/tabs.ts"
import { SECOND, type Timestamp } from "../shared/Timestamp.ts"
import { attemptDelivery } from "../webhooks/deliveries/attemptDelivery.ts"
import { CommitsTogether } from "../webhooks/deliveries/commitsTogether.ts"
import { type Delivery, receiverOf } from "../webhooks/deliveries/Delivery.ts"
import { disableEndpoint } from "../webhooks/endpoints/disableEndpoint.ts"
import { DELIVERY_SHARES } from "../webhooks/deliveries/Share.ts"
import { EventConsumers } from "../ports/EventConsumers.ts"
import { consumeEvent } from "../webhooks/consumers/consumeEvent.ts"
import { dispatchEvent } from "../webhooks/deliveries/dispatchEvent.ts"
import type { Feed } from "../webhooks/consumers/Feed.ts"
import { type Lookups, sharedLookups } from "../webhooks/deliveries/lookups.ts"
import { attempt } from "./attempt.ts"
import { Receivers } from "./Receivers.ts"

/** How long a claimed record belongs to this worker alone, in milliseconds. */
export const LEASE = 30 * SECOND

/** No verb runs longer than this. It is begun only while this much of the lease is left. */
const LONGEST = 10 * SECOND

/** A claimed record's work. It never fails, and returns true when it was done. */
export type Job<R> = Effect.Effect<boolean, never, R>

/** The work of one kind of record. */
export interface Lane<R> {
  readonly kind: DueKind
  /** The most jobs under way at a time. */
  readonly width: number
  /** Claims up to `limit` due records, earliest first, and returns their jobs in that order. */
  readonly claim: (
    now: Timestamp,
    limit: number,
  ) => Effect.Effect<ReadonlyArray<Job<R>>, StoreUnavailable, Store | WallClock>
}

const makeLane = <K extends Exclude<DueKind, "delivery" | "event" | "feed" | "revocation">, E, R>(
  kind: K,
  width: number,
  verb: (record: Records[K]) => Effect.Effect<unknown, E, R>,
): Lane<R | WallClock> => ({
  kind,
  width,
  claim: Effect.fnUntraced(function* (now, limit) {
    const claimedAt = yield* monotonicMillis
    const store = yield* Store
    const records = yield* store.claimDue(kind, now, { limit, lease: LEASE })
    return records.map((record) => attempt(kind, record.id, whileOurs(claimedAt, verb(record))))
  }),
})

/**
 * Skips a record whose lease is about to end, because another process may hold it soon. `claimedAt`
 * is of `monotonicMillis`: a clock that is set back while a record waits for its turn would hide
 * that its lease has ended.
 */
const whileOurs = <A, E, R>(claimedAt: number, self: Effect.Effect<A, E, R>) =>
  Effect.flatMap(monotonicMillis, (now) =>
    now - claimedAt > LEASE - LONGEST ? Effect.succeed(false) : Effect.as(self, true),
  )

/**
 * Makes the lane of events. Endpoints and the list of consumers are looked up once for all events
 * of a claim, and after it, so that no receiver that was there before an event is missed.
 */
const eventLane = (width: number) => ({
  kind: "event" as const,
  width,
  claim: Effect.fnUntraced(function* (now: Timestamp, limit: number) {
    const claimedAt = yield* monotonicMillis
    const store = yield* Store
    const events = yield* store.claimDue("event", now, { limit, lease: LEASE })
    const reads = sharedLookups(store, [])
    return events.map((event) =>
      attempt("event", event.id, whileOurs(claimedAt, dispatchEvent(event, reads))),
    )
  }),
})

/**
 * Makes the lane of deliveries. No receiver has more under way than its share, so a dead or slow
 * one does not slow the others.
 */
const deliveryLane = (width: number) => {
  const receivers = new Receivers(width, DELIVERY_SHARES)
  const together = new CommitsTogether()
  const jobOf = (claimedAt: number, delivery: Delivery, reads: Lookups) => {
    const receiver = receiverOf(delivery)
    receivers.begin(receiver)
    const made = Effect.tap(attemptDelivery(delivery, reads, together), (outcome) =>
      Effect.sync(() => receivers.learn(receiver, outcome)),
    )
    return Effect.ensuring(
      attempt("delivery", delivery.id, whileOurs(claimedAt, made)),
      Effect.sync(() => receivers.end(receiver)),
    )
  }
  return {
    kind: "delivery" as const,
    width,
    claim: Effect.fnUntraced(function* (now: Timestamp, limit: number) {
      const claimedAt = yield* monotonicMillis
      const store = yield* Store
      const shares = receivers.shares()
      const deliveries = yield* store.claimDue("delivery", now, { limit, lease: LEASE, shares })
      if (deliveries.length === 0) return []
      const ids = new Set(deliveries.map(({ event_id }) => event_id))
      // An event that cannot be read fails its own deliveries, which read it again, and no others.
      const events = yield* Effect.catchDefect(store.findMany("event", [...ids]), () =>
        Effect.succeed([]),
      )
      const reads = sharedLookups(store, events)
      return deliveries.map((delivery) => jobOf(claimedAt, delivery, reads))
    }),
  }
}

/**
 * Makes the lane of revocations. A seller whose system hangs has a share of the hands, so that it
 * does not delay the revocations of all others. The time of our own commits does not count: a slow
 * store says nothing about a seller.
 */
const revocationLane = (width: number) => {
  const sellers = new Receivers(width, sellerShares(width))
  const jobOf = (claimedAt: number, revocation: Revocation) => {
    const { account_id, id } = revocation
    sellers.begin(account_id)
    // A host's revoker may be an object whose method needs it.
    const timed = (revoker: Revoker["Service"]): Revoker["Service"] => ({
      revoke: Effect.fnUntraced(function* (order) {
        const began = yield* Clock.currentTimeMillis
        const outcome = yield* revoker.revoke(order)
        sellers.learn(account_id, (yield* Clock.currentTimeMillis) - began)
        return outcome
      }),
    })
    const work = Effect.updateService(executeRevocation(revocation), Revoker, timed)
    return Effect.ensuring(
      attempt("revocation", id, whileOurs(claimedAt, work)),
      Effect.sync(() => sellers.end(account_id)),
    )
  }
  return {
    kind: "revocation" as const,
    width,
    claim: Effect.fnUntraced(function* (now: Timestamp, limit: number) {
      const claimedAt = yield* monotonicMillis
      const store = yield* Store
      const shares = sellers.shares()
      const revocations = yield* store.claimDue("revocation", now, { limit, lease: LEASE, shares })
      return revocations.map((revocation) => jobOf(claimedAt, revocation))
    }),
  }
}

/**
 * Makes the lane of feeds, for a process with consumers. A consumer that hangs uses only its share.
 */
const feedLane = (width: number) => {
  const busy = new Map<string, number>()
  const take = (consumer: string, count: number) =>
    Effect.sync(() => void busy.set(consumer, (busy.get(consumer) ?? 0) + count))
  const jobOf = (claimedAt: number, feed: Feed, most: number) =>
    Effect.suspend(() => {
      // It was claimed and not begun, so it stays untouched until its lease ends.
      if ((busy.get(feed.consumer) ?? 0) >= most) return Effect.succeed(false)
      const work = attempt("feed", feed.id, whileOurs(claimedAt, consumeEvent(feed)))
      return Effect.andThen(take(feed.consumer, 1), Effect.ensuring(work, take(feed.consumer, -1)))
    })
  return {
    kind: "feed" as const,
    width,
    claim: Effect.fnUntraced(function* (now: Timestamp, limit: number) {
      const consumers = yield* EventConsumers
      if (consumers.size === 0) return []
      const claimedAt = yield* monotonicMillis
      const most = Math.ceil(width / consumers.size)
      const feeds = yield* (yield* Store).claimDue("feed", now, { limit, lease: LEASE })
      return feeds.map((feed) => jobOf(claimedAt, feed, most))
    }),
  }
}

/**
 * Makes the lanes for all due records of the store: expiry of intents and questions about them,
 * channel requests without an answer, events to dispatch, failing endpoints to disable, deliveries
 * to attempt, deleted services and old quotes to remove, days whose fees leave the wallets, months
 * whose statements to make, statements of channels to compare with the ledger, undecided refund
 * requests, revocations to execute, verifications with due codes, checks, ends or data, mandates
 * that are not approved or whose channel has not learnt of their end, sessions that are neither
 * drawn from nor closed, unusable challenges, feeds for consumers, and listed resources to probe
 * for their price.
 */
export const makeLanes = () =>
  Object.values({
    payment_intent: makeLane("payment_intent", 64, lookAfterIntent),
    channel_request: makeLane("channel_request", 32, resolveChannelRequest),
    event: eventLane(64),
    endpoint: makeLane("endpoint", 8, disableEndpoint),
    delivery: deliveryLane(1_024),
    service: makeLane("service", 8, purgeService),
    fee_day: makeLane("fee_day", 8, takeFees),
    revocation: revocationLane(64),
    quote: makeLane("quote", 8, purgeQuote),
    reconciliation_run: makeLane("reconciliation_run", 4, reconcileDay),
    billing_cycle: makeLane("billing_cycle", 8, closeMonth),
    invoice: makeLane("invoice", 32, lookAfterInvoice),
    subscription: makeLane("subscription", 32, renewSubscription),
    tab: makeLane("tab", 32, lookAfterTab),
    verification: makeLane("verification", 32, lookAfterVerification),
    otp_allowance: makeLane("otp_allowance", 8, forgetAllowance),
    mandate: makeLane("mandate", 8, lookAfterMandate),
    challenge: makeLane("challenge", 16, lookAfterChallenge),
    feed: feedLane(32),
    listing: makeLane("listing", 16, probeListing),
    refund_request: makeLane("refund_request", 16, expireRefundRequest),
  } satisfies { readonly [K in DueKind]: { readonly kind: DueKind } })

/** A worker's lanes, with what they have learnt about receivers. */
export type Lanes = ReturnType<typeof makeLanes>

/** The services that the lanes' jobs need. */
export type JobServices = Effect.Services<
  Effect.Success<ReturnType<Lanes[number]["claim"]>>[number]
>
