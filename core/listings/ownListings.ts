import { Effect } from "effect"
import { byKey, logged } from "../accountLog/logged.ts"
import type { Caller } from "../accounts/Account.ts"
import { replyWith, retryConflict } from "../idempotency/requestKey.ts"
import { ReceiverAddress } from "../ports/ReceiverAddress.ts"
import { Store } from "../ports/Store.ts"
import { Failure, notFound } from "../shared/Failure.ts"
import { isUuid } from "../shared/Id.ts"
import { readOwn, readPage } from "../shared/ownRecords.ts"
import { addressOf } from "./Address.ts"
import type { ListListingsQuery, ListResourceInput } from "./ListingInput.ts"
import { listingView } from "./ListingView.ts"
import { writeListing } from "./writeListing.ts"

const badAddress = (constraint: string) =>
  new Failure({
    code: "INVALID_URL",
    field: "resource",
    message: `The field resource is not valid: ${constraint}.`,
    details: { field: "resource", constraint },
  })

/**
 * Returns the address of a resource that its seller lists. Fails with `INVALID_URL` if it cannot be
 * probed.
 */
const addressIn = Effect.fnUntraced(function* (url: string) {
  const address = addressOf(url, null)
  if (address === undefined) return yield* badAddress("must be an HTTPS URL of a resource")
  const reason = (yield* ReceiverAddress).check(address.probe_url)
  return reason === undefined ? address : yield* badAddress(reason)
})

/**
 * Lists a resource of the caller's active service, or updates the price of its listing. Buyers find
 * it once a probe has confirmed that it asks for that price.
 *
 * Fails with `NOT_FOUND` for a service that is not the caller's or not active, with `INVALID_URL`,
 * and with `PLAN_LIMIT_EXCEEDED` where the account has the most listings.
 */
export const listResource = Effect.fn("listResource")(function* (
  { account }: Caller,
  { amount, method = "GET", resource, service_id }: ListResourceInput,
) {
  const store = yield* Store
  const address = yield* addressIn(resource)
  const service = isUuid(service_id) ? yield* store.find("service", service_id) : undefined
  if (service?.account_id !== account.id || service.status !== "active") {
    return yield* notFound("active service", service_id)
  }
  return yield* retryConflict(
    Effect.gen(function* () {
      const { record, writes } = yield* writeListing(account, {
        address,
        amount,
        method,
        service_id,
      })
      const view = listingView(record)
      yield* store.commit({ writes, ...(yield* replyWith(view)) })
      return view
    }),
  )
})

/** Lists the caller's listings, newest first, with every standing. */
export const listListings = Effect.fn("listListings")(function* (
  { account }: Caller,
  { service_id, ...query }: ListListingsQuery,
) {
  const by = { account_id: account.id, ...(service_id !== undefined && { service_id }) }
  const page = yield* readPage("listing", by, query, "listing")
  return { ...page, data: page.data.map(listingView) }
})

/** Shows one of the caller's listings. Fails with `NOT_FOUND`. */
export const getListing = Effect.fn("getListing")(function* ({ account }: Caller, id: string) {
  return listingView(yield* readOwn("listing", account.id, id, "listing"))
})

/**
 * Removes a listing of the caller. It is listed again when the resource is paid for and still
 * declares that it may be listed. Fails with `NOT_FOUND`.
 */
export const removeListing = Effect.fn("removeListing")(function* (caller: Caller, id: string) {
  const { account } = caller
  const store = yield* Store
  return yield* retryConflict(
    Effect.gen(function* () {
      const record = yield* readOwn("listing", account.id, id, "listing")
      const { service_id } = record
      yield* store.commit({
        writes: [
          { op: "remove", kind: "listing", record },
          yield* logged(byKey(caller), "listing.deleted", id, { service_id }),
        ],
      })
      return { id, deleted: true } as const
    }),
  )
})
