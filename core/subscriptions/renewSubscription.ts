import { Clock, Effect, Result } from "effect"
import { empty, merge } from "../commits/Commit.ts"
import { Ids } from "../ports/Ids.ts"
import { type Guard, Store } from "../ports/Store.ts"
import { Vault } from "../ports/Vault.ts"
import { type Standing, standingAt } from "../registry/Pauses.ts"
import type { ServiceManifest } from "../registry/ServiceManifest.ts"
import { periodOf } from "../shared/Period.ts"
import { Failure } from "../shared/Failure.ts"
import type { Timestamp } from "../shared/Timestamp.ts"
import { insertInvoice, writeSubscription } from "../invoices/writeInvoice.ts"
import { collectedUntil, draft } from "../invoices/Invoice.ts"
import { type BilledPeriod, invoiceOf } from "../invoices/PeriodNumbers.ts"
import { giveUp } from "./giveUp.ts"
import {
  type CancelReason,
  machine,
  type Subscription,
  type SubscriptionEvent,
} from "../invoices/Subscription.ts"
import { termsOf } from "../invoices/SubscriptionTerms.ts"

/** The most periods that one run begins, after a long outage of the workers. */
const MOST_PERIODS = 64

/** Seconds after which the outcome of a charge is asked for again. */
const DECIDED_AFTER = 60

/** Returns why no further period begins; undefined where one begins. */
const endedBy = (
  { cancel_at_period_end }: Subscription,
  standing: Standing,
): CancelReason | undefined => {
  if (cancel_at_period_end) return "requested"
  return standing === "ended" ? "service_ended" : undefined
}

/**
 * Returns the move at the end of a period: the end, or the next period with or without an invoice.
 */
const turn = (
  subscription: Subscription,
  service: ServiceManifest | undefined,
  numberOf: (period: BilledPeriod) => string,
): SubscriptionEvent => {
  const standing = standingAt(service, subscription.current_period_end)
  const reason = endedBy(subscription, standing)
  if (reason !== undefined) {
    return { type: "cancelled", at: subscription.current_period_end, reason }
  }
  const number = subscription.period + 1
  const period = { number, ...periodOf(subscription.anchor_at, subscription.interval, number) }
  if (standing === "paused") return { type: "skipped", ...period }
  const invoice = numberOf({ of: subscription.id, number, due: period.start })
  return { type: "renewed", ...period, invoice }
}

const guardOf = (service: ServiceManifest | undefined): ReadonlyArray<Guard> =>
  service === undefined ? [] : [{ kind: "service", id: service.id, version: service.version }]

/** Begins one period, and returns the renewed subscription. */
const renew = Effect.fnUntraced(function* (subscription: Subscription, now: Timestamp) {
  const store = yield* Store
  const ids = yield* Ids
  const service = yield* store.find("service", subscription.service_id)
  const { fingerprint } = yield* Vault
  const event = turn(subscription, service, (period) => invoiceOf(period, fingerprint, ids.uuid()))
  const moved = machine.step(subscription, event)
  if (Result.isFailure(moved)) return undefined
  const { emit, record } = moved.success
  const invoice =
    event.type === "renewed"
      ? insertInvoice(draft(event.invoice, termsOf(record), now), ids, now)
      : empty
  yield* store.commit(
    merge(writeSubscription("replace", record, emit, ids, now), invoice, {
      guards: guardOf(service),
    }),
  )
  return { ...record, version: record.version + 1 }
})

/**
 * Finds the open invoice that should have ended the subscription before its period; usually none.
 */
const unpaidBefore = Effect.fnUntraced(function* ({ current_period_end, id }: Subscription) {
  const open = yield* (yield* Store).list("invoice", {
    by: { subscription: id, status: "open" },
    order: "oldest",
  })
  return open.find((invoice) => collectedUntil(invoice) <= current_period_end)
})

/**
 * Begins the periods of a subscription that are due, each with one invoice. A period that begins
 * while its service is paused is free, and a service that is deprecated before ends its
 * subscriptions, whenever the worker comes.
 * Fails with `Conflict` where the subscription changes meanwhile.
 */
export const renewSubscription = Effect.fn("renewSubscription")(function* (claimed: Subscription) {
  const now = yield* Clock.currentTimeMillis
  let subscription: Subscription | undefined = claimed
  for (let n = 0; n < MOST_PERIODS; n++) {
    if (subscription === undefined || subscription.status === "cancelled") return
    if (now < subscription.current_period_end) return
    const unpaid = yield* unpaidBefore(subscription)
    if (unpaid !== undefined) return yield* giveUp(unpaid, now)
    subscription = yield* renew(subscription, now)
  }
})

const undecided = ({ id }: Subscription) =>
  new Failure({
    code: "INVALID_TRANSITION",
    message:
      "An old invoice of the subscription is being charged. If that fails, the subscription has " +
      "ended. Cancel again when the channel has answered.",
    details: { subscription: id, action: "cancel" },
    // The charge has an outcome soon, so that this refusal is not kept under a key.
    retry_after: DECIDED_AFTER,
  })

/**
 * Begins all periods of a subscription that are due by now, and returns it as it is then: as if a
 * worker had always been there. Fails with `INVALID_TRANSITION` while the outcome of a charge
 * decides whether it goes on, and with `Conflict` as {@link renewSubscription} does.
 */
export const caughtUp = Effect.fn("caughtUp")(function* (subscription: Subscription) {
  const store = yield* Store
  const now = yield* Clock.currentTimeMillis
  let latest = subscription
  while (latest.status !== "cancelled" && latest.current_period_end <= now) {
    yield* renewSubscription(latest)
    const next: Subscription = (yield* store.find("subscription", latest.id)) ?? latest
    if (next.period === latest.period && next.status !== "cancelled") return yield* undecided(next)
    latest = next
  }
  return latest
})
