import { Effect } from "effect"
import type { Caller } from "../accounts/Account.ts"
import { Store } from "../ports/Store.ts"
import type { ServiceManifest } from "../registry/ServiceManifest.ts"
import { notFound } from "../shared/Failure.ts"
import { isUuid } from "../shared/Id.ts"
import type { Money } from "../shared/Money.ts"

/** Names no key: the seller of a paid endpoint acts without one. */
const NO_KEY = "key_00000000-0000-7000-8000-000000000000"

/** Returns the seller of a service, for whom our own endpoint takes a payment. */
export const sellerOf = Effect.fnUntraced(function* ({ account_id }: ServiceManifest) {
  const account = yield* (yield* Store).find("account", account_id)
  return account && ({ account, api_key_id: NO_KEY } satisfies Caller)
})

/**
 * Returns the first price of one use of an active service, and its seller, for whom our own paid
 * endpoint requires the payment (Sandbox).
 *
 * Fails with `NOT_FOUND` for a service that is not active or has no such price.
 */
export const findOffer = Effect.fnUntraced(function* (serviceId: string) {
  const store = yield* Store
  const service = isUuid(serviceId) ? yield* store.find("service", serviceId) : undefined
  const [price] = service?.status === "active" ? (service.pricing.one_time ?? []) : []
  const seller = service && (yield* sellerOf(service))
  if (price === undefined || seller === undefined) {
    return yield* notFound("paid endpoint of a service", serviceId)
  }
  const amount: Money = { currency: price.currency, value: price.amount }
  return { seller, amount }
})
