import { Clock, Effect } from "effect"
import type { Ids } from "../../ports/Ids.ts"
import { Store, type StoreUnavailable } from "../../ports/Store.ts"
import type { Unsealable, Vault } from "../../ports/Vault.ts"
import type { WallClock } from "../../ports/WallClock.ts"
import { type WebhookOutcome, WebhookSender } from "../../ports/WebhookSender.ts"
import type { Failure } from "../../shared/Failure.ts"
import { afterAttempt, type Delivery, isOpen, type OpenDelivery } from "./Delivery.ts"
import type { CommitsTogether } from "./commitsTogether.ts"
import { type Lookups, lookups } from "./lookups.ts"
import { prepareAttempt } from "./prepareAttempt.ts"
import { recordAttempt } from "./recordAttempt.ts"

const make = Effect.fnUntraced(function* (
  delivery: OpenDelivery,
  reads: Lookups,
  together: CommitsTogether | undefined,
) {
  const { endpoint_id } = delivery
  const endpoint = endpoint_id === null ? undefined : yield* reads.endpoint(endpoint_id)
  const prepared = yield* prepareAttempt(delivery, endpoint, reads)
  if (prepared.type === "ended") {
    yield* recordAttempt(delivery, prepared.end, yield* Clock.currentTimeMillis, reads, together)
    return undefined
  }
  const { request, key_id } = prepared
  const sender = yield* WebhookSender
  const at = yield* Clock.currentTimeMillis
  const outcome = yield* sender.send(request)
  const endedAt = yield* Clock.currentTimeMillis
  const change = (latest: OpenDelivery) => ({
    ...afterAttempt(latest, { at, ...outcome }, endedAt),
    url: request.url,
    // Another worker may have encrypted it meanwhile, for a key that was registered since.
    key_id: latest.key_id ?? key_id,
  })
  yield* recordAttempt(delivery, change, endedAt, reads, together)
  return outcome
})

/**
 * Makes the attempt that a claimed delivery is due for, and records it. It is never made early. It
 * is skipped if the receiver is gone or disabled. It fails without being sent if the key that it
 * must be encrypted for is gone. `reads` are shared by attempts that begin together. `together`
 * stores the results of attempts that end together. A crash between sending and recording repeats
 * the attempt under the same `Idempotency-Key`.
 *
 * Returns the outcome of sending; undefined if nothing was sent. Fails with `Unsealable`, without
 * an attempt, if a secret cannot be read.
 */
export const attemptDelivery = Effect.fnUntraced(function* (
  delivery: Delivery,
  reads?: Lookups,
  together?: CommitsTogether,
): Effect.fn.Return<
  WebhookOutcome | undefined,
  Failure<"TEMPORARILY_UNAVAILABLE"> | StoreUnavailable | Unsealable,
  Ids | Store | Vault | WallClock | WebhookSender
> {
  const now = yield* Clock.currentTimeMillis
  if (!isOpen(delivery) || now < delivery.due_at) return undefined
  return yield* Effect.uninterruptible(make(delivery, reads ?? lookups(yield* Store), together))
})
