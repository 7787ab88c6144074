import { defineKind } from "../commits/KindDeclaration.ts"
import type { Fees, Settlement } from "../pricing/Price.ts"
import type { Refunded } from "./Refunded.ts"
import type { HeldLimits } from "./HeldLimits.ts"
import { holdsCardNumber } from "../shared/Text.ts"
import { Failure } from "../shared/Failure.ts"
import type { Money } from "../shared/Money.ts"
import { DAY, HOUR, MINUTE, SECOND, type Timestamp } from "../shared/Timestamp.ts"
import type { OneTimeFacts } from "./OneTimePay.ts"
import type { RequestFacts } from "./RequestPayment.ts"
import type { InState } from "../shared/Machine.ts"

/** How long a payer has to pay (Limits). */
export const REQUEST_LIFETIME = 15 * MINUTE
export const ONE_TIME_LIFETIME = 5 * MINUTE

/** A charge that the payer may choose: one channel's QR code for this intent. */
export interface Offer {
  readonly channel: string
  /** `qr_` and a UUID. */
  readonly charge_id: string
  /** The content of the QR code. */
  readonly qr_data: string
  /** The hosted payment page. */
  readonly scan_url: string
  readonly label: string
  /** The payment's fees if this channel is chosen. Set if there are several to choose from. */
  readonly fees?: Fees
}

/** The payer: an agent for a person. The wallet and the person are known after authorization. */
export interface Payer {
  readonly agent_id: string | null
  readonly human_id: string | null
  readonly wallet_id: string | null
}

/** The fields of an intent in every state (PaymentIntent). */
export interface IntentCommon {
  /** `pi_` and a UUIDv7. */
  readonly id: string
  readonly version: number
  /** The account that created it. */
  readonly account_id: string
  readonly payee_account_id: string
  /** The account whose agent pays; null if the payer is unknown or has not consented. */
  readonly payer_account_id: string | null
  readonly service_id: string
  readonly amount: Money
  /** The amount and rate that the payee receives for the whole payment; fixed at creation. */
  readonly settlement: Settlement
  /** The payee's costs; null until the channel is known, then fixed. */
  readonly fees: Fees | null
  /** The sums of succeeded and pending refunds. */
  readonly refunded: Refunded
  /**
   * The amount that the payment counts against limits of its payer or its payee. It has no counters
   * yet if it is counted at its capture.
   */
  readonly spending: HeldLimits | null
  readonly description: string
  readonly payer: Payer
  readonly payee: { readonly agent_id: string; readonly merchant_account: string | null }
  /** Null until a payer's choice among several offers fixes it. */
  readonly channel: string | null
  /** The channel's own number of the trade, from the first callback that names it. */
  readonly trade_no: string | null
  readonly offers: ReadonlyArray<Offer>
  readonly return_url: string | null
  /** The invoice that it pays; null for all others. */
  readonly invoice: string | null
  readonly metadata: { readonly [key: string]: unknown } | null
  readonly created_at: Timestamp
  readonly expires_at: Timestamp
  /**
   * How often a channel without news was asked about this payment; null when nothing is left to
   * learn.
   */
  readonly channel_asks: number | null
  /**
   * The W3C Trace Context of its creation, which events for its creator continue; null without a
   * trace.
   */
  readonly traceparent: string | null
}

/** A payment by QR code, in one of its states. */
export type RequestPayment = IntentCommon & {
  readonly flow: "request_payment"
} & InState<RequestFacts>

/** A payment by deep link, in one of its states. */
export type OneTimePayment = IntentCommon & {
  readonly flow: "one_time_pay"
  readonly deeplink: string | null
} & InState<OneTimeFacts>

/** A payment in one of the states of its flow. */
export type PaymentIntent = RequestPayment | OneTimePayment

/** The states of both flows. */
export type IntentStatus = PaymentIntent["status"]

const ENDED: ReadonlySet<IntentStatus> = new Set([
  "succeeded",
  "completed",
  "failed",
  "expired",
  "cancelled",
  "voided",
])

/** The states that callers see. */
export const SHOWN_STATUSES = [
  "pending",
  "qr_generated",
  "scanning",
  "authorized",
  "captured",
  "succeeded",
  "completed",
  "failed",
  "expired",
  "cancelled",
  "voided",
] as const
type ShownStatus = (typeof SHOWN_STATUSES)[number]

/** The states of a payment that has ended unpaid. */
export const UNPAID_ENDINGS = ["failed", "expired", "cancelled", "voided"] as const

/** Returns whether a payment of that status has ended unpaid. It then counts against no limit. */
export const endsUnpaid = (status: PaymentIntent["status"]): boolean =>
  UNPAID_ENDINGS.some((ending) => ending === status)

/** Returns whether no move leads out of the intent's state. */
export const hasEnded = (intent: PaymentIntent): boolean => ENDED.has(intent.status)

/**
 * Returns whether the intent can expire. Every state that has not ended can, except those in which
 * money is being captured or debited, or waits for its settlement.
 */
export const canExpire = (intent: PaymentIntent): boolean =>
  !hasEnded(intent) &&
  intent.status !== "capturing" &&
  intent.status !== "debiting" &&
  intent.status !== "captured"

