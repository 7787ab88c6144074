import { Clock, Effect } from "effect"
import type { Caller } from "../accounts/Account.ts"
import { type ApiKey, apiKeyView } from "../accounts/ApiKey.ts"
import type { KeyBudget } from "../accounts/KeyRestrictions.ts"
import { Store } from "../ports/Store.ts"
import type { PageQuery } from "../shared/Page.ts"
import { readPage } from "../shared/ownRecords.ts"
import { counterOf } from "./keySpending.ts"

/** Returns the budget that is shown with a key. */
const shownBudget = ({ restrictions }: ApiKey): KeyBudget | undefined =>
  restrictions?.budgets?.at(-1)

/**
 * Lists the keys of the caller's account, newest first, without their secrets, with the use of
 * their budgets.
 */
export const listKeys = Effect.fn("listKeys")(function* ({ account }: Caller, query: PageQuery) {
  const store = yield* Store
  const page = yield* readPage("api_key", { account_id: account.id }, query, "API key")
  const now = yield* Clock.currentTimeMillis
  const budgets = page.data.flatMap((key) => shownBudget(key) ?? [])
  const names = [...new Set(budgets.map((budget) => counterOf(budget, now)))].toSorted()
  const counts = names.length === 0 ? [] : yield* store.readCounters(names)
  const spent = new Map(names.map((name, n) => [name, counts[n] ?? 0]))
  const data = page.data.map((key) => {
    const budget = shownBudget(key)
    if (budget === undefined) return apiKeyView(key)
    const { currency } = budget.amount
    const value = spent.get(counterOf(budget, now)) ?? 0
    return { ...apiKeyView(key), budget_spent: { currency, value } }
  })
  return { ...page, data }
})
