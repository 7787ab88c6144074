import type { Channel } from "../../core/channels/Channel.ts"
import type * as Shown from "../../adapters/http/client/Resources.ts"
import type { PaymentIntent } from "../../core/payments/PaymentIntent.ts"
import { NOTHING_REFUNDED } from "../../core/payments/Refunded.ts"
import { fromIso, type Timestamp } from "../../core/shared/Timestamp.ts"
import type { Refund } from "../../core/refunds/Refund.ts"

/** A payment as the interface shows it, by its contract. */
export type SeenPayment = Shown.PaymentIntent
export type SeenRefund = Shown.Refund
export type SeenEvent = Shown.Event
export type SeenDelivery = Shown.WebhookDelivery
export type SeenEndpoint = Shown.WebhookEndpoint
export type SeenEntry = Shown.LedgerEntry
export type SeenBalance = Shown.Balance
export type SeenReport = Shown.ReconciliationReport

/** The accounts that take part in a payment. Its parties know them, but no response shows them. */
export interface Parties {
  readonly account_id: string
  readonly payee_account_id: string
  readonly payer_account_id: string | null
}

/** Milliseconds since 1970; 0 for an invalid time, which no rule accepts as a time. */
export const timeOf = (text: string | undefined): Timestamp => fromIso(text ?? "") ?? 0

/** Returns the flow of a payment: payments by QR code say so, even before they have a code. */
export const flowOf = (seen: SeenPayment): PaymentIntent["flow"] =>
  seen.qr === undefined && seen.channels === undefined ? "one_time_pay" : "request_payment"

const stampsOf = (seen: SeenPayment) => ({
  ...(seen.scanned_at !== undefined && { scanned_at: timeOf(seen.scanned_at) }),
  ...(seen.authorized_at !== undefined && { authorized_at: timeOf(seen.authorized_at) }),
  ...(seen.captured_at !== undefined && { captured_at: timeOf(seen.captured_at) }),
  ...(seen.succeeded_at !== undefined && { succeeded_at: timeOf(seen.succeeded_at) }),
})

/**
 * Returns a payment as the auditor knows it, as far as it can be seen from outside. Its version,
 * its limits and its channel requests are not visible, and its refunds show what was refunded.
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
    // The shown codes change with the payer's choice; only their presence matters here.
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

/** An event in the log of one of its receivers. */
export interface LoggedEvent extends SeenEvent {
  readonly account_id: string
}

/** A payment at rest, with everything that its parties can see. */
export interface RestingPayment {
  readonly seen: SeenPayment
  readonly parties: Parties
  /** The payment in the first answer about it. */
  readonly acknowledged: SeenPayment
  readonly refunds: ReadonlyArray<SeenRefund>
  /** The rules of its channel, as the service lists them; undefined if it does not. */
  readonly refund_rules: Channel["refunds"] | undefined
  /** The targets that the refunds were asked to revoke, by refund id; null if a policy decided. */
  readonly revokes: ReadonlyMap<string, Refund["revoke"]>
  readonly events: ReadonlyArray<LoggedEvent>
  readonly entries: ReadonlyArray<SeenEntry>
  /** Whether any wallet was told to pay. */
  readonly paid: boolean
  /** The requests that succeeded: capture, void, cancel. */
  readonly done: ReadonlySet<string>
  /** Older One-Time payments of the same purchase. */
  readonly samePurchase: ReadonlyArray<SeenPayment>
  readonly eventsOfThose: ReadonlyArray<LoggedEvent>
}

/** A webhook that has arrived at one of our receivers. */
export interface Arrival {
  readonly endpoint_id: string
  readonly event_id: string
  /** Whether anybody has registered a receiver at its address. */
  readonly registered: boolean
  /** What is wrong with its signature or its encryption. */
  readonly flaw: string | undefined
  /** Whether it was encrypted, and whether it has to be. */
  readonly sealed: boolean
  readonly has_key: boolean
  /** Whether an earlier arrival of it was answered with 2xx. */
  readonly after_success: boolean
  /** The type of its event; undefined if it cannot be decrypted. */
  readonly type: string | undefined
  readonly data: { readonly [field: string]: unknown } | undefined
}

/** What one account can see of its books, its log and its receivers. */
export interface SeenAccount {
  readonly account_id: string
  readonly events: ReadonlyArray<SeenEvent>
  readonly endpoints: ReadonlyArray<SeenEndpoint>
  readonly deliveries: ReadonlyArray<SeenDelivery>
  /** Its services' ids. */
  readonly services: ReadonlySet<string>
  readonly balance: SeenBalance
  /** All rows of its ledger; undefined if there are too many to read. */
  readonly entries: ReadonlyArray<SeenEntry> | undefined
  readonly report: SeenReport
  /** Whether everything is at rest. */
  readonly rests: boolean
  readonly at: Timestamp
}

declare module "../auditor/Observation.ts" {
  interface Observations {
    /** A payment in an answer, with its last known state from before the request. */
    readonly shown: {
      readonly before: SeenPayment | undefined
      readonly after: SeenPayment
      readonly flow: "request_payment" | "one_time_pay"
      /** The service's time of the request, or a little earlier, if known. */
      readonly asked_at: Timestamp | undefined
    }
    readonly resting: RestingPayment
    /** A payment that was acknowledged, but no longer exists at the end. */
    readonly gone: { readonly id: string }
    readonly arrival: Arrival
    /** An arrival, with the event of its account's log. */
    readonly logged: { readonly arrival: Arrival; readonly event: SeenEvent | undefined }
    readonly account: SeenAccount
    /** A callback that we sent as a channel, and its answer. */
    readonly called_back: { readonly flaw: string | null; readonly status: number }
    /** An answer, and how it deviates from the description of the interface. */
    readonly shape: { readonly where: string; readonly flaw: string | undefined }
    /** An error, and how it deviates from the description of errors. */
    readonly refusal: { readonly where: string; readonly flaw: string | undefined }
    /** A list that was read page by page. */
    readonly list: { readonly where: string; readonly ids: ReadonlyArray<string> }
  }
}
