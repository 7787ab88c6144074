import { Effect, Layer } from "effect"
import { find } from "../../../core/channels/Channel.ts"
import { ChannelRefusal, Channels } from "../../../core/ports/Channels.ts"
import { Installation } from "../../../core/ports/Installation.ts"
import { WallClock } from "../../../core/ports/WallClock.ts"
import { SECOND } from "../../../core/shared/Timestamp.ts"
import * as TokenBucket from "./TokenBucket.ts"

/** A call that would have to wait longer is not made, and is asked after by a worker. */
const LONGEST_WAIT = 3 * SECOND

export interface RateOptions {
  /** Whether making a charge is a request to the channel, and counts. */
  readonly charges: boolean
}

const overRate = (channel: string): ChannelRefusal =>
  new ChannelRefusal({
    reason: "rate_limited",
    message: `${channel} is sent as much as it takes in a second.`,
    retry_after: 1,
  })

/** The buckets of the channels that the catalog sets a rate. */
const makeTurns = Effect.gen(function* () {
  const { catalog } = yield* Installation
  const clock = yield* WallClock
  const buckets = new Map<string, TokenBucket.TokenBucket>()

  /** Uses the channel's bucket; undefined where it has no rate. */
  const using = <A>(
    channel: string,
    use: (bucket: TokenBucket.TokenBucket, rate: number, now: number) => A,
  ): Effect.Effect<A | undefined> =>
    Effect.map(clock.now, (now) => {
      const rate = find(catalog, channel)?.refunds.rate_per_second ?? null
      if (rate === null) return undefined
      return use(buckets.get(channel) ?? TokenBucket.full(rate, now), rate, now)
    })

  return {
    /** Whether the channel takes one more just now. */
    isFree: (channel: string): Effect.Effect<boolean> =>
      Effect.map(using(channel, TokenBucket.hasToken), (free) => free ?? true),

    /** Does it where the channel takes one more now. */
    atOnce: <A>(
      channel: string,
      self: Effect.Effect<A, ChannelRefusal>,
    ): Effect.Effect<A, ChannelRefusal> =>
      Effect.flatMap(
        using(channel, (bucket, rate, now) => {
          const taken = TokenBucket.take(bucket, rate, now)
          if (taken !== undefined) buckets.set(channel, taken)
          return taken !== undefined
        }),
        (taken) => (taken === false ? Effect.fail(overRate(channel)) : self),
      ),

    /** Waits for the channel to take one more; does `late` where that takes too long. */
    inTurn: <A, E, B, F>(
      channel: string,
      self: Effect.Effect<A, E>,
      late: Effect.Effect<B, F>,
    ): Effect.Effect<A | B, E | F> =>
      Effect.flatMap(
        using(channel, (bucket, rate, now) => {
          const { bucket: after, wait } = TokenBucket.promise(bucket, rate, now)
          if (wait <= LONGEST_WAIT) buckets.set(channel, after)
          return wait
        }),
        (wait = 0): Effect.Effect<A | B, E | F> => {
          if (wait > LONGEST_WAIT) return late
          return wait === 0 ? self : Effect.delay(self, wait)
        },
      ),
  }
})

const unsent = (channel: string) =>
  Effect.succeed({ type: "unknown", message: `${channel} is sent more than it takes.` } as const)

const make = Effect.fnUntraced(function* (inner: Channels["Service"], { charges }: RateOptions) {
  const { atOnce, inTurn, isFree } = yield* makeTurns
  const counted: Partial<Channels["Service"]> = {
    health: (channel) =>
      Effect.flatMap(inner.health(channel), (health) =>
        health === "up"
          ? Effect.map(isFree(channel), (free) => (free ? "up" : "rate_limited"))
          : Effect.succeed(health),
      ),
    createQr: (charge) => atOnce(charge.channel, inner.createQr(charge)),
    createDeepLink: (charge) => atOnce(charge.channel, inner.createDeepLink(charge)),
  }
  const service: Channels["Service"] = {
    ...inner,
    ...(charges && counted),
    call: (call) => inTurn(call.channel, inner.call(call), unsent(call.channel)),
    ask: (call) => inTurn(call.channel, inner.ask(call), unsent(call.channel)),
    query: (charge) => inTurn(charge.channel, inner.query(charge), unsent(charge.channel)),
    statement: (channel, day, cursor) =>
      inTurn(channel, inner.statement(channel, day, cursor), Effect.fail(overRate(channel))),
  }
  return service
})

/**
 * Keeps this process within the rates that the catalog sets its channels. A charge is refused at
 * once, so that routing finds another channel; a call waits its turn. The time is the wall clock's:
 * a channel does not know of the sandbox's.
 */
export const withinRate = <E, R>(
  channels: Layer.Layer<Channels, E, R>,
  options: RateOptions,
): Layer.Layer<Channels, E, R | Installation | WallClock> =>
  Layer.effect(
    Channels,
    Effect.flatMap(Channels, (inner) => make(inner, options)),
  ).pipe(Layer.provide(channels))
