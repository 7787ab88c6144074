import { Effect } from "effect"
import type { Caller } from "../accounts/Account.ts"
import { Store } from "../ports/Store.ts"
import { notFound } from "../shared/Failure.ts"
import { isUuid } from "../shared/Id.ts"
import type { Money } from "../shared/Money.ts"

/** Names no key: the seller of a paid endpoint acts without one. */
const NO_KEY = "key_00000000-0000-7000-8000-000000000000"

/**
 * What one use of an active service costs by its first price, and its seller, on whose behalf a
 * paid endpoint of ours asks for that (Sandbox).
 *
 * Fails with `NOT_FOUND` for a service that is not active or has no such price.
 */
export const findOffer = Effect.fnUntraced(function* (serviceId: string) {
  const store = yield* Store
  const service = isUuid(serviceId) ? yield* store.find("service", serviceId) : undefined
  const [price] = service?.status === "active" ? (service.pricing.one_time ?? []) : []
  const account =
    service === undefined ? undefined : yield* store.find("account", service.account_id)
  if (price === undefined || account === undefined) {
    return yield* notFound("paid endpoint of a service", serviceId)
  }
  const seller: Caller = { account, api_key_id: NO_KEY }
  const amount: Money = { currency: price.currency, value: price.amount }
  return { seller, amount }
})
