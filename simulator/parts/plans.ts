import { Effect } from "effect"
import type { Caller } from "../../core/accounts/Account.ts"
import { moveService } from "../../core/registry/moveService.ts"
import { registerService } from "../../core/registry/registerService.ts"
import type { TabPrice } from "../../core/invoices/Tab.ts"
import type { SubscriptionPlan } from "../../core/registry/Pricing.ts"

/** What can be subscribed to. */
export const PLANS: readonly [SubscriptionPlan, ...ReadonlyArray<SubscriptionPlan>] = [
  {
    plan_id: "month",
    name: "A month",
    amount: 1_999,
    currency: "USD",
    interval: "monthly",
    features: [],
  },
  {
    plan_id: "year",
    name: "A year",
    amount: 19_900,
    currency: "USD",
    interval: "yearly",
    features: [],
  },
]

/** What use costs. */
export const UNIT: TabPrice = {
  unit: "request",
  rate: "12.25",
  currency: "USD",
  billing_cycle: "monthly",
}

/** Puts a service on offer that is bought, subscribed to and used; returns its id. */
export const offerPlans = Effect.fnUntraced(function* (seller: Caller, name: string) {
  const { billing_cycle, rate, unit } = UNIT
  const { id } = yield* registerService(seller, {
    name,
    description: "What agents pay for again and again in this world.",
    payment_methods: { one_time: true, cumulative: true, subscription: true },
    pricing: {
      one_time: [{ amount: 100, currency: "USD", label: "One of them" }],
      cumulative: { unit, rate, billing_cycle },
      subscription: PLANS,
    },
    accepted_channels: ["wallet_a", "wallet_b"],
    default_channel: null,
    fallback_channel: null,
    settlement_currency: "USD",
    qr_mode: "dynamic",
    endpoint: "https://seller-plans.example/hooks",
    tags: [],
  })
  yield* moveService(seller, id, "activate")
  return id
})
