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

/** A resource that a seller was paid for, and that says of itself that it may be listed. */
export interface SoldResource {
  readonly service_id: string
  readonly amount: Money
  readonly url: string
  /** Which paths it is, as the buyer says; only a probe that hears the same lists it so. */
  readonly template: string | null
  readonly method: Method
}

/**
 * Lists a resource of the caller's service that a payment was shown for. What buyers are told of it
 * comes from the resource itself, by a probe: the payment is the buyer's, and so may its words be.
 * Nothing about it fails a payment: where it cannot be listed, it is not.
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
