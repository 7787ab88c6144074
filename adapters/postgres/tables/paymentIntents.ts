import {
  dueAt,
  type OneTimePayment,
  type PaymentIntent,
  type RequestPayment,
} from "../../../core/payments/PaymentIntent.ts"
import { type Fees, feesFrom } from "../../../core/pricing/Price.ts"
import * as column from "./codecs.ts"
import { type Group, inColumns, money, part } from "./Group.ts"
import { factsIn, makeFactTable, type States } from "./Table.ts"

const feesOf = (value: (fees: Fees) => number) =>
  part(column.nullable(column.checked(column.minorUnits, "… >= 0")), (fees: Fees | null) =>
    fees === null ? null : value(fees),
  )

/** Fees have the currency of the settlement. */
const fees: Group<Fees | null> = {
  parts: {
    service_fee: feesOf(({ service }) => service.value),
    fx_spread: feesOf(({ fx_spread }) => fx_spread.value),
    channel_fee: feesOf(({ channel }) => channel.value),
  },
  restore: ({ channel_fee, fx_spread, service_fee, settlement_currency }) =>
    service_fee === null
      ? null
      : feesFrom(
          settlement_currency as string,
          service_fee as number,
          fx_spread as number,
          channel_fee as number,
        ),
}

const settlement: Group<PaymentIntent["settlement"]> = inColumns({
  currency: ["settlement_currency", column.currency],
  value: [
    "settlement_value",
    column.checked(column.minorUnits, "… BETWEEN 0 AND 9007199254740991"),
  ],
  rate: ["settlement_rate", column.checked(column.decimal, "… > 0")],
})

const refunded: Group<PaymentIntent["refunded"]> = inColumns({
  value: ["refunded_value", column.minorUnits],
  settlement: ["refunded_settlement", column.minorUnits],
  fx_spread: ["refunded_fx_spread", column.minorUnits],
  service_fee: ["refunded_service_fee", column.minorUnits],
  partials: ["partial_refunds", column.integer],
})

const payerOfIntent: Group<PaymentIntent["payer"]> = inColumns({
  agent_id: ["payer_agent_id", column.nullable(column.text)],
  human_id: ["payer_human_id", column.nullable(column.text)],
  wallet_id: ["payer_wallet_id", column.nullable(column.text)],
})

const payee: Group<PaymentIntent["payee"]> = inColumns({
  agent_id: ["payee_agent_id", column.text],
  merchant_account: ["payee_merchant_account", column.nullable(column.text)],
})

const outcome = column.word("pending", "unknown")
const progress = {
  scanned_at: column.optional(column.timestamp),
  authorized_at: column.optional(column.timestamp),
}
const authorized = { scanned_at: column.timestamp, authorized_at: column.timestamp }
/** The captured amount, if it is less than the whole. */
const capturedPart = { capture_value: column.optional(column.minorUnits) }
const captured = { ...authorized, captured_at: column.timestamp, ...capturedPart }
const ended = { ended_at: column.timestamp }
const failed = { ...ended, failure_code: column.text, failure_message: column.text }
const link = { deeplink: column.nullable(column.text) }

const REQUEST_FACTS: States<RequestPayment, keyof PaymentIntent> = {
  pending: {},
  qr_generated: {},
  scanning: { scanned_at: column.timestamp },
  authorized,
  capturing: {
    ...authorized,
    capture_request: column.id("creq"),
    channel_outcome: outcome,
    ...capturedPart,
  },
  captured,
  succeeded: { ...captured, succeeded_at: column.timestamp, channel_txn_id: column.text },
  failed: {
    ...progress,
    captured_at: column.optional(column.timestamp),
    ...capturedPart,
    ...failed,
  },
  expired: { ...progress, ...ended },
  cancelled: { ...progress, ...ended },
  voided: { ...progress, ...ended },
}

const ONE_TIME_FACTS: States<OneTimePayment, keyof PaymentIntent> = {
  pending: link,
  debiting: { ...link, debit_request: column.id("creq"), channel_outcome: outcome },
  completed: {
    ...link,
    succeeded_at: column.timestamp,
    channel_txn_id: column.text,
    auto_paid: column.boolean,
  },
  failed: { ...link, ...failed },
  expired: { ...link, ...ended },
  cancelled: { ...link, ...ended },
  voided: { ...link, ...ended },
}

const FACTS: {
  readonly [Flow in PaymentIntent["flow"]]: {
    readonly [S in PaymentIntent["status"]]?: { readonly [fact: string]: column.Codec<unknown> }
  }
} = { request_payment: REQUEST_FACTS, one_time_pay: ONE_TIME_FACTS }

