import { Clock, Effect } from "effect"
import type { Caller } from "../accounts/Account.ts"
import { Store } from "../ports/Store.ts"
import { CurrentAsker } from "../shared/CurrentAsker.ts"
import { toIso } from "../shared/Timestamp.ts"
import { balancesOf } from "./Statement.ts"

/** Returns what the caller's account has and owes, a line for each currency, and as of when. */
export const getBalance = Effect.fn("getBalance")(function* ({ account }: Caller) {
  const store = yield* Store
  const { accepts, name } = yield* CurrentAsker
  const now = yield* Clock.currentTimeMillis
  let age = 0
  const told = (of: number): void => {
    age = Math.ceil(of)
    accepts?.(of)
  }
  const balances = yield* Effect.provideService(store.listBalances(account.id), CurrentAsker, {
    name,
    accepts: accepts && told,
  })
  return { as_of: toIso(now - age), balances: balancesOf(balances) }
})
