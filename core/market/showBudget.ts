import { Clock, Effect } from "effect"
import type { Caller } from "../accounts/Account.ts"
import { saidLine } from "../agents/SafeText.ts"
import { budgetOf } from "../installs/Budget.ts"
import type { Install } from "../installs/Install.ts"
import { counterOf } from "../keys/keySpending.ts"
import { spendingOf, toCents } from "../kyc/limits/Limits.ts"
import { spenderOf } from "../kyc/limits/payers.ts"
import { Installation } from "../ports/Installation.ts"
import { Store } from "../ports/Store.ts"
import { isPublic } from "../registry/ServiceManifest.ts"
import type { Money } from "../shared/Money.ts"
import { type Timestamp, toIso } from "../shared/Timestamp.ts"

/** The most installs that are shown, newest first. */
const MOST_INSTALLS = 10

const spentOf = ({ currency, value }: Money, spent: number) => ({
  spent: { currency, value: spent },
  left: { currency, value: Math.max(0, value - spent) },
})

/** Reads the sums of counters, by their names. */
const sumsOf = Effect.fnUntraced(function* (counters: ReadonlyArray<string>) {
  const names = [...new Set(counters)].toSorted()
  const sums = names.length === 0 ? [] : yield* (yield* Store).readCounters(names)
  return new Map(names.map((name, n) => [name, sums[n] ?? 0]))
})

const usd = (value: number): Money => ({ currency: "USD", value })

/** Shows how much the caller's key may pay. */
const keyBudget = Effect.fnUntraced(function* (
  { api_key_id, restrictions }: Caller,
  at: Timestamp,
) {
  const key = yield* (yield* Store).find("api_key", api_key_id)
  const budgets = restrictions?.budgets ?? []
  const sums = yield* sumsOf(budgets.map((budget) => counterOf(budget, at)))
  const most = restrictions?.max_amount
  return {
    ...(key !== undefined && key.expires_at !== null && { expires_at: toIso(key.expires_at) }),
    ...(most !== undefined && { most_of_one_payment: most }),
    budgets: budgets.map((budget) => ({
      period: budget.period,
      amount: budget.amount,
      ...spentOf(budget.amount, sums.get(counterOf(budget, at)) ?? 0),
    })),
  }
})

/** Shows the limits of the agent's level, and how much is used today. */
const agentBudget = Effect.fnUntraced(function* (caller: Caller, agent_id: string, at: Timestamp) {
  const { limits } = (yield* Installation).terms
  const spender = yield* spenderOf(caller.account.id, agent_id)
  const { counters } = spendingOf(spender, 0, at)
  const taken = Math.max(0, ...(yield* sumsOf(counters)).values())
  const { daily, per_transaction } = limits[spender.level]
  return {
    agent_id,
    level: spender.level,
    most_of_one_payment: usd(toCents(per_transaction)),
    today: { amount: usd(toCents(daily)), ...spentOf(usd(toCents(daily)), taken) },
  }
})

/** Shows the installs that pay automatically, with their limits. */
const installBudgets = Effect.fnUntraced(function* (
  { account, restrictions }: Caller,
  agent_id: string,
  at: Timestamp,
) {
  const store = yield* Store
  const all = yield* store.list("install", { by: { account_id: account.id }, limit: 100 })
  const allowed = restrictions?.services
  const isMeant = (one: Install) =>
    one.agent_id === agent_id && (allowed === undefined || allowed.includes(one.service_id))
  const installs = all.filter(isMeant).slice(0, MOST_INSTALLS)
  const services = yield* store.findMany("service", [
    ...new Set(installs.map(({ service_id }) => service_id)),
  ])
  const names = new Map(services.filter(isPublic).map(({ id, name }) => [id, saidLine(name, 64)]))
  const capOf = (install: Install) => {
    const cap = install.spend_cap_in_force
    return cap === null ? undefined : budgetOf(install, cap, 0, at)
  }
  const sums = yield* sumsOf(installs.flatMap((one) => capOf(one)?.counter ?? []))
  return installs.map((install) => {
    const budget = capOf(install)
    const name = names.get(install.service_id)
    return {
      service_id: install.service_id,
      ...(name !== undefined && { seller_says: { name } }),
      paid_without_asking: install.mandate?.status === "active" ? install.auto_pay_limit : null,
      ...(budget !== undefined && {
        cap: {
          period: budget.cap.period,
          amount: budget.cap.amount,
          ...spentOf(budget.cap.amount, sums.get(budget.counter) ?? 0),
        },
      }),
    }
  })
})

/**
 * Shows what an agent of the caller may spend: the limits of the key, those of the agent's level,
 * and the automatic payments of its installs. All of them apply.
 */
export const showBudget = Effect.fn("showBudget")(function* (caller: Caller, agent_id: string) {
  const at = yield* Clock.currentTimeMillis
  const [key, agent, installs] = yield* Effect.all(
    [
      keyBudget(caller, at),
      agentBudget(caller, agent_id, at),
      installBudgets(caller, agent_id, at),
    ],
    { concurrency: "unbounded" },
  )
  return {
    key,
    agent,
    installs,
    next: "All of these limits apply. To check a payment against them, call quote.",
  }
})
