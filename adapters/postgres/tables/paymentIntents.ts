import {
  dueAt,
  type IntentCommon,
  type PaymentIntent,
} from "../../../core/payments/PaymentIntent.ts"
import type { OneTimeFacts } from "../../../core/payments/OneTimePay.ts"
import type { RequestFacts } from "../../../core/payments/RequestPayment.ts"
import { type Fees, feesFrom } from "../../../core/pricing/Fees.ts"
import type { Timestamp } from "../../../core/shared/Timestamp.ts"
import {
  boolean,
  type Columns,
  decimal,
  id,
  integer,
  json,
  makeTable,
  minorUnits,
  nullable,
  text,
  timestamp,
  uuid,
  word,
} from "./Table.ts"

type Names<U> = U extends unknown ? keyof U : never
type Value<U, N> = U extends unknown
  ? N extends keyof U
    ? Exclude<U[N], undefined>
    : never
  : never
type AnyFacts = RequestFacts[keyof RequestFacts] | OneTimeFacts[keyof OneTimeFacts]

/** What is known only in some states: every fact of either flow. */
type Facts = { readonly [N in Names<AnyFacts>]: Value<AnyFacts, N> | null }

const factColumns: Columns<Facts> = {
  scanned_at: nullable(timestamp),
  authorized_at: nullable(timestamp),
  captured_at: nullable(timestamp),
  succeeded_at: nullable(timestamp),
  ended_at: nullable(timestamp),
  capture_request: nullable(id("creq")),
  debit_request: nullable(id("creq")),
  channel_outcome: nullable(word()),
  channel_txn_id: nullable(text),
  auto_paid: nullable(boolean),
  failure_code: nullable(text),
  failure_message: nullable(text),
}

const FACTS = Object.keys(factColumns) as ReadonlyArray<keyof Facts>

type Flat = Omit<IntentCommon, "amount" | "settlement" | "fees" | "refunded" | "payer" | "payee"> &
  Facts & {
    readonly flow: PaymentIntent["flow"]
    readonly status: PaymentIntent["status"]
    readonly amount_currency: string
    readonly amount_value: number
    readonly settlement_currency: string
    readonly settlement_value: number
    readonly settlement_rate: string
    readonly service_fee: number | null
    readonly fx_spread: number | null
    readonly channel_fee: number | null
    readonly refunded_value: number
    readonly refunded_settlement: number
    readonly refunded_fx_spread: number
    readonly refunded_service_fee: number
    readonly partial_refunds: number
    readonly payer_agent_id: string | null
    readonly payer_human_id: string | null
    readonly payer_wallet_id: string | null
    readonly payee_agent_id: string
    readonly payee_merchant_account: string | null
    readonly deeplink: string | null
    readonly qr_charge_id: string | null
    readonly due_at: Timestamp | null
  }

/** Written out: a record spread over a new one with as many fields costs many times as much. */
const flatten = (intent: PaymentIntent): Flat => {
  const { amount, fees, payee, payer, refunded, settlement } = intent
  const facts: Partial<Facts> & Pick<IntentCommon, "id"> = intent
  return {
    id: intent.id,
    version: intent.version,
    flow: intent.flow,
    status: intent.status,
    account_id: intent.account_id,
    payee_account_id: intent.payee_account_id,
    payer_account_id: intent.payer_account_id,
    service_id: intent.service_id,
    amount_currency: amount.currency,
    amount_value: amount.value,
    settlement_currency: settlement.currency,
    settlement_value: settlement.value,
    settlement_rate: settlement.rate,
    service_fee: fees === null ? null : fees.service.value,
    fx_spread: fees === null ? null : fees.fx_spread.value,
    channel_fee: fees === null ? null : fees.channel.value,
    refunded_value: refunded.value,
    refunded_settlement: refunded.settlement,
    refunded_fx_spread: refunded.fx_spread,
    refunded_service_fee: refunded.service_fee,
    partial_refunds: refunded.partials,
    spending: intent.spending,
    description: intent.description,
    payer_agent_id: payer.agent_id,
    payer_human_id: payer.human_id,
    payer_wallet_id: payer.wallet_id,
    payee_agent_id: payee.agent_id,
    payee_merchant_account: payee.merchant_account,
    channel: intent.channel,
    trade_no: intent.trade_no,
    offers: intent.offers,
    qr_charge_id: intent.offers[0]?.charge_id ?? null,
    deeplink: intent.flow === "one_time_pay" ? intent.deeplink : null,
    return_url: intent.return_url,
    invoice: intent.invoice,
    metadata: intent.metadata,
    scanned_at: facts.scanned_at ?? null,
    authorized_at: facts.authorized_at ?? null,
    captured_at: facts.captured_at ?? null,
    succeeded_at: facts.succeeded_at ?? null,
    ended_at: facts.ended_at ?? null,
    capture_request: facts.capture_request ?? null,
    debit_request: facts.debit_request ?? null,
    channel_outcome: facts.channel_outcome ?? null,
    channel_txn_id: facts.channel_txn_id ?? null,
    auto_paid: facts.auto_paid ?? null,
    failure_code: facts.failure_code ?? null,
    failure_message: facts.failure_message ?? null,
    created_at: intent.created_at,
    expires_at: intent.expires_at,
    channel_asks: intent.channel_asks,
    due_at: dueAt(intent),
  }
}

