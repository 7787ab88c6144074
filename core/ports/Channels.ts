import { Context, Data, type Effect } from "effect"
import type { ChannelAction } from "../gateway/ChannelRequest.ts"
import type { MandateTerms } from "../installs/Mandate.ts"
import type { ChannelMessage, TradeStatus } from "../gateway/ChannelCallback.ts"
import type { Failure } from "../shared/Failure.ts"
import type { Money } from "../shared/Money.ts"
import type { Timestamp } from "../shared/Timestamp.ts"

/**
 * The channel does not do what it was asked for just now, and no money moves: it is over its rate,
 * away, does not accept our credentials, cannot make the charge, or answered nonsense.
 */
export class ChannelRefusal extends Data.TaggedError("ChannelRefusal")<{
  readonly reason: "rate_limited" | "down" | "credentials" | "generation_failed" | "nonsense"
  readonly message: string
  /** When it is worth asking again, in whole seconds, where the channel says so. */
  readonly retry_after?: number
}> {}

/** What is to be paid through a channel. */
export interface Charge {
  readonly channel: string
  /** The intent's id, which the channel knows the payment by. */
  readonly out_trade_no: string
  readonly charge_id: string
  readonly amount: Money
  readonly description: string
  readonly expires_at: Timestamp
}

/** A call that moves money or closes a charge, under our own request number. */
export interface ChannelCall {
  readonly number: string
  readonly action: ChannelAction
  readonly channel: string
  readonly out_trade_no: string
  readonly charge_id: string
  readonly trade_no: string | null
  readonly amount: Money
  /** The mandate that allows a debit, which makes the charge too; null for every other action. */
  readonly mandate: string | null
}

/** What a person is asked to approve in the wallet, under our own number for it. */
export interface MandateRequest extends MandateTerms {
  readonly channel: string
  readonly mandate_id: string
  readonly agent_id: string
  readonly service_id: string
}

/** A mandate that a channel is asked about. */
export type MandateReference = Pick<MandateRequest, "channel" | "mandate_id">

/**
 * What a channel knows of a mandate; one that the person has declined is `revoked`. While it is
 * pending, `approval_url` is where the person approves it, where there is such a place. `unknown`
 * is a channel that did not answer.
 */
export type MandateAnswer =
  | {
      readonly type: "known"
      readonly status: "pending" | "active" | "revoked"
      readonly approval_url?: string
    }
  | { readonly type: "not_found" }
  | { readonly type: "unknown"; readonly message: string }

/**
 * How such a call ended. `pending` is a channel that has taken the call on and will carry it out
 * later: it is asked again. `unknown` is a timeout or a broken connection: the effect may have
 * happened. `not_found` is an answer to a question only: the channel does not know the number.
 */
export type ChannelOutcome =
  | { readonly type: "done"; readonly at: Timestamp; readonly trade_no: string }
  | { readonly type: "pending" }
  | { readonly type: "refused"; readonly message: string }
  | { readonly type: "unknown"; readonly message: string }
  | { readonly type: "not_found" }

/** Who paid, as a channel knows them. */
export interface ChannelPayer {
  readonly payer_id: string
  readonly wallet_id: string
}

/** Why a charge at a channel is over without money, in the words of a callback. */
export type ClosedBy = Extract<
  TradeStatus,
  "REJECTED" | "INSUFFICIENT_BALANCE" | "CLOSED" | "SETTLEMENT_FAILED"
>

/**
 * What a channel knows of a charge. `unpaid`: a payer may still act; `held`: authorized, to be
 * captured or released; `paid`: the money was taken and is not settled; `settled`; `closed`: over,
 * with nothing held and nothing taken, because of `reason`. `refunded` is what has gone back of
 * what was taken, in minor units of `amount`.
 */
export type Trade = {
  readonly out_trade_no: string
  readonly amount: Money
  readonly refunded: number
} & (
  | { readonly status: "unpaid"; readonly trade_no: string | null }
  | {
      readonly status: "held" | "paid" | "settled"
      readonly trade_no: string
      readonly payer?: ChannelPayer
    }
  | { readonly status: "closed"; readonly trade_no: string | null; readonly reason: ClosedBy }
)

