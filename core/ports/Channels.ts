import { Context, Data, type Effect } from "effect"
import type { ChannelAction } from "../channels/ChannelRequest.ts"
import type { ChannelCallback } from "../channels/ChannelCallback.ts"
import type { Failure } from "../shared/Failure.ts"
import type { Money } from "../shared/Money.ts"
import type { Timestamp } from "../shared/Timestamp.ts"

/** The channel cannot be used for a new charge just now. */
export class ChannelRefusal extends Data.TaggedError("ChannelRefusal")<{
  readonly reason: "rate_limited" | "down" | "credentials" | "generation_failed"
  readonly message: string
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
}

/**
 * How such a call ended. `unknown` is a timeout or a broken connection: the effect may have
 * happened. `not_found` is an answer to a question only: the channel does not know the number.
 */
export type ChannelOutcome =
  | { readonly type: "done"; readonly at: Timestamp; readonly trade_no: string }
  | { readonly type: "refused"; readonly message: string }
  | { readonly type: "unknown"; readonly message: string }
  | { readonly type: "not_found" }

/** Who paid, as a channel knows them. */
export interface ChannelPayer {
  readonly payer_id: string
  readonly wallet_id: string
}

/** The payment channels of the installation. */
export class Channels extends Context.Service<
  Channels,
  {
    /** How each channel of the catalog is doing, for routing and for people. */
    readonly health: (channel: string) => Effect.Effect<"up" | "rate_limited" | "down">
    /** Registers a charge that a payer can scan; moves no money. Returns what its QR code holds. */
    readonly createQr: (
      charge: Charge,
    ) => Effect.Effect<{ readonly qr_data: string }, ChannelRefusal>
    /** Registers a charge that a payer opens as a link; moves no money. */
    readonly createDeepLink: (charge: Charge) => Effect.Effect<void, ChannelRefusal>
    readonly call: (call: ChannelCall) => Effect.Effect<ChannelOutcome>
    /** Asks what became of a call, by its number. */
    readonly ask: (call: ChannelCall) => Effect.Effect<ChannelOutcome>
    /** Who authorized a charge, for callbacks that do not say; undefined when unknown. */
    readonly payerOf: (
      channel: string,
      outTradeNo: string,
    ) => Effect.Effect<ChannelPayer | undefined>
    /**
     * Checks the signature of a callback over its raw body and reads its native fields.
     *
     * Fails with `webhook_signature_invalid`, `INVALID_JSON` or `INVALID_REQUEST`.
     */
    readonly readCallback: (
      channel: string,
      body: Uint8Array,
      signature: string | undefined,
    ) => Effect.Effect<ChannelCallback, Failure>
    /** Called with a genuine callback before it is acted upon. */
    readonly noteCallback: (callback: ChannelCallback) => Effect.Effect<void>
  }
>()("payport/core/ports/Channels") {}
