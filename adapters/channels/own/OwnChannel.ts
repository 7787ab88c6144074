import type { Effect } from "effect"
import type { Channel } from "../../../core/channels/Channel.ts"
import type {
  MANDATE_STATUSES,
  REFUND_STATUSES,
  TradeStatus,
} from "../../../core/gateway/ChannelCallback.ts"
import type {
  ChannelCall,
  ChannelPayer,
  Charge,
  ChargeReference,
  ClosedBy,
  MandateReference,
  MandateRequest,
  StatementLine,
} from "../../../core/ports/Channels.ts"
import type { Money } from "../../../core/shared/Money.ts"

/** Minor units as an integer: `{ currency: "USD", value: 699 }` is 6.99 USD. */
type Amount = Money

/** A time as ISO 8601 with its zone, or a `Date`. */
type Moment = string | Date

/** An answer: a value, a promise, or an effect without requirements. */
export type Answered<A> = A | PromiseLike<A> | Effect.Effect<A, unknown>

/** What a function of a channel gets beside its question. */
export interface AskedWith {
  /** Aborts when the channel's time is over. Then nobody waits for the answer. */
  readonly signal: AbortSignal
}

/**
 * A function of a channel. If it throws, rejects, hangs or returns an invalid answer, its effect is
 * unknown: payport queries it later, and repeats nothing blindly. It may throw a `ChannelRefusal`
 * with the reason: `rate_limited` with `retry_after`, `down` or `credentials`. A capture or a debit
 * that throws `credentials` counts as refused: throw that only if the channel has rejected the
 * login.
 */
export type Asked<Question, Answer> = (question: Question, options: AskedWith) => Answered<Answer>

/** A charge to be made. The same `charge_id` again means the same charge. */
export type OwnCharge = Omit<Charge, "asked_by" | "expires_at"> & { readonly expires_at: string }

/** A charge, or why the channel refuses it. Routing then takes the fallback. */
export type ChargeMade =
  | { readonly status: "created"; readonly qr_data: string }
  | { readonly status: "refused"; readonly reason?: string }

/** The same for a link, which payport makes itself. */
export type LinkMade =
  | { readonly status: "created" }
  | { readonly status: "refused"; readonly reason?: string }

/**
 * The outcome of a request: done, pending with a later message, or refused. Refused must mean that
 * no money has moved and none will.
 */
export type RequestAnswered =
  | { readonly status: "done"; readonly trade_no: string; readonly at: Moment }
  | { readonly status: "pending" }
  | { readonly status: "refused"; readonly reason?: string }

/** The channel does not know the request, and it can no longer take effect. */
export interface NotFound {
  readonly status: "not_found"
}

/** The state of a charge. `refunded` is the refunded part of the captured money, in minor units. */
export type ChargeAnswered = { readonly amount: Amount; readonly refunded: number } & (
  | { readonly status: "unpaid"; readonly trade_no?: string | null }
  | {
      readonly status: "held" | "paid" | "settled"
      readonly trade_no: string
      readonly payer?: ChannelPayer
    }
  | { readonly status: "closed"; readonly trade_no?: string | null; readonly reason: ClosedBy }
)

/** The state of a mandate. While it is pending, a person approves it at `approval_url`. */
export interface MandateAnswered {
  readonly status: "pending" | "active" | "revoked"
  readonly approval_url?: string
}

/** A page of a day's statement. `next` is the cursor of the next page, null at the end. */
export interface StatementAnswered {
  readonly lines: ReadonlyArray<Omit<StatementLine, "at"> & { readonly at: Moment }>
  readonly next: string | null
}

/** A callback as received. */
export interface RawCallback {
  readonly body: Uint8Array
  /** By lower-case name. */
  readonly headers: { readonly [name: string]: string | undefined }
}

/** The content of a callback. */
export type CallbackRead =
  | {
      readonly event: "trade_status"
      /** The payment's id, under which the charge was made. */
      readonly out_trade_no: string
      readonly trade_no: string
      readonly amount: Amount
      readonly trade_status: TradeStatus
      readonly payer_id?: string
      readonly wallet_id?: string
      readonly paid_at?: Moment
    }
  | {
      readonly event: "refund_status"
      readonly out_trade_no: string
      /** The `number` of the refund. */
      readonly out_request_no: string
      readonly amount: Amount
      readonly refund_status: (typeof REFUND_STATUSES)[number]
      readonly failure_reason?: string
    }
  | {
      readonly event: "mandate_status"
      readonly mandate_id: string
      readonly mandate_status: (typeof MANDATE_STATUSES)[number]
    }

/** How a channel's callbacks are verified and read. */
export interface CallbackCodec {
  /** Whether the channel has sent exactly this. Anybody can send anything. */
  readonly verify: Asked<RawCallback, boolean>
  /** Reads a genuine callback. */
  readonly read: Asked<RawCallback, CallbackRead>
}

/** Debits that a person has approved before, so that an agent pays without asking. */
export interface OwnDebits {
  /** Makes the charge and collects the money, under the mandate of `call.mandate`. */
  readonly debit: Asked<ChannelCall, RequestAnswered>
  /** Requests a person's approval. The same `mandate_id` again requests nothing new. */
  readonly requestMandate: Asked<MandateRequest, MandateAnswered>
  readonly inquireMandate: Asked<MandateReference, MandateAnswered | NotFound>
  readonly revokeMandate: Asked<MandateReference, MandateAnswered | NotFound>
}

/** A payment channel of the host. Amounts are in minor units everywhere. */
export interface OwnChannel {
  /** Its description, abilities and costs, as `GET /v1/channels` shows them. */
  readonly channel: Channel
  /** Time limit of an answer in milliseconds: 100 to 9,000; 8,000 by default. */
  readonly timeoutMs?: number
  /** Makes a charge that a person pays by scanning `qr_data`. Moves no money. */
  readonly createQr: Asked<OwnCharge, ChargeMade>
  /** Makes a charge that a person pays by opening a link. Needed for `deep_links`. */
  readonly createDeepLink?: Asked<OwnCharge, LinkMade>
  /** Captures held money. Like the next three, it takes effect once per `number`. */
  readonly capture: Asked<ChannelCall, RequestAnswered>
  /** Releases held money. */
  readonly release: Asked<ChannelCall, RequestAnswered>
  /** Ends an unpaid charge. */
  readonly close: Asked<ChannelCall, RequestAnswered>
  /** Refunds `amount` of the captured money. */
  readonly refund: Asked<ChannelCall, RequestAnswered>
  /** Returns the outcome of a capture, release, close, refund or debit, by its `number`. */
  readonly inquire: Asked<ChannelCall, RequestAnswered | NotFound>
  /** Returns the state of a payment's one charge, even if callbacks were lost. */
  readonly inquireCharge: Asked<
    Pick<ChargeReference, "channel" | "out_trade_no">,
    ChargeAnswered | NotFound
  >
  /** Returns the captures and refunds of a UTC day (`2026-01-31`), for reconciliation. */
  readonly statement: Asked<
    { readonly day: string; readonly cursor: string | null },
    StatementAnswered
  >
  /** Without debits, people approve each payment. */
  readonly debits?: OwnDebits
  readonly codec: CallbackCodec
}
