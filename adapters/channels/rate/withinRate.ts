import { Effect, Layer } from "effect"
import { ChannelRefusal, Channels } from "../../../core/ports/Channels.ts"
import { Installation } from "../../../core/ports/Installation.ts"
import { WallClock } from "../../../core/ports/WallClock.ts"
import { SECOND } from "../../../core/shared/Timestamp.ts"
import { SlidingSecond } from "./SlidingSecond.ts"

/** A call that would have to wait longer is not made; a worker queries it later. */
const LONGEST_WAIT = 3 * SECOND

const overRate = (channel: string): ChannelRefusal =>
  new ChannelRefusal({
    reason: "rate_limited",
    message: `${channel} is sent as much as it takes in a second.`,
    retry_after: 1,
  })

/** The limits of the channels that have a rate in the catalog. */
const makeTurns = Effect.gen(function* () {
  const { catalog } = yield* Installation
  const clock = yield* WallClock
  const seconds = new Map<string, SlidingSecond>()
  for (const { id, refunds } of catalog) {
    const rate = refunds.rate_per_second
    if (rate !== null) seconds.set(id, new SlidingSecond(rate))
  }

  return {
    /** Whether the channel accepts one more request now. */
    isFree: (channel: string): Effect.Effect<boolean> => {
      const second = seconds.get(channel)
      return second === undefined
        ? Effect.succeed(true)
        : Effect.map(clock.now, (now) => second.isFree(now))
    },

    /** Runs `self` if the channel accepts one more request now, else fails with `rate_limited`. */
    atOnce: <A>(
      channel: string,
      self: Effect.Effect<A, ChannelRefusal>,
    ): Effect.Effect<A, ChannelRefusal> => {
      const second = seconds.get(channel)
      if (second === undefined) return self
      return Effect.flatMap(clock.now, (now) =>
        second.promise(now, 0) === undefined ? Effect.fail(overRate(channel)) : self,
      )
    },

    /** Runs `self` once the channel accepts one more, or `late` when that takes too long. */
    inTurn: <A, E, B, F>(
      channel: string,
      self: Effect.Effect<A, E>,
      late: Effect.Effect<B, F>,
    ): Effect.Effect<A | B, E | F> => {
      const second = seconds.get(channel)
      if (second === undefined) return self
      return Effect.flatMap(clock.now, (now): Effect.Effect<A | B, E | F> => {
        const wait = second.promise(now, LONGEST_WAIT)
        if (wait === undefined) return late
        return wait === 0 ? self : Effect.delay(self, wait)
      })
    },
  }
})

const unsent = (channel: string) =>
  Effect.succeed({ type: "unknown", message: `${channel} is sent more than it takes.` } as const)

const make = Effect.fnUntraced(function* (inner: Channels["Service"]) {
  const { atOnce, inTurn, isFree } = yield* makeTurns
  /** Makes a call wait for its channel's rate; one that would wait too long ends `unknown`. */
  const limit =
    <Call extends { readonly channel: string }, A, E>(send: (call: Call) => Effect.Effect<A, E>) =>
    (call: Call) =>
      inTurn(call.channel, send(call), unsent(call.channel))
  const service: Channels["Service"] = {
    ...inner,
    health: (channel) =>
      Effect.flatMap(inner.health(channel), (health) =>
        health === "up"
          ? Effect.map(isFree(channel), (free) => (free ? "up" : "rate_limited"))
          : Effect.succeed(health),
      ),
    createQr: (charge) => atOnce(charge.channel, inner.createQr(charge)),
    createDeepLink: (charge) => atOnce(charge.channel, inner.createDeepLink(charge)),
    call: limit(inner.call),
    ask: limit(inner.ask),
    requestMandate: limit(inner.requestMandate),
    askMandate: limit(inner.askMandate),
    revokeMandate: limit(inner.revokeMandate),
    query: limit(inner.query),
    payerOf: (channel, outTradeNo) =>
      inTurn(channel, inner.payerOf(channel, outTradeNo), Effect.succeed(undefined)),
    statement: (channel, day, cursor) =>
      inTurn(channel, inner.statement(channel, day, cursor), Effect.fail(overRate(channel))),
  }
  return service
})

/**
 * Keeps this process within the rates of the catalog's channels, in every second. A charge over the
 * rate is refused at once, so that routing finds another channel; a call waits. It uses the wall
 * clock: a channel does not know the sandbox's.
 */
export const withinRate = <E, R>(
  channels: Layer.Layer<Channels, E, R>,
): Layer.Layer<Channels, E, R | Installation | WallClock> =>
  Layer.effect(Channels, Effect.flatMap(Channels, make)).pipe(Layer.provide(channels))
