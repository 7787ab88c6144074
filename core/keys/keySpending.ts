import { Effect } from "effect"
import { type Actor, byKey, logged } from "../accountLog/logged.ts"
import type { Caller } from "../accounts/Account.ts"
import type { KeyBudget } from "../accounts/KeyRestrictions.ts"
import type { Conflict, Reservation } from "../commits/Commit.ts"
import { catchConflict } from "../commits/catchConflict.ts"
import { KEY_COUNTERS } from "../installs/Budget.ts"
import { periodStart } from "../installs/SpendCap.ts"
import { Store } from "../ports/Store.ts"
import { worthUnder } from "../pricing/quoteSettlement.ts"
import { Failure } from "../shared/Failure.ts"
import type { Money } from "../shared/Money.ts"
import type { Timestamp } from "../shared/Timestamp.ts"

/** What a payment reserves of the budgets of the key that makes it, its own and inherited ones. */
export interface KeySpending {
  readonly budgets: ReadonlyArray<KeyBudget>
  readonly reservations: ReadonlyArray<Reservation>
  /** The key as an actor in the account's log. */
  readonly by: Actor
}

const nameOf = ({ key_id }: KeyBudget): string => `${KEY_COUNTERS}${key_id}:`

/** Returns the counter of a budget in the period of that time. */
export const counterOf = (budget: KeyBudget, at: Timestamp): string => {
  const { amount, period } = budget
  const since = period === "total" ? "ever" : periodStart(period, at)
  return `${nameOf(budget)}${amount.currency}:${period}:${since}`
}

const keyLimit = (field: "max_amount" | "budget", { currency }: Money) => ({
  currency,
  field,
  name: `the limit ${field} of this API key`,
})

const tooMuch = (max_amount: Money, requested: Money) =>
  new Failure({
    code: "FORBIDDEN",
    message: "The amount exceeds the limit of this API key for one payment (max_amount).",
    details: { restriction: "max_amount", max_amount, requested },
  })

const overBudget = ({ amount, period }: KeyBudget, spent: number) =>
  new Failure({
    code: "SPEND_CAP_EXCEEDED",
    message: `The payment would exceed the ${period} budget of this API key.`,
    details: {
      cap: "key",
      budget: { amount, period },
      spent: { currency: amount.currency, value: spent },
    },
  })

/**
 * Returns what a payment reserves of the budgets of the caller's key, at the current mid-market
 * rate, rounded up; undefined for an unrestricted key. The commit that reserves decides whether the
 * budgets have room.
 *
 * Fails with `FORBIDDEN` for more than the key may pay at once.
 */
export const keySpending = Effect.fnUntraced(function* (
  caller: Caller,
  amount: Money,
  at: Timestamp,
) {
  if (caller.restrictions == null) return undefined
  const { budgets = [], max_amount } = caller.restrictions
  if (max_amount) {
    const value = yield* worthUnder(amount, keyLimit("max_amount", max_amount))
    if (value > max_amount.value) return yield* tooMuch(max_amount, amount)
  }
  const reservations = yield* Effect.forEach(budgets, (budget) =>
    Effect.map(worthUnder(amount, keyLimit("budget", budget.amount)), (add): Reservation => ({
      counter: counterOf(budget, at),
      add,
      limit: budget.amount.value,
    })),
  )
  const spending: KeySpending = { budgets, reservations, by: byKey(caller) }
  return spending
})

/**
 * Refuses what a budget has no room for now. A payment does not need this check, since its commit
 * reserves.
 */
export const checkBudgets = Effect.fnUntraced(function* ({ budgets, reservations }: KeySpending) {
  if (reservations.length === 0) return
  const store = yield* Store
  const spent = yield* store.readCounters(reservations.map(({ counter }) => counter))
  for (const [n, { add, limit }] of reservations.entries()) {
    const budget = budgets[n]
    const before = spent[n] ?? 0
    if (budget !== undefined && before + add > limit) return yield* overBudget(budget, before)
  }
})

/** Returns the write that logs money moved with a restricted key, and its target. */
export const loggedUse = (
  { by }: Pick<KeySpending, "by">,
  target: string,
  { currency, value }: Money,
) => logged(by, "api_key.used", target, { currency, value })

/** Turns a conflict over a budget into `SPEND_CAP_EXCEEDED`. Other conflicts stay. */
export const refusedForBudget = ({ budgets }: Pick<KeySpending, "budgets">) =>
  catchConflict(
    (reason) => reason.type === "limit_reached" && reason.counter.startsWith(KEY_COUNTERS),
    (conflict: Conflict): Effect.Effect<never, Conflict | Failure<"SPEND_CAP_EXCEEDED">> => {
      const { reason } = conflict
      if (reason.type !== "limit_reached") return Effect.fail(conflict)
      const budget = budgets.find((one) => reason.counter.startsWith(nameOf(one)))
      return Effect.fail(budget === undefined ? conflict : overBudget(budget, reason.value))
    },
  )

/** Refuses a key with limits for a purchase of unknown price. */
export const requireNoLimits = ({ restrictions }: Caller) =>
  (restrictions?.max_amount ?? restrictions?.budgets) === undefined
    ? Effect.void
    : Effect.fail(
        new Failure({
          code: "FORBIDDEN",
          message:
            "The cost of this request is not known beforehand. Use an API key without max_amount " +
            "and budget.",
          details: { restriction: "budget" },
        }),
      )
