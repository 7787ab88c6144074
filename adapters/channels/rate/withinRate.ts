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

const make = (inner: Channels["Service"], { charges }: RateOptions) =>
  Effect.gen(function* () {
    const { catalog } = yield* Installation
    const clock = yield* WallClock
    const buckets = new Map<string, TokenBucket.TokenBucket>()

    /** Uses the channel's bucket; undefined where the catalog sets it no rate. */
    const using = <A>(
      channel: string,
      use: (bucket: TokenBucket.TokenBucket, rate: number, now: number) => A,
    ): Effect.Effect<A | undefined> =>
      Effect.map(clock.now, (now) => {
        const rate = find(catalog, channel)?.refunds.rate_per_second ?? null
        if (rate === null) return undefined
        return use(buckets.get(channel) ?? TokenBucket.full(rate, now), rate, now)
      })

    const isFull = (channel: string): Effect.Effect<boolean> =>
      Effect.map(
        using(channel, (bucket, rate, now) => !TokenBucket.hasToken(bucket, rate, now)),
        (full) => full ?? false,
      )

    /** Makes a charge where the channel takes one more now. */
    const atOnce = <A>(
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
      )

    /** Waits for the channel to take one more; undefined when that takes too long. */
    const inTurn = <A, E>(
      channel: string,
      self: Effect.Effect<A, E>,
    ): Effect.Effect<A | undefined, E> =>
      Effect.flatMap(
        using(channel, (bucket, rate, now) => {
          const { bucket: after, wait } = TokenBucket.promise(bucket, rate, now)
          if (wait <= LONGEST_WAIT) buckets.set(channel, after)
          return wait
        }),
        (wait = 0) => {
          if (wait > LONGEST_WAIT) return Effect.undefined
          return wait === 0 ? self : Effect.delay(self, wait)
        },
      )

    const late = (channel: string) =>
      ({ type: "unknown", message: `${channel} is sent more than it takes.` }) as const

    const service: Channels["Service"] = {
      ...inner,
      health: (channel) =>
        Effect.flatMap(inner.health(channel), (health) =>
          health !== "up" || !charges
            ? Effect.succeed(health)
            : Effect.map(isFull(channel), (full) => (full ? "rate_limited" : "up")),
        ),
      createQr: (charge) =>
        charges ? atOnce(charge.channel, inner.createQr(charge)) : inner.createQr(charge),
      createDeepLink: (charge) =>
        charges
          ? atOnce(charge.channel, inner.createDeepLink(charge))
          : inner.createDeepLink(charge),
      call: (call) =>
        Effect.map(inTurn(call.channel, inner.call(call)), (out) => out ?? late(call.channel)),
      ask: (call) =>
        Effect.map(inTurn(call.channel, inner.ask(call)), (out) => out ?? late(call.channel)),
      query: (charge) =>
        Effect.map(
          inTurn(charge.channel, inner.query(charge)),
          (out) => out ?? late(charge.channel),
        ),
      statement: (channel, day, cursor) =>
        Effect.flatMap(inTurn(channel, inner.statement(channel, day, cursor)), (page) =>
          page === undefined ? Effect.fail(overRate(channel)) : Effect.succeed(page),
        ),
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
): Layer.Layer<Channels, E, Exclude<R, never> | Installation | WallClock> =>
  Layer.effect(
    Channels,
    Effect.flatMap(Channels, (inner) => make(inner, options)),
  ).pipe(Layer.provide(channels))
