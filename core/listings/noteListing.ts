import { Effect } from "effect"
import type { Caller } from "../accounts/Account.ts"
import { retryConflict } from "../idempotency/requestKey.ts"
import { CurrentRequest } from "../idempotency/Reply.ts"
import { ReceiverAddress } from "../ports/ReceiverAddress.ts"
import { Store } from "../ports/Store.ts"
import type { Money } from "../shared/Money.ts"
import { addressOf } from "./Address.ts"
import type { Method } from "./Listing.ts"
import { writeListing } from "./writeListing.ts"

/** A resource that was paid for, and that declares that it may be listed. */
export interface SoldResource {
  readonly service_id: string
  readonly amount: Money
  readonly url: string
  /** The buyer's path template. It is listed only if a probe confirms it. */
  readonly template: string | null
  readonly method: Method
}

/**
 * Lists a resource of the caller's service after a payment for it. Buyers see only data that a
 * probe got from the resource itself, because the payment, and possibly its texts, come from a
 * buyer. A failure to list never fails the payment.
 */
export const noteListing = Effect.fn("noteListing")(function* (
  { account }: Caller,
  { amount, method, service_id, template, url }: SoldResource,
) {
  const address = addressOf(url, template)
  if (address === undefined) return
  if ((yield* ReceiverAddress).check(address.probe_url) !== undefined) return
  const store = yield* Store
  yield* retryConflict(
    Effect.gen(function* () {
      const { writes } = yield* writeListing(account, { address, amount, method, service_id })
      if (writes.length > 0) yield* store.commit({ writes })
    }),
  ).pipe(Effect.provideService(CurrentRequest, null), Effect.ignore)
})
