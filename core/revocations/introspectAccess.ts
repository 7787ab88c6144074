import { Effect } from "effect"
import type { Caller } from "../accounts/Account.ts"
import { answerProvisionally } from "../idempotency/requestKey.ts"
import { Store } from "../ports/Store.ts"
import { Vault } from "../ports/Vault.ts"
import { checkItem, type IntrospectInput } from "./AccessInput.ts"
import { accessOf, itemKey } from "./AccessItem.ts"

/**
 * Tells a seller's gate what is left of an access of that seller: `active`, the registered scopes
 * that were not revoked as a whole, and those that were revoked. A scope is allowed when one of
 * `scopes` holds it and none of `revoked_scopes` does; with a `scope`, `active` answers that. What
 * nobody registered is not active.
 */
export const introspectAccess = Effect.fn("introspectAccess")(function* (
  { account }: Caller,
  input: IntrospectInput,
) {
  const { scope } = input
  const asked = scope === undefined ? [] : [["scope", scope] as const]
  const type = yield* Effect.fromResult(checkItem(input.type, asked))
  // A repetition of the question is asked of the item as it is by then.
  yield* answerProvisionally
  const item_key = itemKey((yield* Vault).sha256, type, input.id)
  const item = yield* (yield* Store).findBy("access_item", { account_id: account.id, item_key })
  return accessOf(item, scope)
})