const restoreFees = (flat: Flat): Fees | null => {
  const { service_fee, fx_spread, channel_fee, settlement_currency } = flat
  return service_fee === null || fx_spread === null || channel_fee === null
    ? null
    : feesFrom(settlement_currency, service_fee, fx_spread, channel_fee)
}

/** The CHECKs of the table say which facts each state has, so a row reads as one of the states. */
const restore = (flat: Flat): PaymentIntent => {
  const intent: { [field: string]: unknown } = {
    id: flat.id,
    version: flat.version,
    flow: flat.flow,
    account_id: flat.account_id,
    payee_account_id: flat.payee_account_id,
    payer_account_id: flat.payer_account_id,
    service_id: flat.service_id,
    amount: { currency: flat.amount_currency, value: flat.amount_value },
    settlement: {
      currency: flat.settlement_currency,
      value: flat.settlement_value,
      rate: flat.settlement_rate,
    },
    fees: restoreFees(flat),
    refunded: {
      value: flat.refunded_value,
      settlement: flat.refunded_settlement,
      fx_spread: flat.refunded_fx_spread,
      service_fee: flat.refunded_service_fee,
      partials: flat.partial_refunds,
    },
    spending: flat.spending,
    description: flat.description,
    payer: {
      agent_id: flat.payer_agent_id,
      human_id: flat.payer_human_id,
      wallet_id: flat.payer_wallet_id,
    },
    payee: { agent_id: flat.payee_agent_id, merchant_account: flat.payee_merchant_account },
    channel: flat.channel,
    trade_no: flat.trade_no,
    offers: flat.offers,
    return_url: flat.return_url,
    invoice: flat.invoice,
    metadata: flat.metadata,
    created_at: flat.created_at,
    expires_at: flat.expires_at,
    channel_asks: flat.channel_asks,
    status: flat.status,
  }
  if (flat.flow === "one_time_pay") intent["deeplink"] = flat.deeplink
  for (const fact of FACTS) {
    if (flat[fact] !== null) intent[fact] = flat[fact]
  }
  return intent as unknown as PaymentIntent
}

export const paymentIntents = makeTable<"payment_intent", Flat>({
  kind: "payment_intent",
  name: "payment_intents",
  prefix: "pi",
  due: true,
  columns: {
    id: id("pi"),
    version: integer,
    flow: word(),
    status: word(),
    account_id: id("acct"),
    payee_account_id: id("acct"),
    payer_account_id: nullable(id("acct")),
    service_id: uuid,
    amount_currency: text,
    amount_value: minorUnits,
    settlement_currency: text,
    settlement_value: minorUnits,
    settlement_rate: decimal,
    service_fee: nullable(minorUnits),
    fx_spread: nullable(minorUnits),
    channel_fee: nullable(minorUnits),
    refunded_value: minorUnits,
    refunded_settlement: minorUnits,
    refunded_fx_spread: minorUnits,
    refunded_service_fee: minorUnits,
    partial_refunds: integer,
    spending: nullable(json()),
    description: text,
    payer_agent_id: nullable(text),
    payer_human_id: nullable(text),
    payer_wallet_id: nullable(text),
    payee_agent_id: text,
    payee_merchant_account: nullable(text),
    channel: nullable(text),
    trade_no: nullable(text),
    offers: json(),
    qr_charge_id: nullable(id("qr")),
    deeplink: nullable(text),
    return_url: nullable(text),
    invoice: nullable(id("inv")),
    metadata: nullable(json()),
    ...factColumns,
    created_at: timestamp,
    expires_at: timestamp,
    channel_asks: nullable(integer),
    due_at: nullable(timestamp),
  },
  flatten,
  restore,
})
