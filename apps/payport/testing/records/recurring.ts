import { usualTerms } from "../../../../core/terms/Terms.ts"
import { type BillingCycle, openCycle } from "../../../../core/accounts/BillingCycle.ts"
import { billOf } from "../../../../core/billing/Bill.ts"
import type { Statement } from "../../../../core/billing/Statement.ts"
import type { Install } from "../../../../core/installs/Install.ts"
import type { Mandate, MandateFacts } from "../../../../core/installs/Mandate.ts"
import { draft, type Invoice, type InvoiceFacts } from "../../../../core/invoices/Invoice.ts"
import type {
  Subscription,
  SubscriptionCommon,
  SubscriptionFacts,
} from "../../../../core/invoices/Subscription.ts"
import type { Tab } from "../../../../core/invoices/Tab.ts"
import type { UsageRecord } from "../../../../core/invoices/Usage.ts"
import { DAY, SECOND } from "../../../../core/shared/Timestamp.ts"
import { anAccount } from "./accounts.ts"
import { T0, uuid, id, type Said } from "./ids.ts"

/** An install of service 1 by an agent of account 1, which pays up to five dollars by itself. */
export const anInstall = ({ n = 1, ...said }: Said<Install> = {}): Install => ({
  id: id("ins", n),
  version: 1,
  account_id: id("acct", 1),
  service_id: uuid(1),
  agent_id: `agent-${n}`,
  auto_pay_limit: { currency: "USD", value: 500 },
  channel_preference: "wallet_a",
  channels: ["wallet_a", "wallet_b"],
  spend_cap: { amount: { currency: "USD", value: 10_000 }, period: "monthly" },
  spend_cap_in_force: { amount: { currency: "USD", value: 9_000 }, period: "daily" },
  budget_alerts: [50, 80],
  mandate: { id: id("mnd", n), status: "active", channel: "wallet_a" },
  created_at: T0,
  updated_at: T0,
  ...said,
})

const mandateFacts: { readonly [S in keyof MandateFacts]: MandateFacts[S] & Partial<Mandate> } = {
  pending: { due_at: T0 + 10 * SECOND },
  active: { approved_at: T0 },
  revoked: { revoked_at: T0, asks: 0, due_at: T0 },
}

/** A mandate of install 1 in a state. */
export const mandateIn = (
  status: Mandate["status"],
  { n = 1, ...said }: Said<Mandate> = {},
): Mandate =>
  ({
    id: id("mnd", n),
    version: 1,
    account_id: id("acct", 1),
    install_id: id("ins", 1),
    service_id: uuid(1),
    agent_id: "agent-1",
    channel: "wallet_a",
    auto_pay_limit: { currency: "USD", value: 500 },
    spend_cap: { amount: { currency: "USD", value: 10_000 }, period: "monthly" },
    approval_url: null,
    asks: 0,
    created_at: T0,
    due_at: null,
    status,
    ...mandateFacts[status],
    ...said,
  }) as Mandate

const subscriptionFacts: { readonly [S in keyof SubscriptionFacts]: SubscriptionFacts[S] } = {
  active: {},
  past_due: { past_due_at: T0 + 7 * DAY },
  cancelled: { cancelled_at: T0 + 14 * DAY, cancel_reason: "unpaid" },
}

/** A monthly subscription of account 2 to service 1 of account 1, in its first month. */
export const subscriptionIn = (
  status: keyof SubscriptionFacts,
  { n = 1, ...said }: Said<SubscriptionCommon> = {},
): Subscription =>
  ({
    id: id("sub", n),
    version: 1,
    account_id: id("acct", 2),
    payee_account_id: id("acct", 1),
    service_id: uuid(1),
    plan_id: "pro",
    plan_name: "Pro",
    interval: "monthly",
    amount: { currency: "USD", value: 1_999 },
    payer: { agent_id: "agent-2", human_id: null },
    anchor_at: T0,
    period: 0,
    current_period_start: T0,
    current_period_end: T0 + 31 * DAY,
    cancel_at_period_end: false,
    latest_invoice: id("inv", n),
    created_at: T0,
    due_at: status === "cancelled" ? null : T0 + 31 * DAY,
    ...said,
    status,
    ...subscriptionFacts[status],
  }) as Subscription

const invoiceFacts: { readonly [S in keyof InvoiceFacts]: InvoiceFacts[S] } = {
  open: {},
  paid: { paid_at: T0 + DAY },
  void: { voided_at: T0 + DAY },
  uncollectible: { given_up_at: T0 + 14 * DAY },
}

/** The invoice for the first month of the subscription with the same number, in a state. */
export const invoiceIn = (
  status: keyof InvoiceFacts,
  { n = 1, ...said }: Said<Invoice> = {},
): Invoice => {
  const amount = { currency: "USD", value: 1_999 }
  const terms = {
    account_id: id("acct", 2),
    payee_account_id: id("acct", 1),
    service_id: uuid(1),
    subscription: id("sub", n),
    tab: null,
    payer: { agent_id: "agent-2", human_id: null },
    lines: [{ description: "Pro", quantity: "1", unit_amount: "1999", amount }],
    amount,
    period: 0,
    period_start: T0,
    period_end: T0 + 31 * DAY,
  }
  return {
    ...draft(id("inv", n), terms, T0),
    ...said,
    ...(status !== "open" && { due_at: null }),
    status,
    ...invoiceFacts[status],
  } as Invoice
}

/** What agent 2 of account 2 has used of service 1 since T0, billed monthly. */
export const aTab = ({ n = 1, ...said }: Said<Tab> = {}): Tab => ({
  id: id("tab", n),
  version: 1,
  account_id: id("acct", 2),
  payee_account_id: id("acct", 1),
  service_id: uuid(1),
  agent_id: "agent-2",
  human_id: null,
  status: "open",
  price: { unit: "request", rate: "0.25", currency: "USD", billing_cycle: "monthly" },
  anchor_at: T0,
  base: 0,
  period: 0,
  period_start: T0,
  period_end: T0 + 31 * DAY,
  closing: null,
  stopped: [],
  carried: [{ currency: "USD", value: "2.25" }],
  created_at: T0,
  due_at: T0 + 31 * DAY,
  ...said,
})

/** Two and a half requests on tab 1, in its first month. */
export const aUsage = ({ n = 1, ...said }: Said<UsageRecord> = {}): UsageRecord => ({
  id: id("use", n),
  version: 1,
  account_id: id("acct", 1),
  service_id: uuid(1),
  tab: id("tab", 1),
  period: 0,
  agent_id: "agent-2",
  quantity: "2.5",
  occurred_at: T0,
  idempotency_key: `key-${n}`,
  created_at: T0,
  ...said,
})

/** The first month of an account that is on a starter's plan. */
export const aCycle = ({ n = 1, ...said }: Said<BillingCycle> = {}): BillingCycle => ({
  ...openCycle(anAccount({ n }), T0),
  ...said,
})

/** A month in which an account used only its plan; the n-th is n months after the first. */
export const aStatement = ({ n = 1, ...said }: Said<Statement> = {}): Statement => {
  const month = `${2026 + Math.floor(n / 12)}-${String((n % 12) + 1).padStart(2, "0")}`
  const used = { month, plan: "starter", opened_at: 0, counts: () => 0, volumes: [] } as const
  const { plans, usage } = usualTerms
  return {
    id: id("stmt", n),
    version: 1,
    account_id: id("acct", 1),
    month,
    bill: billOf({ ...used, terms: plans.starter, usage }),
    created_at: T0,
    ...said,
  }
}
