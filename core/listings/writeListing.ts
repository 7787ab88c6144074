import { Clock, Effect } from "effect"
import { HOLDINGS, tooMany } from "../accounts/Holding.ts"
import type { Account } from "../accounts/Account.ts"
import { Ids } from "../ports/Ids.ts"
import { Store } from "../ports/Store.ts"
import { Vault } from "../ports/Vault.ts"
import type { Money } from "../shared/Money.ts"
import { type Address, keyText } from "./Address.ts"
import { type Listing, lowestPlace, mentioned, type Method } from "./Listing.ts"

/** A resource that is sold, and its price. */
export interface Sold {
  readonly service_id: string
  readonly address: Address
  readonly method: Method
  readonly amount: Money
}

const newListing = Effect.fnUntraced(function* (account: Account, sold: Sold, key: string) {
  const store = yield* Store
  const taken = yield* store.list("listing", { by: { account_id: account.id } })
  const place = lowestPlace(taken, HOLDINGS[account.plan].listings)
  if (place === undefined) return yield* tooMany(account, "listings")
  const { address, amount, method, service_id } = sold
  const now = yield* Clock.currentTimeMillis
  const record: Listing = {
    id: `lst_${(yield* Ids).uuid()}`,
    version: 1,
    account_id: account.id,
    service_id,
    place,
    key,
    ...address,
    method,
    amount,
    paid: amount,
    offered: null,
    standing: "unproven",
    since: now,
    reason: null,
    seen: null,
    misses: 0,
    probed_at: null,
    mentioned_at: now,
    created_at: now,
    updated_at: now,
    due_at: now,
  }
  return record
})

/**
 * Returns the writes that list a resource of the account; none where it is already listed. Fails
 * with `PLAN_LIMIT_EXCEEDED` where the account has the most listings.
 */
export const writeListing = Effect.fnUntraced(function* (account: Account, sold: Sold) {
  const { address, amount, method, service_id } = sold
  const key = (yield* Vault).sha256(keyText(method, address.resource))
  const known = yield* (yield* Store).findBy("listing", { service_id, key })
  const kind = "listing" as const
  if (known === undefined) {
    const record = yield* newListing(account, sold, key)
    return { record, writes: [{ op: "insert" as const, kind, record }] }
  }
  const record = mentioned(known, amount, yield* Clock.currentTimeMillis)
  return record === undefined
    ? { record: known, writes: [] }
    : { record, writes: [{ op: "replace" as const, kind, record }] }
})
