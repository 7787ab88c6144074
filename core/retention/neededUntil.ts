import { Effect } from "effect"
import { find } from "../channels/Channel.ts"
import { hasUnbilled } from "../invoices/closeTabs.ts"
import { hasEnded, type PaymentIntent } from "../payments/PaymentIntent.ts"
import { remaining } from "../payments/Refunded.ts"
import { Installation } from "../ports/Installation.ts"
import { Store } from "../ports/Store.ts"
import { refundableUntil } from "../refunds/RefundRules.ts"
import type { ServiceManifest } from "../registry/ServiceManifest.ts"
import { DAY, type Timestamp } from "../shared/Timestamp.ts"

/** The most payments that are read at once. */
const PAGE = 100

/** How long after its creation a payment is captured at the latest, in milliseconds. */
const UNTIL_CAPTURED = 60 * DAY

/** How long something that is under way keeps the manifest until the next look, in milliseconds. */
const NEXT_LOOK = DAY

/** The payments that can be refunded, or that may become such. */
const STATUSES: ReadonlyArray<PaymentIntent["status"]> = [
  "pending",
  "qr_generated",
  "scanning",
  "authorized",
  "debiting",
  "capturing",
  "captured",
  "succeeded",
  "completed",
]

/**
 * Returns the payments of which a refund is pending that gives back all that is left. If it fails,
 * the payment can be refunded again.
 */
const refunding = Effect.fnUntraced(function* (page: ReadonlyArray<PaymentIntent>) {
  const whole = page.filter((payment) => payment.refunded.value > 0 && remaining(payment) === 0)
  if (whole.length === 0) return new Set<string>()
  const by = { payment_intent: whole.map(({ id }) => id) }
  const refunds = yield* (yield* Store).list("refund", { by })
  const pending = refunds.filter(({ status }) => status === "pending")
  return new Set(pending.map(({ payment_intent }) => payment_intent))
})

/** Returns until when the newest payment that can still be refunded keeps its manifest. */
const refundable = Effect.fnUntraced(function* (
  { account_id, id: service_id }: ServiceManifest,
  now: Timestamp,
) {
  const store = yield* Store
  const { catalog } = yield* Installation
  const window = Math.max(0, ...catalog.map(({ refunds }) => refunds.window_days)) * DAY
  const query = { viewer: account_id, service_id, statuses: STATUSES, limit: PAGE, now }
  let page = yield* store.listIntents(query)
  while (page.length > 0) {
    const pending = yield* refunding(page)
    for (const payment of page) {
      // A channel that is out of use may come back, but no window of today lasts longer than this.
      const last = payment.created_at + UNTIL_CAPTURED + window
      if (last < now) return undefined
      const until =
        refundableUntil(payment, find(catalog, payment.channel ?? "")) ??
        (hasEnded(payment) && !pending.has(payment.id) ? undefined : now + NEXT_LOOK)
      if (until !== undefined && until >= now) return Math.min(until, last) + 1
    }
    page = yield* store.listIntents({ ...query, starting_after: page.at(-1)?.id ?? "" })
  }
  return undefined
})

/**
 * Tells whether a revocation of the service is pending, whose attempts need the manifest's policy.
 */
const isRevoking = Effect.fnUntraced(function* (service_id: string) {
  const by = { service_id, status: "pending" } as const
  return (yield* (yield* Store).list("revocation", { by, limit: 1 })).length > 0
})

/**
 * Returns until when a deleted manifest is still needed: while a tab of the service is not billed
 * or an invoice is open, whose payments need it, while a payment can be refunded, since the refund
 * revokes by its policy, and while such a revocation is pending. Undefined if nothing needs it.
 */
export const neededUntil = Effect.fnUntraced(function* (manifest: ServiceManifest, now: Timestamp) {
  const { account_id: viewer, id: service_id } = manifest
  if (yield* hasUnbilled(service_id)) return now + NEXT_LOOK
  if (yield* isRevoking(service_id)) return now + NEXT_LOOK
  const store = yield* Store
  const page = { limit: 1, offset: 0 }
  const open = yield* store.listInvoices({ viewer, service_id, status: "open", ...page })
  return open.data.length > 0 ? now + NEXT_LOOK : yield* refundable(manifest, now)
})