/**
 * The answer to the question what became of a charge. `not_found` may be true for a moment only:
 * channels answer from copies of their books. `unknown` is a channel that did not answer.
 */
export type TradeAnswer =
  | { readonly type: "known"; readonly trade: Trade }
  | { readonly type: "not_found" }
  | { readonly type: "unknown"; readonly message: string }

/** A charge that a channel is asked about. */
export type ChargeReference = Pick<Charge, "channel" | "out_trade_no" | "charge_id">

/**
 * A line of a channel's own statement (Reconciliation): money that was taken from a payer, or given
 * back. Holds that were released are none. A payment's `failed` is money that was taken and could
 * not be settled, and went back without a refund; `number` is our request's, null for what a payer
 * paid without one.
 */
export interface StatementLine {
  readonly kind: "payment" | "refund"
  readonly out_trade_no: string
  readonly trade_no: string
  readonly number: string | null
  /** Always positive. */
  readonly amount: Money
  readonly status: "pending" | "settled" | "failed"
  /** When the money was taken or given back, which tells the day of the statement. */
  readonly at: Timestamp
}

/** A part of a statement; `next` asks for the part behind it and is null at the end. */
export interface StatementPage {
  readonly lines: ReadonlyArray<StatementLine>
  readonly next: string | null
}

/** Why nothing is made of a callback's body; `CHANNEL_MISMATCH`: it speaks for another channel. */
export type UnreadableCallback = Failure<
  "INVALID_JSON" | "MISSING_REQUIRED_FIELD" | "INVALID_REQUEST" | "CHANNEL_MISMATCH"
>

/** The payment channels of the installation. */
export class Channels extends Context.Service<
  Channels,
  {
    /** How each channel of the catalog is doing, for routing and for people. */
    readonly health: (channel: string) => Effect.Effect<"up" | "rate_limited" | "down">
    /**
     * Registers a charge that a payer can scan; moves no money. Returns what its QR code holds. The
     * same `charge_id` again is the same charge.
     */
    readonly createQr: (
      charge: Charge,
    ) => Effect.Effect<{ readonly qr_data: string }, ChannelRefusal>
    /**
     * Registers a charge that a payer opens as a link; moves no money. The same `charge_id` again
     * is the same charge.
     */
    readonly createDeepLink: (charge: Charge) => Effect.Effect<void, ChannelRefusal>
    readonly call: (call: ChannelCall) => Effect.Effect<ChannelOutcome>
    /** Asks what became of a call, by its number. */
    readonly ask: (call: ChannelCall) => Effect.Effect<ChannelOutcome>
    /**
     * Asks a person to approve debits; the same number again asks nothing new. The channel may tell
     * of the approval later, in a callback.
     */
    readonly requestMandate: (mandate: MandateRequest) => Effect.Effect<MandateAnswer>
    /** Asks what became of a mandate. */
    readonly askMandate: (mandate: MandateReference) => Effect.Effect<MandateAnswer>
    /** Ends a mandate: nothing more is debited. One that has ended stays as it is. */
    readonly revokeMandate: (mandate: MandateReference) => Effect.Effect<MandateAnswer>
    /** Asks what became of a charge, whatever callbacks were lost. */
    readonly query: (charge: ChargeReference) => Effect.Effect<TradeAnswer>
    /**
     * The channel's own lines of a UTC day (`2026-01-31`), in any order; `cursor` is the `next` of
     * the page before, null for the first. A day that is not over yet has the lines so far.
     */
    readonly statement: (
      channel: string,
      day: string,
      cursor: string | null,
    ) => Effect.Effect<StatementPage, ChannelRefusal>
    /** Who authorized a charge, for callbacks that do not say; undefined when unknown. */
    readonly payerOf: (
      channel: string,
      outTradeNo: string,
    ) => Effect.Effect<ChannelPayer | undefined>
    /**
     * Checks the signature of a callback over its raw body and reads its native fields.
     */
    readonly readCallback: (
      channel: string,
      body: Uint8Array,
      signature: string | undefined,
    ) => Effect.Effect<ChannelMessage, Failure<"webhook_signature_invalid"> | UnreadableCallback>
    /** Called with a genuine callback before it is acted upon. */
    readonly noteCallback: (callback: ChannelMessage) => Effect.Effect<void>
  }
>()("payport/core/ports/Channels") {}
