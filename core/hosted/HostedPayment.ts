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

/** A code that a wallet can scan or open: one channel's charge. */
export interface HostedCode {
  readonly channel: string
  /** The channel's name for people. */
  readonly label: string
  /** The content of the QR code, which is also a link for a wallet. */
  readonly content: string
}

/**
 * A payment as everyone with its link sees it: what is to be paid to whom, and the status. It
 * contains no data about the payer, the creator, or the settlement of the payee.
 */
export interface HostedPayment {
  readonly id: string
  /** Increases with every change. */
  readonly version: number
  readonly status: (typeof SHOWN_STATUSES)[number]
  /** Whether the status is final; refunds may follow. */
  readonly ended: boolean
  readonly amount: Money
  /** The part that was refunded, or is being refunded; null for nothing. */
  readonly refunded: Money | null
  readonly description: string
  readonly service: string
  readonly payee: string
  /** One where the channel is fixed, several where the payer has a choice. */
  readonly codes: ReadonlyArray<HostedCode>
  readonly failure_code: string | null
  /** The service whose printed code can be paid now; null where it has none. */
  readonly code_of: string | null
  readonly return_url: string | null
  readonly expires_at: Timestamp
  /** Milliseconds until `expires_at`; 0 after it. */
  readonly left: number
}

/** The names of service and payee, and the service if it is sold by its printed code. */
type Seller = Pick<HostedPayment, "service" | "payee" | "code_of">

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

/**
 * Returns a payment's standing at `now`. A payment past its expiry has its final status already.
 */
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

/** Returns the view of a payment at `now`. */
export const hostedPayment = (
  stored: PaymentIntent,
  seller: Seller,
  catalog: Catalog,
  now: Timestamp,
): HostedPayment => {
  const intent = asOf(stored, now)
  const { refunded } = intent
  // After a partial capture, the captured amount is shown.
  const amount = capturedInPart(intent) ?? intent.amount
  const standing = standingOf(stored, now)
  const { ended } = standing
  return {
    id: intent.id,
    ...standing,
    amount,
    refunded: refunded.value === 0 ? null : { ...amount, value: refunded.value },
    description: intent.description,
    ...seller,
    codes: ended ? [] : codesOf(intent, catalog),
    failure_code: intent.status === "failed" ? intent.failure_code : null,
    return_url: intent.return_url,
    expires_at: intent.expires_at,
    left: ended ? 0 : Math.max(0, intent.expires_at - now),
  }
}
