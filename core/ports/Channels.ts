import { Context, Data, type Effect } from "effect"
import type { Records } from "../commits/Records.ts"
import type { ChannelCall, ChannelOutcome } from "../gateway/ChannelCall.ts"
import type { CallbackHeaders, ChannelMessage } from "../gateway/ChannelCallback.ts"
import type { ChannelPayer, Charge, ChargeReference, TradeAnswer } from "../gateway/Charge.ts"
import type { StatementPage } from "../gateway/StatementLine.ts"
import type { MandateAnswer, MandateReference, MandateRequest } from "../installs/Mandate.ts"
import type { Failure } from "../shared/Failure.ts"

export type * from "../gateway/ChannelCall.ts"
export type * from "../gateway/Charge.ts"
export type * from "../gateway/StatementLine.ts"
export type { MandateAnswer, MandateReference, MandateRequest } from "../installs/Mandate.ts"

/**
 * The channel does not do what it was asked, and no money moves: it is over its rate, is down,
 * rejects our credentials, cannot make the charge, or answered nonsense.
 */
export class ChannelRefusal extends Data.TaggedError("ChannelRefusal")<{
  readonly reason: "rate_limited" | "down" | "credentials" | "generation_failed" | "nonsense"
  readonly message: string
  /** After how many whole seconds to ask again, if the channel says so. */
  readonly retry_after?: number
}> {}

/** Why a callback's body is rejected. `CHANNEL_MISMATCH`: it speaks for another channel. */
export type UnreadableCallback = Failure<
  "INVALID_JSON" | "MISSING_REQUIRED_FIELD" | "INVALID_REQUEST" | "CHANNEL_MISMATCH"
>

/** The payment channels of the installation. */
export class Channels extends Context.Service<
  Channels,
  {
    /** Returns the health of a channel of the catalog, for routing and for people. */
    readonly health: (channel: string) => Effect.Effect<"up" | "rate_limited" | "down">
    /**
     * Registers a charge that a payer can scan. Moves no money. Returns the content of its QR code.
     * The same `charge_id` again is the same charge.
     */
    readonly createQr: (
      charge: Charge,
    ) => Effect.Effect<{ readonly qr_data: string }, ChannelRefusal>
    /**
     * Registers a charge that a payer opens as a link. Moves no money. The same `charge_id` again
     * is the same charge.
     */
    readonly createDeepLink: (charge: Charge) => Effect.Effect<void, ChannelRefusal>
    readonly call: (call: ChannelCall) => Effect.Effect<ChannelOutcome>
    /** Asks for the outcome of a call, by its number. */
    readonly ask: (call: ChannelCall) => Effect.Effect<ChannelOutcome>
    /**
     * Asks a person to approve debits. The same number again asks nothing new. The channel may
     * report the approval later, in a callback.
     */
    readonly requestMandate: (mandate: MandateRequest) => Effect.Effect<MandateAnswer>
    /** Asks for the state of a mandate. */
    readonly askMandate: (mandate: MandateReference) => Effect.Effect<MandateAnswer>
    /** Ends a mandate: nothing more is debited. An ended mandate stays as it is. */
    readonly revokeMandate: (mandate: MandateReference) => Effect.Effect<MandateAnswer>
    /** Asks for the state of a charge, whatever callbacks were lost. */
    readonly query: (charge: ChargeReference) => Effect.Effect<TradeAnswer>
    /**
     * Returns a page of the channel's own lines of a UTC day (`2026-01-31`), in any order. `cursor`
     * is the `next` of the previous page, null for the first. A day that is not over has the lines
     * so far.
     */
    readonly statement: (
      channel: string,
      day: string,
      cursor: string | null,
    ) => Effect.Effect<StatementPage, ChannelRefusal>
    /** Returns who authorized a charge, for callbacks without a payer; undefined if unknown. */
    readonly payerOf: (
      channel: string,
      outTradeNo: string,
    ) => Effect.Effect<ChannelPayer | undefined>
    /**
     * Checks the signature of a callback over its raw body and reads its native fields. `signature`
     * is its `X-Channel-Signature`. A channel that signs in another way uses all `headers`.
     */
    readonly readCallback: (
      channel: string,
      body: Uint8Array,
      signature: string | undefined,
      headers?: CallbackHeaders,
    ) => Effect.Effect<ChannelMessage, Failure<"webhook_signature_invalid"> | UnreadableCallback>
    /**
     * Takes note of a genuine callback before it is acted upon, and of its payment if that has been
     * read.
     */
    readonly noteCallback: (
      callback: ChannelMessage,
      payment?: Records["payment_intent"],
    ) => Effect.Effect<void>
  }
>()("payport/core/ports/Channels") {}
