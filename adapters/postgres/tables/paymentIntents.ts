import {
  dueAt,
  type OneTimePayment,
  type PaymentIntent,
  type RequestPayment,
} from "../../../core/payments/PaymentIntent.ts"
import { type Fees, feesFrom } from "../../../core/pricing/Price.ts"
import {
  type Codec,
  text,
  boolean,
  integer,
  uuid,
  word,
  checked,
  jsonObject,
  jsonArray,
  minorUnits,
  decimal,
  timestamp,
  id,
  nullable,
  version,
  count,
  currency,
  amount,
  optional,
} from "./codecs.ts"
import { money, part, type Group } from "./Group.ts"
import { factsIn, makeFactTable, type States } from "./Table.ts"

const feesOf = (value: (fees: Fees) => number) =>
  part(nullable(checked(minorUnits, "… >= 0")), (fees: Fees | null) =>
    fees === null ? null : value(fees),
  )

/** The fees' currency is the settlement's. */
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

const settlement: Group<PaymentIntent["settlement"]> = {
  parts: {
    settlement_currency: part(currency, (given) => given.currency),
    settlement_value: part(
      checked(minorUnits, "… BETWEEN 0 AND 9007199254740991"),
      (given) => given.value,
    ),
    settlement_rate: part(checked(decimal, "… > 0"), (given) => given.rate),
  },
  restore: (decoded) => ({
    currency: decoded["settlement_currency"] as string,
    value: decoded["settlement_value"] as number,
    rate: decoded["settlement_rate"] as string,
  }),
}

const refunded: Group<PaymentIntent["refunded"]> = {
  parts: {
    refunded_value: part(minorUnits, ({ value }) => value),
    refunded_settlement: part(minorUnits, (given) => given.settlement),
    refunded_fx_spread: part(minorUnits, ({ fx_spread }) => fx_spread),
    refunded_service_fee: part(minorUnits, ({ service_fee }) => service_fee),
    partial_refunds: part(integer, ({ partials }) => partials),
  },
  restore: (decoded) => ({
    value: decoded["refunded_value"] as number,
    settlement: decoded["refunded_settlement"] as number,
    fx_spread: decoded["refunded_fx_spread"] as number,
    service_fee: decoded["refunded_service_fee"] as number,
    partials: decoded["partial_refunds"] as number,
  }),
}

const payerOfIntent: Group<PaymentIntent["payer"]> = {
  parts: {
    payer_agent_id: part(nullable(text), ({ agent_id }) => agent_id),
    payer_human_id: part(nullable(text), ({ human_id }) => human_id),
    payer_wallet_id: part(nullable(text), ({ wallet_id }) => wallet_id),
  },
  restore: (decoded) => ({
    agent_id: decoded["payer_agent_id"] as string | null,
    human_id: decoded["payer_human_id"] as string | null,
    wallet_id: decoded["payer_wallet_id"] as string | null,
  }),
}

const payee: Group<PaymentIntent["payee"]> = {
  parts: {
    payee_agent_id: part(text, ({ agent_id }) => agent_id),
    payee_merchant_account: part(nullable(text), ({ merchant_account }) => merchant_account),
  },
  restore: (decoded) => ({
    agent_id: decoded["payee_agent_id"] as string,
    merchant_account: decoded["payee_merchant_account"] as string | null,
  }),
}

const outcome = word("pending", "unknown")
const progress = { scanned_at: optional(timestamp), authorized_at: optional(timestamp) }
const authorized = { scanned_at: timestamp, authorized_at: timestamp }
const captured = { ...authorized, captured_at: timestamp }
const ended = { ended_at: timestamp }
const failed = { ...ended, failure_code: text, failure_message: text }
const link = { deeplink: nullable(text) }

const REQUEST_FACTS: States<RequestPayment, keyof PaymentIntent> = {
  pending: {},
  qr_generated: {},
  scanning: { scanned_at: timestamp },
  authorized,
  capturing: { ...authorized, capture_request: id("creq"), channel_outcome: outcome },
  captured,
  succeeded: { ...captured, succeeded_at: timestamp, channel_txn_id: text },
  failed: { ...progress, captured_at: optional(timestamp), ...failed },
  expired: { ...progress, ...ended },
  cancelled: { ...progress, ...ended },
  voided: { ...progress, ...ended },
}

const ONE_TIME_FACTS: States<OneTimePayment, keyof PaymentIntent> = {
  pending: link,
  debiting: { ...link, debit_request: id("creq"), channel_outcome: outcome },
  completed: { ...link, succeeded_at: timestamp, channel_txn_id: text, auto_paid: boolean },
  failed: { ...link, ...failed },
  expired: { ...link, ...ended },
  cancelled: { ...link, ...ended },
  voided: { ...link, ...ended },
}

const FACTS: {
  readonly [Flow in PaymentIntent["flow"]]: {
    readonly [S in PaymentIntent["status"]]?: { readonly [fact: string]: Codec<unknown> }
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
  payment_intents_fees: "num_nulls(service_fee, fx_spread, channel_fee) IN (0, 3)",
  payment_intents_refunded: `refunded_value BETWEEN 0 AND amount_value
    AND refunded_settlement BETWEEN 0 AND settlement_value
    AND refunded_fx_spread BETWEEN 0 AND coalesce(fx_spread, 0)
    AND refunded_service_fee BETWEEN 0 AND coalesce(service_fee, 0)
    AND partial_refunds >= 0
    AND (refunded_value = 0 OR status IN ('captured', 'succeeded', 'completed', 'failed'))`,
}

export const paymentIntents = makeFactTable({
  kind: "payment_intent",
  name: "payment_intents",
  fields: {
    id: id("pi"),
    version,
    flow: word(),
    status: word(),
    account_id: id("acct"),
    payee_account_id: id("acct"),
    payer_account_id: nullable(id("acct")),
    service_id: uuid,
    amount: money("amount", amount),
    settlement,
    fees,
    refunded,
    spending: nullable(jsonObject()),
    description: text,
    payer: payerOfIntent,
    payee,
    channel: nullable(text),
    trade_no: nullable(text),
    offers: jsonArray(),
    return_url: nullable(text),
    invoice: nullable(id("inv")),
    metadata: nullable(jsonObject()),
    created_at: timestamp,
    expires_at: timestamp,
    channel_asks: nullable(count),
  },
  facts: factsIn(REQUEST_FACTS, ONE_TIME_FACTS),
  factsOf: ({ flow, status }) =>
    FACTS[flow as PaymentIntent["flow"]][status as PaymentIntent["status"]],
  derived: {
    qr_charge_id: part(
      nullable(id("qr")),
      ({ offers }: PaymentIntent) => offers[0]?.charge_id ?? null,
    ),
    due_at: part(nullable(timestamp), dueAt),
  },
  constraints,
  unique: {
    payment_intents_qr_charge_taken: "(qr_charge_id) WHERE qr_charge_id IS NOT NULL",
    payment_intents_trade_taken: "(channel, trade_no) WHERE trade_no IS NOT NULL",
  },
  // Whoever lists sees an intent once: as its creator, else as its payee, else as its payer. Most
  // creators are payer or payee too, so that most rows are in two of the three indexes.
  indexes: {
    payment_intents_payee_account_id: "(payee_account_id, id) WHERE payee_account_id <> account_id",
    payment_intents_payer_account_id: `(payer_account_id, id)
      WHERE payer_account_id <> account_id AND payer_account_id <> payee_account_id`,
  },
})
