import { Effect, Result } from "effect"
import * as Channel from "../channels/Channel.ts"
import { atLeast, type Health, type KycLevel } from "../channels/Channel.ts"
import { channelTooHigh, type Refusal } from "../kyc/limits/Limits.ts"
import { Channels } from "../ports/Channels.ts"
import { Installation } from "../ports/Installation.ts"
import { Failure } from "../shared/Failure.ts"
import {
  type Route,
  route,
  type RouteRequest,
  type RoutingFailure,
  temporarilyUnavailable,
  usable,
} from "./Routing.ts"

/**
 * Reads the health of every channel that the service accepts, except those that have just refused.
 */
const healthOf = Effect.fnUntraced(function* (
  service: Pick<RouteRequest["service"], "accepted_channels">,
  refused: ReadonlyMap<string, Health>,
) {
  const channels = yield* Channels
  const accepted = service.accepted_channels
  const health: Array<Health> = []
  for (const id of accepted) health.push(refused.get(id) ?? (yield* channels.health(id)))
  return (id: string): Health => health[accepted.indexOf(id)] ?? "down"
})

/**
 * Chooses the payment's channel among those that are open to the payer's level. For an unknown
 * payer all channels are open, since the channel knows who authorizes.
 *
 * Fails with the failures of routing, and with `INSUFFICIENT_KYC` for a requested channel that is
 * not open to the payer.
 */
export const chooseChannel = Effect.fnUntraced(function* (
  service: RouteRequest["service"],
  wanted: Pick<RouteRequest, "requested" | "currency" | "needsDeepLinks">,
  refused: ReadonlyMap<string, Health>,
  payer: {
    readonly level: KycLevel
    /** What a refusal for a limit needs to say. */
    readonly limits: Refusal
    readonly detected: ReadonlyArray<string>
    /** The channel that the payer's install prefers. */
    readonly preference: string | undefined
  },
): Effect.fn.Return<Route, RoutingFailure | Failure<"INSUFFICIENT_KYC">, Channels | Installation> {
  const { catalog, terms } = yield* Installation
  const { detected, level, limits, preference } = payer
  const asked = Channel.find(catalog, wanted.requested ?? "")
  const accepted = asked !== undefined && service.accepted_channels.includes(asked.id)
  if (accepted && !atLeast(level, asked.kyc_level)) {
    return yield* channelTooHigh(limits, asked.id, asked.kyc_level)
  }
  const routed = route({
    ...wanted,
    preference,
    detected,
    service,
    catalog,
    fees: terms.fees,
    level,
    health: yield* healthOf(service, refused),
  })
  return yield* Result.isSuccess(routed)
    ? Effect.succeed(routed.success)
    : Effect.fail(routed.failure)
})

const noChannel = (currency: string, channels: ReadonlyArray<string>) =>
  new Failure({
    code: "CHANNEL_UNAVAILABLE",
    message: `None of these channels accepts ${currency} from this payer.`,
    details: { channel: null, accepted_channels: channels },
  })

/** Returns the channels of `accepted` that can take a payment of that level now, best first. */
export const usableChannels = Effect.fnUntraced(function* (
  accepted: ReadonlyArray<string>,
  payment: {
    readonly level: KycLevel
    readonly settlement_currency: string
    readonly currency: string
  },
) {
  const { catalog, terms } = yield* Installation
  const { currency, level, settlement_currency } = payment
  const none = { default_channel: null, fallback_channel: null }
  const service = { accepted_channels: accepted, settlement_currency, ...none }
  const health = yield* healthOf(service, new Map())
  const { fit, up } = usable({
    requested: undefined,
    currency,
    needsDeepLinks: false,
    preference: undefined,
    detected: [],
    service,
    catalog,
    fees: terms.fees,
    level,
    health,
  })
  if (fit.length === 0) return yield* noChannel(currency, accepted)
  if (up.length === 0) {
    return yield* temporarilyUnavailable(
      null,
      fit.map(({ id }) => health(id)),
    )
  }
  return up
})
