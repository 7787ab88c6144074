import { Effect } from "effect"
import type { Caller } from "../accounts/Account.ts"
import { Store } from "../ports/Store.ts"
import { Vault } from "../ports/Vault.ts"
import { checkItem, type IntrospectInput } from "./AccessInput.ts"
import { accessOf, itemKey } from "./AccessItem.ts"

/**
 * Returns the state of a seller's access item to its gate: `active`, the registered scopes that
 * were not revoked as a whole, and the revoked scopes. A scope is allowed if one of `scopes` covers
 * it and none of `revoked_scopes` does. With a `scope`, `active` answers that. An unregistered item
 * is not active.
 */
export const introspectAccess = Effect.fn("introspectAccess")(function* (
  { account }: Caller,
  input: IntrospectInput,
) {
  const { scope } = input
  const asked = scope === undefined ? [] : [["scope", scope] as const]
  const type = yield* Effect.fromResult(checkItem(input.type, asked))
  const item_key = itemKey((yield* Vault).sha256, type, input.id)
  const item = yield* (yield* Store).findBy("access_item", { account_id: account.id, item_key })
  return accessOf(item, scope)
})