/** How long before the expiry of an unpaid payment its channel is asked about it. */
const ASK_BEFORE_EXPIRY = 30 * SECOND

const ASK_AFTER = [30 * SECOND, MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 12 * HOUR]

/** After this many questions, in about a month, a payment stays and is left to reconciliation. */
export const MOST_ASKS = 36

/**
 * Returns when to ask about a payment whose last move was at `since`: at growing intervals, then
 * daily.
 */
const askedAfter = (since: Timestamp, asks: number): Timestamp | null =>
  asks >= MOST_ASKS ? null : since + (ASK_AFTER[asks] ?? (asks + 1 - ASK_AFTER.length) * DAY)

/**
 * Returns when to ask the channel about the payment, in case a callback was lost: once before an
 * unpaid payment expires, while captured money is not settled, and after the service itself has
 * ended the payment, because a payer may have paid at the same time. Returns null if there is
 * nothing to ask.
 */
export const askAt = (intent: PaymentIntent): Timestamp | null => {
  const asks = intent.channel_asks
  if (asks === null) return null
  switch (intent.status) {
    case "captured":
      return askedAfter(intent.captured_at, asks)
    case "pending":
    case "qr_generated":
    case "scanning":
      return asks === 0 ? intent.expires_at - ASK_BEFORE_EXPIRY : null
    case "expired":
    case "cancelled":
    case "voided":
      return intent.trade_no === null ? askedAfter(intent.ended_at, asks) : null
    default:
      return null
  }
}

/** The endings of payments that are removed. A failed payment is an answer, and stays. */
const LEAVING: ReadonlySet<IntentStatus> = new Set(["expired", "cancelled", "voided"])

/** How long a payment is kept that ended before its payer did anything. */
export const KEPT_UNPAID = 30 * DAY

/**
 * Returns when to remove a payment that its payer never began. Its channels must have said that
 * they hold no money for it. A payment of an invoice stays, because the invoice shows it. Returns
 * null for all others.
 */
export const leavesAt = (intent: PaymentIntent): Timestamp | null =>
  "ended_at" in intent &&
  LEAVING.has(intent.status) &&
  !("scanned_at" in intent && intent.scanned_at !== undefined) &&
  intent.trade_no === null &&
  intent.channel_asks === null &&
  intent.invoice === null
    ? intent.ended_at + KEPT_UNPAID
    : null

/** Returns when a worker has to look at the intent, or null if time changes nothing about it. */
export const dueAt = (intent: PaymentIntent): Timestamp | null =>
  askAt(intent) ?? (canExpire(intent) ? intent.expires_at : leavesAt(intent))

/** Returns the offer of a channel, if the intent has one. */
export const offerOf = (intent: PaymentIntent, channel: string): Offer | undefined =>
  intent.offers.find((offer) => offer.channel === channel)

/** Returns the intent with its channel and that channel's fees. A channel is set once. */
export const onChannel = <I extends PaymentIntent>(intent: I, channel: string): I => ({
  ...intent,
  channel,
  fees: intent.fees ?? offerOf(intent, channel)?.fees ?? null,
})

/**
 * Returns the status that callers see. A capture under way shows as authorized, a debit under way
 * as pending.
 */
export const shownStatus = ({ status }: PaymentIntent): ShownStatus =>
  status === "capturing" ? "authorized" : status === "debiting" ? "pending" : status

/** The largest size of metadata, in bytes of its JSON as UTF-8 (Limits). */
const MAX_METADATA_BYTES = 4096

/** Checks metadata. Returns `INVALID_METADATA` if it is too large or holds a card number. */
export const checkMetadata = (metadata: { readonly [key: string]: unknown } | undefined) => {
  if (metadata === undefined) return undefined
  const text = JSON.stringify(metadata)
  const bytes = utf8Length(text)
  if (bytes <= MAX_METADATA_BYTES) return holdsCardNumber(text) ? cardNumber() : undefined
  return new Failure({
    code: "INVALID_METADATA",
    message: `The metadata has ${bytes} bytes of JSON. At most ${MAX_METADATA_BYTES} are allowed.`,
    field: "metadata",
    details: { field: "metadata", bytes, limit: MAX_METADATA_BYTES },
  })
}

const cardNumber = () =>
  new Failure({
    code: "INVALID_METADATA",
    message: "The metadata contains a card number. Card numbers are never stored: leave it out.",
    field: "metadata",
    details: { field: "metadata", reason: "must hold no card number" },
  })

const utf8Length = (text: string): number => {
  let bytes = 0
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    // The two halves of a surrogate pair stand for four bytes together.
    bytes += unit < 0x80 ? 1 : unit < 0x800 || (unit >= 0xd800 && unit < 0xe000) ? 2 : 3
  }
  return bytes
}

declare module "../commits/Records.ts" {
  interface DueRecords {
    readonly payment_intent: PaymentIntent
  }
}

/** How payment intents are kept. */
export const paymentIntentKind = defineKind("payment_intent", {
  prefix: "pi",
  erased: true,
  dueAt,
  lists: [["account_id"], ["payee_account_id"], ["payer_account_id"]],
})
