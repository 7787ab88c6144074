import { Effect } from "effect"
import type { Caller } from "../../core/accounts/Account.ts"
import { Store, type Write } from "../../core/ports/Store.ts"
import { Vault } from "../../core/ports/Vault.ts"
import { uuidOfHash } from "../../core/shared/Id.ts"
import { type Interval, periodOf, startOf } from "../../core/shared/Period.ts"
import { DAY, MINUTE, type Timestamp } from "../../core/shared/Timestamp.ts"
import { COLLECTED_FOR, draft, type Invoice, PAYMENT_TERM } from "../../core/invoices/Invoice.ts"
import type { Subscription } from "../../core/invoices/Subscription.ts"
import { termsOf } from "../../core/invoices/SubscriptionTerms.ts"
import { openTab, type TabPrice } from "../../core/invoices/Tab.ts"
import { tabId } from "../../core/invoices/tabs.ts"
import { billing } from "../auditor/Billing.ts"
import type { Chance } from "../random/Chance.ts"
import type { Scene } from "../world/Stage.ts"
import { moveService } from "../../core/registry/moveService.ts"
import { registerService } from "../../core/registry/registerService.ts"
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

/** The price of usage. */
const UNIT: TabPrice = {
  unit: "request",
  rate: "12.25",
  currency: "USD",
  billing_cycle: "monthly",
}

/** Registers a service that can be bought, subscribed to and used; returns its id. */
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

/** What becomes due in mid-traffic: a renewal, an overdue invoice, or one that is given up. */
const DUE = ["renewal", "overdue", "given_up"] as const

interface Terms {
  readonly buyer: Caller
  readonly seller: Caller
  readonly service_id: string
}

/** Makes a subscription that began a year ago, whose current period begins then. */
const subscriptionOf = (
  { buyer, seller, service_id }: Terms,
  name: string,
  interval: Interval,
  begins: Timestamp,
): Subscription => {
  const plan = PLANS.find((one) => one.interval === interval) ?? PLANS[0]
  const period = interval === "yearly" ? 1 : 12
  const anchor_at = startOf(begins, interval, -period)
  const { end, start } = periodOf(anchor_at, interval, period)
  return {
    id: `sub_${name}`,
    version: 1,
    account_id: buyer.account.id,
    payee_account_id: seller.account.id,
    service_id,
    plan_id: plan.plan_id,
    plan_name: plan.name,
    interval,
    amount: { currency: plan.currency, value: plan.amount },
    payer: { agent_id: buyer.account.agent_id, human_id: null },
    anchor_at,
    period,
    current_period_start: start,
    current_period_end: end,
    cancel_at_period_end: false,
    latest_invoice: `inv_${name}`,
    created_at: anchor_at,
    due_at: end,
    status: "active",
  }
}

/** Returns the state of such a subscription's invoice when the world begins. */
const grown = (invoice: Invoice, due: (typeof DUE)[number]): Invoice => {
  const { created_at, pay_by } = invoice
  if (invoice.status !== "open") return invoice
  if (due === "renewal") {
    const { status: _open, ...common } = invoice
    return { ...common, due_at: null, collection: "asked", status: "paid", paid_at: created_at }
  }
  return due === "overdue"
    ? { ...invoice, collection: "asked", due_at: pay_by }
    : { ...invoice, collection: "overdue", due_at: created_at + COLLECTED_FOR }
}

/** Returns the length of a period, so that one begins where another ends. */
const lengthOf = (interval: Interval, end: Timestamp): number => end - startOf(end, interval, -1)

const BEGAN = {
  renewal: (at: Timestamp, interval: Interval) => at - lengthOf(interval, at),
  overdue: (at: Timestamp) => at - PAYMENT_TERM,
  given_up: (at: Timestamp) => at - COLLECTED_FOR,
}

const owing = (terms: Terms, chance: Chance, name: string, now: Timestamp) => {
  const due = chance.pick(DUE)
  const interval = chance.hits(0.7) ? "monthly" : "yearly"
  const at = now + chance.int(0, 8 * MINUTE)
  const subscription = subscriptionOf(terms, name, interval, BEGAN[due](at, interval))
  const begun = subscription.current_period_start
  const invoice = grown(draft(subscription.latest_invoice, termsOf(subscription), begun), due)
  const late = { ...subscription, status: "past_due", past_due_at: invoice.pay_by } as const
  const record: Subscription = due === "given_up" ? late : subscription
  const writes: ReadonlyArray<Write> = [
    { op: "insert", kind: "subscription", record },
    { op: "insert", kind: "invoice", record: invoice },
  ]
  return { writes, paid: invoice.status === "paid" ? [invoice.id] : [] }
}

/** Makes a tab that was opened a month ago, whose period ends in mid-traffic. */
const running = Effect.fnUntraced(function* (terms: Terms, at: Timestamp) {
  const { buyer, seller, service_id } = terms
  const { agent_id, id: account_id } = buyer.account
  const holder = { service_id, account_id, agent_id }
  const tab = openTab(
    {
      id: yield* tabId(holder),
      ...holder,
      payee_account_id: seller.account.id,
      human_id: null,
      price: UNIT,
    },
    undefined,
    startOf(at, UNIT.billing_cycle, -1),
  )
  const write: Write = { op: "insert", kind: "tab", record: tab }
  return write
})

/** Creates the debts of buyers at the beginning, so that they become due in mid-traffic. */
export const begin = Effect.fnUntraced(function* ({ auditor, stage }: Scene, terms: Terms) {
  const { agent_id } = terms.buyer.account
  const chance = stage.chance(`what ${agent_id} owes`)
  const { sha256 } = yield* Vault
  const now = stage.now()
  const tab = chance.hits(0.7) ? [yield* running(terms, now + chance.int(MINUTE, 8 * MINUTE))] : []
  const owed = [0, 1].map((n) =>
    owing(terms, chance, uuidOfHash(sha256(`subscription ${n} of ${agent_id}`)), now),
  )
  const { given } = auditor.model.know(billing)
  for (const { paid } of owed) for (const id of paid) given.add(id)
  yield* (yield* Store).commit({ writes: [...owed.flatMap(({ writes }) => writes), ...tab] })
})

/** How long after the last cancellation all invoices are closed. */
export const ENDED_BY = COLLECTED_FOR + 2 * DAY
