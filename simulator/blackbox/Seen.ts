import type * as Shown from "../../adapters/http/client/Resources.ts"
import type { PaymentIntent } from "../../core/payments/PaymentIntent.ts"
import { NOTHING_REFUNDED } from "../../core/payments/Refunded.ts"
import { fromIso, type Timestamp } from "../../core/shared/Timestamp.ts"
import type { Refund } from "../../core/refunds/Refund.ts"

/** What the interface shows, as its contract has it. */
export type SeenPayment = Shown.PaymentIntent
export type SeenRefund = Shown.Refund
export type SeenEvent = Shown.Event
export type SeenDelivery = Shown.WebhookDelivery
export type SeenEndpoint = Shown.WebhookEndpoint
export type SeenEntry = Shown.LedgerEntry
export type SeenBalance = Shown.Balance
export type SeenReport = Shown.ReconciliationReport

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

/** An event in the log of one of those who were told. */
export interface LoggedEvent extends SeenEvent {
  readonly account_id: string
}

/** A payment after everything has come to rest, with all that its parties are shown of it. */
export interface RestingPayment {
  readonly seen: SeenPayment
  readonly parties: Parties
  /** As the first answer about it said. */
  readonly acknowledged: SeenPayment
  readonly refunds: ReadonlyArray<SeenRefund>
  /** What the refunds were asked to revoke, by their ids; null where a policy decided. */
  readonly revokes: ReadonlyMap<string, Refund["revoke"]>
  readonly events: ReadonlyArray<LoggedEvent>
  readonly entries: ReadonlyArray<SeenEntry>
  /** Whether anybody's wallet was told to pay. */
  readonly paid: boolean
  /** The requests that were answered as done: capture, void, cancel. */
  readonly done: ReadonlySet<string>
  /** Older One-Time payments of the same purchase. */
  readonly samePurchase: ReadonlyArray<SeenPayment>
  readonly eventsOfThose: ReadonlyArray<LoggedEvent>
}

/** A webhook that has arrived at a receiver of ours. */
export interface Arrival {
  readonly endpoint_id: string
  readonly event_id: string
  /** Whether anybody has registered a receiver where it came. */
  readonly registered: boolean
  /** What is wrong with its signature or with how it is hidden. */
  readonly flaw: string | undefined
  /** Whether it was encrypted, and whether it has to be. */
  readonly sealed: boolean
  readonly has_key: boolean
  /** Whether one before it was answered 2xx. */
  readonly after_success: boolean
  /** What it says; undefined where it cannot be opened. */
  readonly type: string | undefined
  readonly data: { readonly [field: string]: unknown } | undefined
}

/** What one account is shown of its books, its log and its receivers. */
export interface SeenAccount {
  readonly account_id: string
  readonly events: ReadonlyArray<SeenEvent>
  readonly endpoints: ReadonlyArray<SeenEndpoint>
  readonly deliveries: ReadonlyArray<SeenDelivery>
  /** Its services' ids. */
  readonly services: ReadonlySet<string>
  readonly balance: SeenBalance
  /** All rows of its ledger; undefined where there are too many to read. */
  readonly entries: ReadonlyArray<SeenEntry> | undefined
  readonly report: SeenReport
  /** Whether everything has come to rest. */
  readonly rests: boolean
  readonly at: Timestamp
}

declare module "../auditor/Observation.ts" {
  interface Observations {
    /** A payment as an answer shows it, with what an answer had shown before it was asked for. */
    readonly shown: {
      readonly before: SeenPayment | undefined
      readonly after: SeenPayment
      readonly flow: "request_payment" | "one_time_pay"
      /** The service's time when it was asked, or a little earlier, where it is known. */
      readonly asked_at: Timestamp | undefined
    }
    readonly resting: RestingPayment
    /** A payment that was acknowledged, and that is not there at the end. */
    readonly gone: { readonly id: string }
    readonly arrival: Arrival
    /** An arrival held against the event log of its account. */
    readonly logged: { readonly arrival: Arrival; readonly event: SeenEvent | undefined }
    readonly account: SeenAccount
    /** A callback that we sent in a channel's name, and what it was answered. */
    readonly called_back: { readonly flaw: string | null; readonly status: number }
    /** An answer, and what of it is not as the interface is described. */
    readonly shape: { readonly where: string; readonly flaw: string | undefined }
    /** A refusal, and what of it is not as errors are described. */
    readonly refusal: { readonly where: string; readonly flaw: string | undefined }
    /** A list that was read page by page. */
    readonly list: { readonly where: string; readonly ids: ReadonlyArray<string> }
  }
}
