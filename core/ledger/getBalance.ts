import { Clock, Effect } from "effect"
import type { Caller } from "../accounts/Account.ts"
import { Store } from "../ports/Store.ts"
import { toIso } from "../shared/Timestamp.ts"
import { balancesOf } from "./Statement.ts"

/** What the caller's account has and owes now, a line a currency. */
export const getBalance = Effect.fn("getBalance")(function* ({ account }: Caller) {
  const store = yield* Store
  const as_of = toIso(yield* Clock.currentTimeMillis)
  return { as_of, balances: balancesOf(yield* store.listBalances(account.id)) }
})