const constraints = {
  payment_intents_state: `CASE flow
    WHEN 'request_payment' THEN CASE status
      WHEN 'pending' THEN scanned_at IS NULL
      WHEN 'qr_generated' THEN scanned_at IS NULL
      WHEN 'scanning' THEN scanned_at IS NOT NULL AND authorized_at IS NULL
      WHEN 'authorized' THEN authorized_at IS NOT NULL AND captured_at IS NULL
      WHEN 'capturing' THEN authorized_at IS NOT NULL AND captured_at IS NULL
      WHEN 'captured' THEN captured_at IS NOT NULL
      WHEN 'succeeded' THEN captured_at IS NOT NULL AND succeeded_at IS NOT NULL
      WHEN 'failed' THEN true
      WHEN 'expired' THEN captured_at IS NULL
      WHEN 'cancelled' THEN captured_at IS NULL
      WHEN 'voided' THEN captured_at IS NULL
      ELSE false END
    WHEN 'one_time_pay' THEN scanned_at IS NULL AND captured_at IS NULL AND CASE status
      WHEN 'pending' THEN true
      WHEN 'debiting' THEN deeplink IS NULL
      WHEN 'completed' THEN succeeded_at IS NOT NULL AND auto_paid IS NOT NULL
      WHEN 'failed' THEN true
      WHEN 'expired' THEN true
      WHEN 'cancelled' THEN true
      WHEN 'voided' THEN true
      ELSE false END
    ELSE false END`,
  payment_intents_facts: `(succeeded_at IS NOT NULL) = (status IN ('succeeded', 'completed'))
    AND (channel_txn_id IS NOT NULL) = (succeeded_at IS NOT NULL)
    AND (auto_paid IS NOT NULL) = (status = 'completed')
    AND (capture_request IS NOT NULL) = (status = 'capturing')
    AND (debit_request IS NOT NULL) = (status = 'debiting')
    AND (channel_outcome IS NOT NULL) = (status IN ('capturing', 'debiting'))
    AND (ended_at IS NOT NULL) = (status IN ('failed', 'expired', 'cancelled', 'voided'))
    AND (failure_code IS NOT NULL) = (status = 'failed')
    AND (failure_message IS NOT NULL) = (status = 'failed')
    AND (authorized_at IS NULL OR scanned_at IS NOT NULL)
    AND (captured_at IS NULL OR authorized_at IS NOT NULL)`,
  payment_intents_order: `scanned_at <= authorized_at AND authorized_at <= captured_at
    AND captured_at <= succeeded_at`,
  payment_intents_capture: `capture_value IS NULL OR capture_value BETWEEN 1 AND amount_value - 1
    AND refunded_value <= capture_value AND (status IN ('capturing', 'captured', 'succeeded')
      OR status = 'failed' AND captured_at IS NOT NULL)`,
  payment_intents_fees: "num_nulls(service_fee, fx_spread, channel_fee) IN (0, 3)",
  payment_intents_refunded: `refunded_value BETWEEN 0 AND amount_value
    AND refunded_settlement BETWEEN 0 AND settlement_value
    AND refunded_fx_spread BETWEEN 0 AND coalesce(fx_spread, 0)
    AND refunded_service_fee BETWEEN 0 AND coalesce(service_fee, 0)
    AND partial_refunds >= 0
    AND (refunded_value = 0 OR status IN ('captured', 'succeeded', 'completed', 'failed'))`,
}

/** The condition of a payment that is to be deleted: it has ended and is due for nothing else. */
export const IS_LEAVING = "ended_at IS NOT NULL AND channel_asks IS NULL AND due_at IS NOT NULL"

export const paymentIntents = makeFactTable({
  kind: "payment_intent",
  name: "payment_intents",
  fields: {
    flow: column.word(),
    status: column.word(),
    account_id: column.id("acct"),
    payee_account_id: column.id("acct"),
    payer_account_id: column.nullable(column.id("acct")),
    service_id: column.uuid,
    amount: money("amount", column.amount),
    settlement,
    fees,
    refunded,
    spending: column.nullable(column.jsonObject()),
    description: column.text,
    payer: payerOfIntent,
    payee,
    channel: column.nullable(column.text),
    trade_no: column.nullable(column.text),
    offers: column.jsonArray(),
    return_url: column.nullable(column.text),
    invoice: column.nullable(column.id("inv")),
    metadata: column.nullable(column.jsonObject()),
    created_at: column.timestamp,
    expires_at: column.timestamp,
    channel_asks: column.nullable(column.count),
    traceparent: column.nullable(column.text),
  },
  facts: factsIn(REQUEST_FACTS, ONE_TIME_FACTS),
  factsOf: ({ flow, status }) =>
    FACTS[flow as PaymentIntent["flow"]][status as PaymentIntent["status"]],
  derived: {
    qr_charge_id: part(
      column.nullable(column.id("qr")),
      ({ offers }: PaymentIntent) => offers[0]?.charge_id ?? null,
    ),
    due_at: part(column.nullable(column.timestamp), dueAt),
  },
  constraints,
  unique: {
    payment_intents_qr_charge_taken: "(qr_charge_id) WHERE qr_charge_id IS NOT NULL",
    payment_intents_trade_taken: "(channel, trade_no) WHERE trade_no IS NOT NULL",
  },
  // Each viewer finds an intent once: as its creator, else as its payee, else as its payer. Most
  // creators are payer or payee, too, so most rows are in two of the three indexes.
  indexes: {
    payment_intents_unpaid: `(account_id, due_at, id) WHERE ${IS_LEAVING}`,
    payment_intents_payee_account_id: "(payee_account_id, id) WHERE payee_account_id <> account_id",
    payment_intents_payer_account_id: `(payer_account_id, id)
      WHERE payer_account_id <> account_id AND payer_account_id <> payee_account_id`,
  },
})
