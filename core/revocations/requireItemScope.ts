import { Effect } from "effect"
import type { Caller } from "../accounts/Account.ts"
import { isScoped, type RouteGroup } from "../accounts/KeyRestrictions.ts"
import { requireScope } from "../keys/requireScope.ts"
import { Store } from "../ports/Store.ts"
import { Vault } from "../ports/Vault.ts"
import { type AccessItem, itemKey } from "./AccessItem.ts"
import type { PlannedTarget } from "./Policy.ts"

const isHeld = ({ restrictions }: Caller): boolean => restrictions != null && isScoped(restrictions)

/**
 * Refuses access items outside of the services and agents that the caller's key is restricted to.
 * An item is of the service and the agent of its payment. One without a payment is of none.
 *
 * Fails with `FORBIDDEN`.
 */
export const requireItemScope = Effect.fnUntraced(function* (
  caller: Caller,
  group: RouteGroup,
  items: ReadonlyArray<AccessItem | undefined>,
) {
  if (!isHeld(caller)) return
  const payments = new Set(items.map((item) => item?.payment_intent ?? undefined))
  for (const payment_intent of payments) yield* requireScope(caller, group, { payment_intent })
})

/**
 * Refuses targets of a refund outside of the caller's scope, see {@link requireItemScope}. An
 * unregistered target is refused, too: nobody knows whose it will be.
 */
export const requireTargetScope = Effect.fnUntraced(function* (
  caller: Caller,
  targets: ReadonlyArray<PlannedTarget>,
) {
  if (!isHeld(caller)) return
  const store = yield* Store
  const { sha256 } = yield* Vault
  const account_id = caller.account.id
  const items = yield* Effect.forEach(
    targets,
    ({ id, type }) =>
      store.findBy("access_item", { account_id, item_key: itemKey(sha256, type, id) }),
    { concurrency: "unbounded" },
  )
  yield* requireItemScope(caller, "refund", items)
})
