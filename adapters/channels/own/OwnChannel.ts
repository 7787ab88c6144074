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

/** Whole minor units: `{ currency: "USD", value: 699 }` is 6.99 USD. */
type Amount = Money

/** A time as ISO 8601 with its zone, or a `Date`. */
type Moment = string | Date

/** An answer, at once, by a promise, or by an effect that needs nothing. */
export type Answered<A> = A | PromiseLike<A> | Effect.Effect<A, unknown>

/** What a function of a channel is given beside its question. */
export interface AskedWith {
  /** Aborted when the channel's time is over: the answer is not waited for any more. */
  readonly signal: AbortSignal
}

/**
 * A function of a channel. One that throws, rejects, hangs or answers what it should not has an
 * unknown effect: it is asked about later, and nothing is repeated blindly. It may throw a
 * `ChannelRefusal` to say why: `rate_limited` with `retry_after`, `down` or `credentials`. A
 * capture or a debit that throws `credentials` is refused: throw it only where the channel let
 * nobody in.
 */
export type Asked<Question, Answer> = (question: Question, options: AskedWith) => Answered<Answer>

/** What is to be paid. It is the same charge when its `charge_id` comes again. */
export type OwnCharge = Omit<Charge, "asked_by" | "expires_at"> & { readonly expires_at: string }

/** A charge, or why the channel does not make it: routing then takes the fallback. */
export type ChargeMade =
  | { readonly status: "created"; readonly qr_data: string }
  | { readonly status: "refused"; readonly reason?: string }

/** The same of a link, which payport makes itself. */
export type LinkMade =
  | { readonly status: "created" }
  | { readonly status: "refused"; readonly reason?: string }

/**
 * What became of a request: done, taken on and told of later, or refused, which has to mean that no
 * money moved and none will.
 */
export type RequestAnswered =
  | { readonly status: "done"; readonly trade_no: string; readonly at: Moment }
  | { readonly status: "pending" }
  | { readonly status: "refused"; readonly reason?: string }

/** The channel knows nothing of that, and it can take no effect any more. */
export interface NotFound {
  readonly status: "not_found"
}

/** What became of a charge; `refunded` is what has gone back of what was taken, in minor units. */
export type ChargeAnswered = { readonly amount: Amount; readonly refunded: number } & (
  | { readonly status: "unpaid"; readonly trade_no?: string | null }
  | {
      readonly status: "held" | "paid" | "settled"
      readonly trade_no: string
      readonly payer?: ChannelPayer
    }
  | { readonly status: "closed"; readonly trade_no?: string | null; readonly reason: ClosedBy }
)

/** Where a mandate stands; while it is pending, a person approves it at `approval_url`. */
export interface MandateAnswered {
  readonly status: "pending" | "active" | "revoked"
  readonly approval_url?: string
}

/** A page of a day's statement; `next` is the cursor of the page after it, null at the end. */
export interface StatementAnswered {
  readonly lines: ReadonlyArray<Omit<StatementLine, "at"> & { readonly at: Moment }>
  readonly next: string | null
}

/** A callback as it arrived. */
export interface RawCallback {
  readonly body: Uint8Array
  /** By their names in lower case. */
  readonly headers: { readonly [name: string]: string | undefined }
}

/** What a callback says. */
export type CallbackRead =
  | {
      readonly event: "trade_status"
      /** The payment's id, which the charge was made under. */
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
  /** Whether the channel has sent exactly this: anybody can send anything. */
  readonly verify: Asked<RawCallback, boolean>
  /** What a genuine callback says. */
  readonly read: Asked<RawCallback, CallbackRead>
}

/** Debits that a person has approved beforehand, so that an agent pays without asking. */
export interface OwnDebits {
  /** Makes the charge and takes the money, by the mandate of `call.mandate`. */
  readonly debit: Asked<ChannelCall, RequestAnswered>
  /** Asks a person to approve; the same `mandate_id` again asks nothing new. */
  readonly requestMandate: Asked<MandateRequest, MandateAnswered>
  readonly inquireMandate: Asked<MandateReference, MandateAnswered | NotFound>
  readonly revokeMandate: Asked<MandateReference, MandateAnswered | NotFound>
}

/** A payment channel of the host's own. Amounts are in whole minor units everywhere. */
export interface OwnChannel {
  /** What it is, what it can do and what it costs, as `GET /v1/channels` shows it. */
  readonly channel: Channel
  /** Milliseconds for an answer: 100 to 9,000, and 8,000 unless given. */
  readonly timeoutMs?: number
  /** Makes a charge that a person pays by scanning `qr_data`. Moves no money. */
  readonly createQr: Asked<OwnCharge, ChargeMade>
  /** Makes a charge that a person pays by opening a link; a channel with `deep_links` has it. */
  readonly createDeepLink?: Asked<OwnCharge, LinkMade>
  /** Takes what is held. Like all four, it has one effect under its `number`. */
  readonly capture: Asked<ChannelCall, RequestAnswered>
  /** Lets go of what is held. */
  readonly release: Asked<ChannelCall, RequestAnswered>
  /** Ends a charge that nobody has paid. */
  readonly close: Asked<ChannelCall, RequestAnswered>
  /** Gives back `amount` of what was taken. */
  readonly refund: Asked<ChannelCall, RequestAnswered>
  /** What became of a capture, release, close, refund or debit, by its `number`. */
  readonly inquire: Asked<ChannelCall, RequestAnswered | NotFound>
  /** What became of a payment's charge, of which it has one, whatever callbacks were lost. */
  readonly inquireCharge: Asked<
    Pick<ChargeReference, "channel" | "out_trade_no">,
    ChargeAnswered | NotFound
  >
  /** What was taken and given back in a UTC day (`2026-01-31`), for reconciliation. */
  readonly statement: Asked<
    { readonly day: string; readonly cursor: string | null },
    StatementAnswered
  >
  /** Without them, people approve each payment. */
  readonly debits?: OwnDebits
  readonly codec: CallbackCodec
}
