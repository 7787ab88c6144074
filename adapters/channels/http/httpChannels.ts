import { Effect, Layer, Redacted } from "effect"
import {
  type ChannelCall,
  type ChannelOutcome,
  ChannelRefusal,
  Channels,
  type Charge,
  type TradeAnswer,
} from "../../../core/ports/Channels.ts"
import { Vault } from "../../../core/ports/Vault.ts"
import { WallClock } from "../../../core/ports/WallClock.ts"
import { toIso } from "../../../core/shared/Timestamp.ts"
import { readSignedCallback } from "../readSignedCallback.ts"
import type { HttpChannel } from "./HttpChannel.ts"
import { type Line, type LineOf, nonsense, pathOf, reader } from "./Line.ts"
import { type Answer, openLink } from "./Link.ts"
import { mandateCalls } from "./mandateCalls.ts"
import * as Wire from "./Wire.ts"

type Service = Channels["Service"]

const readCharge = reader(Wire.ChargeAnswer)
const readRequest = reader(Wire.RequestAnswer)
const readTrade = reader(Wire.TradeBody)
const readStatement = reader(Wire.StatementBody)

const charged = (lineOf: LineOf, kind: "qr" | "deep_link") =>
  Effect.fnUntraced(function* (charge: Charge) {
    const { channel, expires_at, ...said } = charge
    const { link } = yield* lineOf(channel)
    const answer = yield* link.send({
      method: "POST",
      path: "/v1/charges",
      number: charge.charge_id,
      body: { channel, kind, ...said, expires_at: toIso(expires_at) },
    })
    const { qr_data, reason, status } = yield* readCharge(channel, answer)
    if (status === "refused") {
      const message = reason ?? `${channel} gives no reason.`
      return yield* new ChannelRefusal({ reason: "generation_failed", message })
    }
    if (kind === "qr" && qr_data === undefined) {
      return yield* nonsense(channel, "a charge without qr_data.")
    }
    return { qr_data: qr_data ?? "" }
  })

const outcomeOf = Effect.fnUntraced(function* (call: ChannelCall, answer: Answer) {
  const read = yield* readRequest(call.channel, answer)
  const outcome = Wire.outcomeOf(read)
  if (read.number !== call.number || outcome === undefined) {
    return yield* nonsense(call.channel, `no outcome of ${call.number}.`)
  }
  return outcome
})

const takesMoney = (action: ChannelCall["action"]): boolean =>
  action === "capture" || action === "debit"

/** Whatever went wrong, the effect may be there; only what takes money is refused for our key. */
const unsure =
  ({ action }: ChannelCall) =>
  ({ message, reason }: ChannelRefusal): Effect.Effect<ChannelOutcome> =>
    Effect.succeed({
      type: takesMoney(action) && reason === "credentials" ? "refused" : "unknown",
      message,
    })

const calls = (lineOf: LineOf): Pick<Service, "call" | "ask"> => ({
  call: (call) =>
    Effect.gen(function* () {
      const { link } = yield* lineOf(call.channel)
      const { number } = call
      const answer = yield* link.send({ method: "POST", path: "/v1/requests", number, body: call })
      return yield* outcomeOf(call, answer)
    }).pipe(Effect.catch(unsure(call))),

  ask: (call) =>
    Effect.gen(function* () {
      const { channel, number, out_trade_no } = call
      const { link } = yield* lineOf(channel)
      const path = pathOf(["requests", number], { channel, out_trade_no })
      const answer = yield* link.ask({ method: "GET", path, number })
      if (answer.status === 404) return { type: "not_found" } as const
      return yield* outcomeOf(call, answer)
    }).pipe(
      Effect.catch(({ message }) => Effect.succeed<ChannelOutcome>({ type: "unknown", message })),
    ),
})

/** A payment has one charge at a channel, so that the payment's number finds it there. */
const trade =
  (lineOf: LineOf) =>
  (channel: string, out_trade_no: string): Effect.Effect<TradeAnswer> =>
    Effect.gen(function* () {
      const { link } = yield* lineOf(channel)
      const path = pathOf(["charges", out_trade_no], { channel })
      const answer = yield* link.ask({ method: "GET", path, number: out_trade_no })
      if (answer.status === 404) return { type: "not_found" } as const
      const known = Wire.tradeOf(yield* readTrade(channel, answer))
      if (known === undefined || known.out_trade_no !== out_trade_no) {
        return yield* nonsense(channel, `no trade of ${out_trade_no}.`)
      }
      return { type: "known", trade: known } as const
    }).pipe(
      Effect.catch(({ message }) => Effect.succeed<TradeAnswer>({ type: "unknown", message })),
    )

const statement = (lineOf: LineOf): Service["statement"] =>
  Effect.fnUntraced(function* (channel, day, cursor) {
    const { link } = yield* lineOf(channel)
    const path = pathOf(["statements", day], { channel, cursor })
    const answer = yield* link.ask({ method: "GET", path, number: `statement_${day}` })
    const page = Wire.pageOf(yield* readStatement(channel, answer))
    if (page.next !== null && page.next === cursor) {
      return yield* nonsense(channel, "a statement that does not go on.")
    }
    return page
  })

const make = Effect.fnUntraced(function* (channels: ReadonlyArray<HttpChannel>) {
  const vault = yield* Vault
  const clock = yield* WallClock
  const opened = yield* Effect.forEach(channels, (channel) =>
    Effect.map(openLink(channel, vault, clock), (link): Line => ({ ...channel, link })),
  )
  const lines = new Map(opened.map((line) => [line.channel, line]))
  const lineOf: LineOf = (channel) => {
    const line = lines.get(channel)
    const message = `${channel} is not configured.`
    return line === undefined
      ? Effect.fail(new ChannelRefusal({ reason: "down", message }))
      : Effect.succeed(line)
  }
  const { ask, call } = calls(lineOf)
  const tradeOf = trade(lineOf)
  const service: Service = {
    health: (channel) => lines.get(channel)?.link.health ?? Effect.succeed("down"),
    createQr: charged(lineOf, "qr"),
    createDeepLink: (charge) => Effect.asVoid(charged(lineOf, "deep_link")(charge)),
    call,
    ask,
    ...mandateCalls(lineOf),
    query: ({ channel, out_trade_no }) => tradeOf(channel, out_trade_no),
    statement: statement(lineOf),
    payerOf: (channel, out_trade_no) =>
      Effect.map(tradeOf(channel, out_trade_no), (answer) =>
        answer.type === "known" && "payer" in answer.trade ? answer.trade.payer : undefined,
      ),
    readCallback: (channel, body, signature) => {
      const secret = lines.get(channel)?.callback_secret
      return readSignedCallback(vault, secret && Redacted.value(secret), {
        channel,
        body,
        signature,
      })
    },
    noteCallback: () => Effect.void,
  }
  return service
})

/** Channels behind gateways that speak the protocol of this folder's README. */
export const layer = (
  channels: ReadonlyArray<HttpChannel>,
): Layer.Layer<Channels, never, Vault | WallClock> => Layer.effect(Channels, make(channels))
