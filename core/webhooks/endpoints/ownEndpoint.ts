import { Effect } from "effect"
import type { Caller } from "../../accounts/Account.ts"
import { ReceiverAddress } from "../../ports/ReceiverAddress.ts"
import { Store } from "../../ports/Store.ts"
import { Failure } from "../../shared/Failure.ts"
import { readOwn } from "../../shared/ownRecords.ts"

/** Returns the caller's endpoint. Fails with `NOT_FOUND`, also for another account's endpoint. */
export const ownEndpoint = ({ account }: Caller, id: string) =>
  readOwn("endpoint", account.id, id, "webhook endpoint")

/** Returns the key for bodies to endpoints without a key; undefined if the account has none. */
export const newestKey = Effect.fnUntraced(function* (accountId: string) {
  const store = yield* Store
  const [key] = yield* store.list("webhook_key", { by: { account_id: accountId }, limit: 1 })
  return key
})

/** Fails with `INVALID_URL` for an address that cannot be a receiver's. */
export const checkReceiver = Effect.fnUntraced(function* (url: string) {
  const reason = (yield* ReceiverAddress).check(url)
  if (reason === undefined) return
  return yield* new Failure({
    code: "INVALID_URL",
    field: "url",
    message: `The field url is not valid: ${reason}.`,
    details: { field: "url", constraint: reason },
  })
})
