import type { Fees } from "../pricing/Fees.ts"
import { type Timestamp, toIso } from "../shared/Timestamp.ts"
import { asOf, shownStatus } from "./Lifecycle.ts"
import { offerOf, type PaymentIntent } from "./PaymentIntent.ts"

/** A payment as its participants see it (PaymentIntent). */
export interface IntentView {
  readonly id: string
  readonly service_id: string
  readonly type: "one_time"
  readonly status: string
  readonly amount: { readonly currency: string; readonly value: number }
  readonly settlement: { readonly currency: string; readonly value: number; readonly rate: number }
  /** For the payee only. */
  readonly fees?: Fees | null
  readonly description: string
  readonly payer: {
    readonly agent_id: string | null
    readonly human_id: string | null
    readonly wallet_id?: string
  }
  readonly payee: { readonly agent_id: string; readonly merchant_account: string | null }
  readonly channel: string | null
  readonly qr?: {
    readonly charge_id: string
    readonly scan_url: string
    readonly qr_data: string
  } | null
  readonly channels?: ReadonlyArray<{
    readonly channel: string
    readonly qr_data: string
    readonly scan_url: string
    readonly label: string
  }>
  readonly payer_prompt?: string
  readonly deeplink?: string
  readonly scanned_at?: string
  readonly authorized_at?: string
  readonly captured_at?: string
  readonly succeeded_at?: string
  readonly channel_txn_id?: string
  readonly channel_outcome?: "unknown"
  readonly failure_code?: string
  readonly failure_message?: string
  readonly auto_paid?: boolean
  readonly return_url?: string
  /** With payments of invoices. */
  readonly invoice?: string
  readonly metadata: { readonly [key: string]: unknown } | null
  readonly created_at: string
  readonly expires_at: string
}

type Facts = Partial<
  Record<"scanned_at" | "authorized_at" | "captured_at" | "succeeded_at", Timestamp>
>

const times = (intent: PaymentIntent) => {
  const facts = intent as Facts
  return {
    ...(facts.scanned_at !== undefined && { scanned_at: toIso(facts.scanned_at) }),
    ...(facts.authorized_at !== undefined && { authorized_at: toIso(facts.authorized_at) }),
    ...(facts.captured_at !== undefined && { captured_at: toIso(facts.captured_at) }),
    ...(facts.succeeded_at !== undefined && { succeeded_at: toIso(facts.succeeded_at) }),
  }
}

const PROMPT = "Choose how to pay: scan one of these codes with the wallet of your choice."

const qrOf = (intent: PaymentIntent): Pick<IntentView, "qr" | "channels" | "payer_prompt"> => {
  if (intent.flow === "one_time_pay") return {}
  const chosen = intent.channel === null ? undefined : offerOf(intent, intent.channel)
  if (chosen !== undefined) {
    const { charge_id, scan_url, qr_data } = chosen
    return { qr: { charge_id, scan_url, qr_data } }
  }
  if (intent.offers.length === 0) return { qr: null }
  const channels = intent.offers.map(({ channel, qr_data, scan_url, label }) => ({
    channel,
    qr_data,
    scan_url,
    label,
  }))
  return { qr: null, channels, payer_prompt: PROMPT }
}

const outcome = (intent: PaymentIntent): Partial<IntentView> => {
  switch (intent.status) {
    case "capturing":
    case "debiting":
      return intent.channel_outcome === "unknown" ? { channel_outcome: "unknown" } : {}
    case "succeeded":
      return { channel_txn_id: intent.channel_txn_id }
    case "completed":
      return { channel_txn_id: intent.channel_txn_id, auto_paid: intent.auto_paid }
    case "failed":
      return { failure_code: intent.failure_code, failure_message: intent.failure_message }
    default:
      return {}
  }
}

const deeplinkOf = (intent: PaymentIntent): Pick<IntentView, "deeplink"> =>
  intent.flow === "one_time_pay" && intent.deeplink !== null ? { deeplink: intent.deeplink } : {}

/**
 * The intent at that time in the wire's shape, as the account `viewer` sees it: its fees are its
 * payee's business. One that is past `expires_at` shows as expired.
 */
export const view = (stored: PaymentIntent, now: Timestamp, viewer: string): IntentView => {
  const intent = asOf(stored, now)
  const { agent_id, human_id, wallet_id } = intent.payer
  const { currency, value, rate } = intent.settlement
  return {
    id: intent.id,
    service_id: intent.service_id,
    type: "one_time",
    status: shownStatus(intent),
    amount: intent.amount,
    settlement: { currency, value, rate: Number(rate) },
    ...(viewer === intent.payee_account_id && { fees: intent.fees }),
    description: intent.description,
    payer: { agent_id, human_id, ...(wallet_id !== null && { wallet_id }) },
    payee: intent.payee,
    channel: intent.channel,
    ...qrOf(intent),
    ...deeplinkOf(intent),
    ...times(intent),
    ...outcome(intent),
    ...(intent.return_url !== null && { return_url: intent.return_url }),
    ...(intent.invoice !== null && { invoice: intent.invoice }),
    metadata: intent.metadata,
    created_at: toIso(intent.created_at),
    expires_at: toIso(intent.expires_at),
  }
}
