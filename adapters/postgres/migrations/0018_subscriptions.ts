import type { Migration } from "./Migration.ts"

const INTERVALS = `('daily', 'weekly', 'monthly', 'quarterly', 'yearly')`

const subscriptions = [
  `CREATE TABLE subscriptions (
    id uuid PRIMARY KEY,
    version integer NOT NULL CHECK (version >= 1),
    status text NOT NULL CHECK (status IN ('active', 'past_due', 'cancelled')),
    account_id uuid NOT NULL,
    payee_account_id uuid NOT NULL,
    service_id uuid NOT NULL,
    plan_id text NOT NULL,
    plan_name text NOT NULL,
    interval text NOT NULL CHECK (interval IN ${INTERVALS}),
    amount_currency text NOT NULL CHECK (amount_currency ~ '^[A-Z]{3}$'),
    amount_value bigint NOT NULL CHECK (amount_value BETWEEN 1 AND 1000000000000),
    payer_agent_id text NOT NULL,
    payer_human_id text,
    anchor_at timestamptz(3) NOT NULL,
    period integer NOT NULL CHECK (period >= 0),
    current_period_start timestamptz(3) NOT NULL,
    current_period_end timestamptz(3) NOT NULL,
    cancel_at_period_end boolean NOT NULL,
    latest_invoice uuid NOT NULL,
    past_due_at timestamptz(3),
    cancelled_at timestamptz(3),
    cancel_reason text CHECK (cancel_reason IN ('requested', 'unpaid', 'service_ended')),
    created_at timestamptz(3) NOT NULL,
    due_at timestamptz(3),
    lease_until timestamptz(3),
    CHECK (current_period_start < current_period_end),
    CONSTRAINT subscriptions_facts CHECK (
      (past_due_at IS NOT NULL) = (status = 'past_due')
      AND (cancelled_at IS NOT NULL) = (status = 'cancelled')
      AND (cancel_reason IS NOT NULL) = (status = 'cancelled')
      AND (due_at IS NULL) = (status = 'cancelled'))
  )`,
  `CREATE INDEX subscriptions_account ON subscriptions (account_id, id)
    INCLUDE (service_id, status)`,
  `CREATE INDEX subscriptions_payee ON subscriptions (payee_account_id, id)
    INCLUDE (service_id, status)`,
  `CREATE INDEX subscriptions_due ON subscriptions (due_at, id) WHERE due_at IS NOT NULL`,
]

const invoices = [
  `CREATE TABLE invoices (
    id uuid PRIMARY KEY,
    version integer NOT NULL CHECK (version >= 1),
    status text NOT NULL CHECK (status IN ('open', 'paid', 'void', 'uncollectible')),
    account_id uuid NOT NULL,
    payee_account_id uuid NOT NULL,
    service_id uuid NOT NULL,
    subscription uuid,
    tab uuid,
    payer_agent_id text NOT NULL,
    payer_human_id text,
    lines json NOT NULL,
    amount_currency text NOT NULL CHECK (amount_currency ~ '^[A-Z]{3}$'),
    amount_value bigint NOT NULL CHECK (amount_value BETWEEN 0 AND 1000000000000),
    collection text NOT NULL CHECK (collection IN ('new', 'asked', 'overdue')),
    payment_intent uuid,
    period integer NOT NULL CHECK (period >= 0),
    period_start timestamptz(3) NOT NULL,
    period_end timestamptz(3) NOT NULL,
    pay_by timestamptz(3) NOT NULL,
    ended_at timestamptz(3),
    created_at timestamptz(3) NOT NULL,
    due_at timestamptz(3),
    lease_until timestamptz(3),
    CHECK ((subscription IS NULL) <> (tab IS NULL)),
    CONSTRAINT invoices_facts CHECK (
      (ended_at IS NULL) = (status = 'open')
      AND (due_at IS NULL) = (status <> 'open'))
  )`,
  `CREATE UNIQUE INDEX invoices_period_taken ON invoices (subscription, period)
    WHERE subscription IS NOT NULL`,
  `CREATE UNIQUE INDEX invoices_cycle_taken ON invoices (tab, period)
    WHERE tab IS NOT NULL`,
  `CREATE INDEX invoices_account ON invoices (account_id, id)
    INCLUDE (service_id, status, subscription)`,
  `CREATE INDEX invoices_payee ON invoices (payee_account_id, id)
    INCLUDE (service_id, status, subscription)`,
  `CREATE INDEX invoices_open ON invoices (subscription, id)
    WHERE subscription IS NOT NULL AND status = 'open'`,
  `CREATE INDEX invoices_due ON invoices (due_at, id) WHERE due_at IS NOT NULL`,
]

const usage = [
  `CREATE TABLE tabs (
    id uuid PRIMARY KEY,
    version integer NOT NULL CHECK (version >= 1),
    status text NOT NULL CHECK (status IN ('open', 'closed')),
    account_id uuid NOT NULL,
    payee_account_id uuid NOT NULL,
    service_id uuid NOT NULL,
    payer_agent_id text NOT NULL,
    payer_human_id text,
    unit text NOT NULL,
    rate numeric NOT NULL CHECK (rate >= 0),
    currency text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
    billing_cycle text NOT NULL CHECK (billing_cycle IN ${INTERVALS}),
    anchor_at timestamptz(3) NOT NULL,
    base integer NOT NULL CHECK (base >= 0),
    period integer NOT NULL CHECK (period >= base),
    period_start timestamptz(3) NOT NULL,
    period_end timestamptz(3) NOT NULL,
    closing_number integer,
    closing_start timestamptz(3),
    closing_end timestamptz(3),
    created_at timestamptz(3) NOT NULL,
    due_at timestamptz(3),
    lease_until timestamptz(3),
    CHECK ((closing_number IS NULL) = (closing_start IS NULL)
      AND (closing_number IS NULL) = (closing_end IS NULL)),
    CHECK ((due_at IS NULL) = (status = 'closed' AND closing_number IS NULL))
  )`,
  `CREATE INDEX tabs_account ON tabs (account_id, id)`,
  `CREATE INDEX tabs_due ON tabs (due_at, id) WHERE due_at IS NOT NULL`,
  `CREATE TABLE usage_records (
    id uuid PRIMARY KEY,
    version integer NOT NULL CHECK (version >= 1),
    account_id uuid NOT NULL,
    service_id uuid NOT NULL,
    tab uuid NOT NULL,
    period integer NOT NULL CHECK (period >= 0),
    agent_id text NOT NULL,
    quantity numeric NOT NULL CHECK (quantity > 0),
    occurred_at timestamptz(3) NOT NULL,
    idempotency_key text NOT NULL,
    created_at timestamptz(3) NOT NULL
  )`,
  `CREATE INDEX usage_records_account ON usage_records (account_id, id)`,
  `CREATE INDEX usage_records_period ON usage_records (tab, period) INCLUDE (quantity)`,
]

/** What is paid again and again: plans, use, and the invoices of both. */
export const subscriptionsAndInvoices: Migration = {
  id: 18,
  name: "subscriptions",
  statements: [
    ...subscriptions,
    ...invoices,
    ...usage,
    "ALTER TABLE payment_intents ADD COLUMN invoice uuid",
  ],
}
