import type { Client } from "../../adapters/http/client/client.ts"
import type { PaymentIntent } from "../../core/payments/PaymentIntent.ts"
import { NOTHING_REFUNDED } from "../../core/payments/Refunded.ts"
import { fromIso, type Timestamp } from "../../core/shared/Timestamp.ts"

type AnswerOf<M> = M extends (...request: never) => Promise<infer A> ? A : never
type RowOf<M> = AnswerOf<M> extends { readonly data: ReadonlyArray<infer A> } ? A : never

/** What the interface shows, as its contract has it. */
export type SeenPayment = AnswerOf<Client["paymentIntents"]["get"]>
export type SeenRefund = AnswerOf<Client["refunds"]["get"]>
export type SeenEvent = RowOf<Client["webhookDeliveries"]["events"]>
export type SeenDelivery = RowOf<Client["webhookDeliveries"]["list"]>
export type SeenEndpoint = RowOf<Client["webhookEndpoints"]["list"]>
export type SeenEntry = RowOf<Client["ledger"]["entries"]>
export type SeenBalance = AnswerOf<Client["ledger"]["balance"]>
export type SeenReport = Exclude<AnswerOf<Client["reports"]["reconciliation"]>, string>

/** The accounts that take part in a payment, which its parties know and nobody is shown. */
export interface Parties {
  readonly account_id: string
  readonly payee_account_id: string
  readonly payer_account_id: string | null
}

/** Milliseconds since 1970; 0 for what is no time, which no rule takes for one. */
export const timeOf = (text: string | undefined): Timestamp => fromIso(text ?? "") ?? 0

/** Which flow a payment is of: those by QR code say so, even while they have none. */
export const flowOf = (seen: SeenPayment): PaymentIntent["flow"] =>
  seen.qr === undefined && seen.channels === undefined ? "one_time_pay" : "request_payment"

const stampsOf = (seen: SeenPayment) => ({
  ...(seen.scanned_at !== undefined && { scanned_at: timeOf(seen.scanned_at) }),
  ...(seen.authorized_at !== undefined && { authorized_at: timeOf(seen.authorized_at) }),
  ...(seen.captured_at !== undefined && { captured_at: timeOf(seen.captured_at) }),
  ...(seen.succeeded_at !== undefined && { succeeded_at: timeOf(seen.succeeded_at) }),
})

/**
 * A payment as the auditor knows it, as far as it can be told from outside: nobody is shown its
 * version, its limits or its channels' requests, and what was refunded is told by its refunds.
 */
export const recordOf = (
  seen: SeenPayment,
  parties: Parties,
  flow: PaymentIntent["flow"] = flowOf(seen),
): PaymentIntent => {
  const { currency, rate, value } = seen.settlement
  const record = {
    id: seen.id,
    version: 0,
    ...parties,
    flow,
    service_id: seen.service_id,
    amount: seen.amount,
    settlement: { currency, value, rate: String(rate) },
    fees: seen.fees ?? null,
    refunded: NOTHING_REFUNDED,
    spending: null,
    description: seen.description,
    payer: { ...seen.payer, wallet_id: seen.payer.wallet_id ?? null },
    payee: seen.payee,
    channel: seen.channel,
    trade_no: seen.channel_txn_id ?? null,
    // Which codes are shown changes with the payer's choice; only that there are any counts here.
    offers: flow === "one_time_pay" ? (seen.channels ?? []) : [],
    deeplink: seen.deeplink ?? null,
    return_url: seen.return_url ?? null,
    invoice: seen.invoice ?? null,
    metadata: seen.metadata,
    created_at: timeOf(seen.created_at),
    expires_at: timeOf(seen.expires_at),
    channel_asks: null,
    status: seen.status,
    ...stampsOf(seen),
  }
  return record as PaymentIntent
}
