import { Effect, Layer } from "effect"
import { ChannelRefusal, Channels } from "../../../core/ports/Channels.ts"
import { Installation } from "../../../core/ports/Installation.ts"
import { RateLeases } from "../../../core/ports/RateLeases.ts"
import { Vault } from "../../../core/ports/Vault.ts"
import { WallClock } from "../../../core/ports/WallClock.ts"
import { SECOND, type Timestamp } from "../../../core/shared/Timestamp.ts"
import { SharedSecond } from "./SharedSecond.ts"
import { SlidingSecond } from "./SlidingSecond.ts"

/** The longest wait. A call that would wait longer is not made, and a worker queries it later. */
const LONGEST_WAIT = 3 * SECOND

const overRate = (channel: string): ChannelRefusal =>
  new ChannelRefusal({
    reason: "rate_limited",
    message: `${channel} is at its rate limit for this second.`,
    retry_after: 1,
  })

/** New payments of one account get at most one of this many parts of a channel's rate. */
const SHARES = 2

/** The most accounts whose shares are kept. A forgotten one starts again in the next second. */
const MOST_ACCOUNTS = 10_000

/** A channel's rate in this process and in all processes, and the share of each account. */
interface Limited {
  readonly own: SlidingSecond
  readonly all: SharedSecond
  readonly shareOf: (account: string) => SharedSecond
}

/** Returns the limits of the channels that have a rate in the catalog. */
const limitsOfChannels = Effect.gen(function* () {
  const { catalog } = yield* Installation
  const leases = yield* RateLeases
  const { sha256 } = yield* Vault
  const seconds = new Map<string, Limited>()
  for (const { id, refunds } of catalog) {
    const rate = refunds.rate_per_second
    if (rate === null) continue
    const shares = new Map<string, SharedSecond>()
    const shareOf = (account: string): SharedSecond => {
      const name = `${id} by ${account}`
      const share =
        shares.get(account) ?? new SharedSecond(name, Math.ceil(rate / SHARES), leases, sha256)
      if (shares.size >= MOST_ACCOUNTS) shares.clear()
      shares.set(account, share)
      return share
    }
    const all = new SharedSecond(id, rate, leases, sha256)
    seconds.set(id, { own: new SlidingSecond(rate), all, shareOf })
  }

  return seconds
})

/** Whether the account's share and the rate of all processes allow another request. */
const takes = ({ all, shareOf }: Limited, account: string | undefined, now: Timestamp) =>
  account === undefined
    ? all.take(now)
    : Effect.flatMap(shareOf(account).take(now), (within) =>
        within ? all.take(now) : Effect.succeed(false),
      )

/** Returns functions that run requests within the rates. */
const makeTurns = Effect.gen(function* () {
  const clock = yield* WallClock
  const seconds = yield* limitsOfChannels

  /** Runs `self` in the first second with room in all processes, or `late`. */
  const inSecond = <A, E, B, F>(
    second: Limited,
    self: Effect.Effect<A, E>,
    late: Effect.Effect<B, F>,
    left: number,
  ): Effect.Effect<A | B, E | F> =>
    Effect.flatMap(clock.now, (now) =>
      Effect.flatMap(second.all.take(now), (free): Effect.Effect<A | B, E | F> => {
        if (free) return self
        const wait = SECOND - (now % SECOND)
        if (wait > left) return late
        return Effect.delay(
          Effect.suspend(() => inSecond(second, self, late, left - wait)),
          wait,
        )
      }),
    )

  return {
    /** Whether the channel accepts another request now. */
    isFree: (channel: string): Effect.Effect<boolean> => {
      const second = seconds.get(channel)
      return second === undefined
        ? Effect.succeed(true)
        : Effect.map(clock.now, (now) => second.own.isFree(now) && second.all.isFree(now))
    },

    /**
     * Runs `self` if the channel accepts another request of that account now, else fails with
     * `rate_limited`.
     */
    atOnce: <A>(
      channel: string,
      account: string | undefined,
      self: Effect.Effect<A, ChannelRefusal>,
    ): Effect.Effect<A, ChannelRefusal> => {
      const second = seconds.get(channel)
      if (second === undefined) return self
      return Effect.flatMap(clock.now, (now) => {
        if (!second.own.isFree(now)) return Effect.fail(overRate(channel))
        return Effect.flatMap(takes(second, account, now), (free) =>
          free && second.own.promise(now, 0) !== undefined ? self : Effect.fail(overRate(channel)),
        )
      })
    },

    /** Runs `self` once the channel accepts another request, or `late` if that takes too long. */
    inTurn: <A, E, B, F>(
      channel: string,
      self: Effect.Effect<A, E>,
      late: Effect.Effect<B, F>,
    ): Effect.Effect<A | B, E | F> => {
      const second = seconds.get(channel)
      if (second === undefined) return self
      return Effect.flatMap(clock.now, (now): Effect.Effect<A | B, E | F> => {
        const wait = second.own.promise(now, LONGEST_WAIT)
        if (wait === undefined) return late
        const sent = inSecond(second, self, late, LONGEST_WAIT - wait)
        return wait === 0 ? sent : Effect.delay(sent, wait)
      })
    },
  }
})

const unsent = (channel: string) =>
  Effect.succeed({
    type: "unknown",
    message: `${channel} is at its rate limit: the request was not sent.`,
  } as const)

const make = Effect.fnUntraced(function* (inner: Channels["Service"]) {
  const { atOnce, inTurn, isFree } = yield* makeTurns
  /** Makes a call wait for its channel's rate. A call that would wait too long ends `unknown`. */
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
    createQr: (charge) => atOnce(charge.channel, charge.asked_by, inner.createQr(charge)),
    createDeepLink: (charge) =>
      atOnce(charge.channel, charge.asked_by, inner.createDeepLink(charge)),
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
 * Keeps this process within the rates of the catalog's channels in every second, and all processes
 * with the same leases in each second of the clock. A charge over the rate, or over its account's
 * half of it, is refused at once, so that routing finds another channel. A call, which continues
 * something begun, waits. Uses the wall clock, because a channel does not know a sandbox's clock.
 */
export const withinRate = <E, R>(
  channels: Layer.Layer<Channels, E, R>,
): Layer.Layer<Channels, E, R | Installation | RateLeases | Vault | WallClock> =>
  Layer.effect(Channels, Effect.flatMap(Channels, make)).pipe(Layer.provide(channels))
