import { Clock, Effect } from "effect"
import { Store, type StoreUnavailable } from "../ports/Store.ts"
import { type Unsealable, Vault } from "../ports/Vault.ts"
import { WallClock } from "../ports/WallClock.ts"
import { WebhookSender } from "../ports/WebhookSender.ts"
import type { Failure } from "../shared/Failure.ts"
import { retryConflict } from "../shared/retryConflict.ts"
import { afterAttempt, type Delivery, isPending, type PendingDelivery, skip } from "./Delivery.ts"
import { eventBody } from "./Envelope.ts"
import { SERVICE_ENDPOINT } from "./Schedule.ts"
import { accountSecrets } from "./signingSecrets.ts"
import { paymentHeaders } from "./Signature.ts"

/** What an attempt needs; undefined when there is no receiver or nothing to tell any more. */
const readParts = Effect.fnUntraced(function* (delivery: Delivery) {
  const store = yield* Store
  const [event, service, account] = yield* Effect.all(
    [
      store.findEvent(delivery.event_id),
      store.findService(delivery.service_id),
      store.findAccount(delivery.account_id),
    ],
    { concurrency: "unbounded" },
  )
  return event === undefined ||
    account === undefined ||
    service === undefined ||
    service.status === "deleted"
    ? undefined
    : { event, account, url: service.endpoint }
})

/** Signs the event for this attempt and sends it to where the service's endpoint is now. */
const send = Effect.fnUntraced(function* (delivery: PendingDelivery) {
  const parts = yield* readParts(delivery)
  if (parts === undefined) return undefined
  const vault = yield* Vault
  const sender = yield* WebhookSender
  const { account, event, url } = parts
  const secrets = yield* accountSecrets(account)
  const body = eventBody(event)
  const signatures = paymentHeaders(vault.hmac, secrets, {
    event_id: event.id,
    retry: delivery.attempts.length,
    body,
    at: yield* (yield* WallClock).now,
  })
  const headers = { "Content-Type": "application/json", ...signatures }
  const at = yield* Clock.currentTimeMillis
  const outcome = yield* sender.send({ url, headers, body })
  const endedAt = yield* Clock.currentTimeMillis
  return (latest: PendingDelivery): Delivery => ({
    ...afterAttempt(latest, { at, ...outcome }, SERVICE_ENDPOINT, endedAt),
    url,
  })
})

/**
 * Stores what became of a delivery. Where another worker took it over meanwhile, what has been done
 * is added to what that worker stored, unless the delivery has ended.
 */
const record = Effect.fnUntraced(function* (
  claimed: PendingDelivery,
  change: (latest: PendingDelivery) => Delivery,
) {
  const store = yield* Store
  let latest: Delivery | undefined = claimed
  const put = Effect.gen(function* () {
    const current = latest ?? (yield* store.findDelivery(claimed.id))
    latest = undefined
    if (current === undefined || !isPending(current)) return
    yield* store.commit({
      writes: [{ op: "replace", kind: "delivery", record: change(current) }],
    })
  })
  yield* retryConflict(put).pipe(Effect.catchTag("ReplyTaken", Effect.die))
})

/**
 * Makes the attempt that a claimed delivery is due for, and records it: never before it is due, and
 * skipped where the service is gone. A crash between sending and recording repeats the attempt
 * under the same `Idempotency-Key`. Fails with `Unsealable`, without an attempt, when the account's
 * secret cannot be read.
 */
export const attemptDelivery = Effect.fn("attemptDelivery")(function* (
  delivery: Delivery,
): Effect.fn.Return<
  void,
  Failure | StoreUnavailable | Unsealable,
  Store | Vault | WallClock | WebhookSender
> {
  const now = yield* Clock.currentTimeMillis
  if (!isPending(delivery) || now < delivery.due_at) return
  const made = Effect.flatMap(send(delivery), (change) => record(delivery, change ?? skip))
  yield* Effect.uninterruptible(made)
})
