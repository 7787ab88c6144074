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
import {
  type ConnectedChannel,
  type ChannelOf,
  unexpectedAnswer,
  pathOf,
  reader,
  orUnknown,
} from "./ConnectedChannel.ts"
import { type ClientAnswer, openChannelClient } from "./ChannelClient.ts"
import { mandateCalls } from "./mandateCalls.ts"
import * as Wire from "./Wire.ts"

type Service = Channels["Service"]

const readCharge = reader(Wire.ChargeAnswer)
const readRequest = reader(Wire.RequestAnswer)
const readTrade = reader(Wire.TradeBody)
const readStatement = reader(Wire.StatementBody)

const createCharge = (channelOf: ChannelOf, kind: "qr" | "deep_link") =>
  Effect.fnUntraced(function* (charge: Charge) {
    const { asked_by: _account, channel, expires_at, ...fields } = charge
    const { client } = yield* channelOf(channel)
    const answer = yield* client.send({
      method: "POST",
      path: "/v1/charges",
      number: charge.charge_id,
      body: { channel, kind, ...fields, expires_at: toIso(expires_at) },
    })
    const { qr_data, reason, status } = yield* readCharge(channel, answer)
    if (status === "refused") {
      const message = reason ?? `${channel} gives no reason.`
      return yield* new ChannelRefusal({ reason: "generation_failed", message })
    }
    if (kind === "qr" && qr_data === undefined) {
      return yield* unexpectedAnswer(channel, "the charge has no qr_data.")
    }
    return { qr_data: qr_data ?? "" }
  })

const outcomeOf = Effect.fnUntraced(function* (call: ChannelCall, answer: ClientAnswer) {
  const read = yield* readRequest(call.channel, answer)
  const outcome = Wire.outcomeOf(read)
  if (read.number !== call.number || outcome === undefined) {
    return yield* unexpectedAnswer(call.channel, `it has no outcome of ${call.number}.`)
  }
  return outcome
})

const takesMoney = (action: ChannelCall["action"]): boolean =>
  action === "capture" || action === "debit"

/**
 * Returns the outcome of a failed call: unknown, because it may have taken effect. Refused
 * credentials refuse a capture or a debit, which the channel then has not made.
 */
const uncertainOutcome =
  ({ action }: ChannelCall) =>
  ({ message, reason }: ChannelRefusal): Effect.Effect<ChannelOutcome> =>
    Effect.succeed({
      type: takesMoney(action) && reason === "credentials" ? "refused" : "unknown",
      message,
    })

const calls = (channelOf: ChannelOf): Pick<Service, "call" | "ask"> => ({
  call: (call) =>
    Effect.gen(function* () {
      const { client } = yield* channelOf(call.channel)
      const { number } = call
      const answer = yield* client.send({
        method: "POST",
        path: "/v1/requests",
        number,
        body: call,
      })
      return yield* outcomeOf(call, answer)
    }).pipe(Effect.catch(uncertainOutcome(call))),

  ask: (call) =>
    Effect.gen(function* () {
      const { channel, number, out_trade_no } = call
      const { client } = yield* channelOf(channel)
      const path = pathOf(["requests", number], { channel, out_trade_no })
      const answer = yield* client.ask({ method: "GET", path, number })
      if (answer.status === 404) return { type: "not_found" } as const
      return yield* outcomeOf(call, answer)
    }).pipe(orUnknown),
})

/** Queries a charge by its payment's id: a payment has one charge per channel. */
const trade =
  (channelOf: ChannelOf) =>
  (channel: string, out_trade_no: string): Effect.Effect<TradeAnswer> =>
    Effect.gen(function* () {
      const { client } = yield* channelOf(channel)
      const path = pathOf(["charges", out_trade_no], { channel })
      const answer = yield* client.ask({ method: "GET", path, number: out_trade_no })
      if (answer.status === 404) return { type: "not_found" } as const
      const known = Wire.tradeOf(yield* readTrade(channel, answer))
      if (known === undefined || known.out_trade_no !== out_trade_no) {
        return yield* unexpectedAnswer(channel, `it is not the trade of ${out_trade_no}.`)
      }
      return { type: "known", trade: known } as const
    }).pipe(orUnknown)

const statement = (channelOf: ChannelOf): Service["statement"] =>
  Effect.fnUntraced(function* (channel, day, cursor) {
    const { client } = yield* channelOf(channel)
    const path = pathOf(["statements", day], { channel, cursor })
    const answer = yield* client.ask({ method: "GET", path, number: `statement_${day}` })
    const page = Wire.pageOf(yield* readStatement(channel, answer))
    if (page.next !== null && page.next === cursor) {
      return yield* unexpectedAnswer(channel, "next of the statement's page is its own cursor.")
    }
    return page
  })

const make = Effect.fnUntraced(function* (channels: ReadonlyArray<HttpChannel>) {
  const vault = yield* Vault
  const clock = yield* WallClock
  const opened = yield* Effect.forEach(channels, (channel) =>
    Effect.map(openChannelClient(channel, vault, clock), (client): ConnectedChannel => ({
      ...channel,
      client,
    })),
  )
  const lines = new Map(opened.map((line) => [line.channel, line]))
  const channelOf: ChannelOf = (channel) => {
    const line = lines.get(channel)
    const message = `${channel} is not configured.`
    return line === undefined
      ? Effect.fail(new ChannelRefusal({ reason: "down", message }))
      : Effect.succeed(line)
  }
  const { ask, call } = calls(channelOf)
  const tradeOf = trade(channelOf)
  const service: Service = {
    health: (channel) => lines.get(channel)?.client.health ?? Effect.succeed("down"),
    createQr: createCharge(channelOf, "qr"),
    createDeepLink: (charge) => Effect.asVoid(createCharge(channelOf, "deep_link")(charge)),
    call,
    ask,
    ...mandateCalls(channelOf),
    query: ({ channel, out_trade_no }) => tradeOf(channel, out_trade_no),
    statement: statement(channelOf),
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

/** Channels behind gateways with the protocol of this folder's README. */
export const layer = (
  channels: ReadonlyArray<HttpChannel>,
): Layer.Layer<Channels, never, Vault | WallClock> => Layer.effect(Channels, make(channels))
