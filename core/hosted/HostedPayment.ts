import type { Catalog } from "../channels/Channel.ts"
import { find } from "../channels/Channel.ts"
import { asOf } from "../payments/Lifecycle.ts"
import {
  hasEnded,
  offerOf,
  type PaymentIntent,
  type SHOWN_STATUSES,
  shownStatus,
} from "../payments/PaymentIntent.ts"
import type { Money } from "../shared/Money.ts"
import type { Timestamp } from "../shared/Timestamp.ts"
import { capturedInPart } from "../payments/Taken.ts"

/** What a wallet can scan or open: one channel's charge. */
export interface HostedCode {
  readonly channel: string
  /** What people call the channel. */
  readonly label: string
  /** What the QR code holds, which is a link for a wallet too. */
  readonly content: string
}

/**
 * A payment as whoever has its link sees it: what there is to pay to whom, and what became of it.
 * It holds nothing of who asked for it, of the payer and of what the payee gets.
 */
export interface HostedPayment {
  readonly id: string
  /** Grows with every change. */
  readonly version: number
  readonly status: (typeof SHOWN_STATUSES)[number]
  /** Whether nothing changes any more, refunds aside. */
  readonly ended: boolean
  readonly amount: Money
  /** What of it has gone back, or is on its way; null for nothing. */
  readonly refunded: Money | null
  readonly description: string
  readonly service: string
  readonly payee: string
  /** One where the channel is known, several where the payer has the choice. */
  readonly codes: ReadonlyArray<HostedCode>
  readonly failure_code: string | null
  readonly return_url: string | null
  readonly expires_at: Timestamp
  /** Milliseconds until then; 0 once it is over. */
  readonly left: number
}

/** Who is paid for what, by the names that people know. */
interface Names {
  readonly service: string
  readonly payee: string
}

const codesOf = (intent: PaymentIntent, catalog: Catalog): ReadonlyArray<HostedCode> => {
  const { channel } = intent
  if (intent.flow === "one_time_pay") {
    if (channel === null || intent.deeplink === null) return []
    return [{ channel, label: find(catalog, channel)?.label ?? channel, content: intent.deeplink }]
  }
  const chosen = channel === null ? undefined : offerOf(intent, channel)
  const offers = chosen === undefined ? intent.offers : [chosen]
  return offers.map((offer) => ({
    channel: offer.channel,
    label: offer.label,
    content: offer.qr_data,
  }))
}

/** Where a payment is at that time. One that is past it is at the end that is stored next. */
export const standingOf = (
  stored: PaymentIntent,
  now: Timestamp,
): Pick<HostedPayment, "ended" | "status" | "version"> => {
  const intent = asOf(stored, now)
  return {
    version: intent.status === stored.status ? stored.version : stored.version + 1,
    status: shownStatus(intent),
    ended: hasEnded(intent),
  }
}

/** The payment at that time. */
export const hostedPayment = (
  stored: PaymentIntent,
  { payee, service }: Names,
  catalog: Catalog,
  now: Timestamp,
): HostedPayment => {
  const intent = asOf(stored, now)
  const { refunded } = intent
  // What the payer pays: what was captured, once that is less.
  const amount = capturedInPart(intent) ?? intent.amount
  const standing = standingOf(stored, now)
  const { ended } = standing
  return {
    id: intent.id,
    ...standing,
    amount,
    refunded: refunded.value === 0 ? null : { ...amount, value: refunded.value },
    description: intent.description,
    service,
    payee,
    codes: ended ? [] : codesOf(intent, catalog),
    failure_code: intent.status === "failed" ? intent.failure_code : null,
    return_url: intent.return_url,
    expires_at: intent.expires_at,
    left: ended ? 0 : Math.max(0, intent.expires_at - now),
  }
}
