import { Effect, Layer, Result } from "effect"
import type { ChannelCallback } from "../../core/gateway/ChannelCallback.ts"
import {
  type ChannelCall,
  type ChannelOutcome,
  type ChannelPayer,
  ChannelRefusal,
  Channels,
  type Charge,
  type ChargeReference,
  type MandateAnswer,
  type MandateReference,
  type MandateRequest,
  type StatementPage,
  type TradeAnswer,
} from "../../core/ports/Channels.ts"
import { Failure } from "../../core/shared/Failure.ts"

/**
 * The channels' next answers, which a test may change at any time, and the calls that they
 * received.
 */
export interface Script {
  health: (channel: string) => "up" | "rate_limited" | "down"
  refuse: (charge: Charge) => ChannelRefusal["reason"] | undefined
  answer: (call: ChannelCall) => Effect.Effect<ChannelOutcome>
  asked: (call: ChannelCall) => Effect.Effect<ChannelOutcome>
  known: (charge: ChargeReference) => TradeAnswer
  lines: (channel: string, day: string, cursor: string | null) => StatementPage
  /** The channel's answer to a request for a mandate. */
  approve: (mandate: MandateRequest) => MandateAnswer
  mandated: (mandate: MandateReference) => MandateAnswer
  revoke: (mandate: MandateReference) => MandateAnswer
  payer: ChannelPayer | undefined
  readonly charges: Array<Charge>
  readonly calls: Array<ChannelCall>
  readonly questions: Array<ChannelCall>
  readonly mandates: Array<MandateRequest>
  readonly revoked: Array<MandateReference>
}

export const makeScript = (): Script => ({
  health: () => "up",
  refuse: () => undefined,
  answer: (call) => Effect.succeed({ type: "done", at: 0, trade_no: `trade of ${call.number}` }),
  asked: () => Effect.succeed({ type: "not_found" }),
  known: () => ({ type: "not_found" }),
  lines: () => ({ lines: [], next: null }),
  approve: () => ({ type: "known", status: "active" }),
  mandated: () => ({ type: "not_found" }),
  revoke: () => ({ type: "known", status: "revoked" }),
  payer: undefined,
  charges: [],
  calls: [],
  questions: [],
  mandates: [],
  revoked: [],
})

/** The signature that the scripted channels accept. */
export const SIGNATURE = "genuine"

/** Channels that follow a script and record their calls. */
export const scriptedChannels = (script: Script): Layer.Layer<Channels> => {
  const create = (charge: Charge) => {
    const reason = script.refuse(charge)
    script.charges.push(charge)
    return reason === undefined
      ? Effect.succeed({ qr_data: `svc://pay/${charge.out_trade_no}?channel=${charge.channel}` })
      : Effect.fail(new ChannelRefusal({ reason, message: `scripted ${reason}` }))
  }
  return Layer.succeed(Channels, {
    health: (channel) => Effect.sync(() => script.health(channel)),
    createQr: (charge) => Effect.suspend(() => create(charge)),
    createDeepLink: (charge) => Effect.asVoid(Effect.suspend(() => create(charge))),
    call: (call) => Effect.suspend(() => (script.calls.push(call), script.answer(call))),
    ask: (call) => Effect.suspend(() => (script.questions.push(call), script.asked(call))),
    requestMandate: (mandate) =>
      Effect.sync(() => (script.mandates.push(mandate), script.approve(mandate))),
    askMandate: (mandate) => Effect.sync(() => script.mandated(mandate)),
    revokeMandate: (mandate) =>
      Effect.sync(() => (script.revoked.push(mandate), script.revoke(mandate))),
    query: (charge) => Effect.sync(() => script.known(charge)),
    statement: (channel, day, cursor) => Effect.sync(() => script.lines(channel, day, cursor)),
    payerOf: () => Effect.sync(() => script.payer),
    readCallback: (_channel, body, signature) =>
      signature === SIGNATURE
        ? Effect.fromResult(
            Result.succeed(JSON.parse(new TextDecoder().decode(body)) as ChannelCallback),
          )
        : Effect.fail(
            new Failure({ code: "webhook_signature_invalid", message: "The signature is wrong." }),
          ),
    noteCallback: () => Effect.void,
  })
}
