import { Result } from "effect"
import type { FeeTable } from "../pricing/Price.ts"
import type { ServiceManifest } from "../registry/ServiceManifest.ts"
import { Failure } from "../shared/Failure.ts"
import { rank } from "./RoutingScore.ts"
import {
  atLeast,
  type Catalog,
  type Channel,
  find,
  type Health,
  type KycLevel,
  serves,
} from "../channels/Channel.ts"

/** The inputs to the choice of a payment's channel (Channel routing priority). */
export interface RouteRequest {
  /** The requested channel; undefined and `auto` leave the choice open. */
  readonly requested: string | undefined
  /** The channel that the payer's install prefers. */
  readonly preference: string | undefined
  /** The payer's known wallets. */
  readonly detected: ReadonlyArray<string>
  readonly service: Pick<
    ServiceManifest,
    "accepted_channels" | "default_channel" | "fallback_channel" | "settlement_currency"
  >
  readonly catalog: Catalog
  /** The fees in force. */
  readonly fees: FeeTable
  /** The currency of the payment. */
  readonly currency: string
  /** The payer's level. */
  readonly level: KycLevel
  readonly health: (channel: string) => Health
  /** Whether the channel must make deep links. One-Time Pay does, and takes one channel only. */
  readonly needsDeepLinks: boolean
}

/** One channel, possibly as a fallback for another, or several for the payer to choose from. */
export type Route =
  | { readonly type: "one"; readonly channel: Channel; readonly fallback_of?: string }
  | { readonly type: "several"; readonly channels: ReadonlyArray<Channel> }

/** Why no channel can take a payment. */
export type RoutingFailure = Failure<
  "CHANNEL_UNAVAILABLE" | "CHANNEL_NO_DEEPLINK" | "CHANNEL_TEMPORARILY_UNAVAILABLE"
>

type Routed = Result.Result<Route, RoutingFailure>

/** Seconds after which a channel that is down, or over its rate, may be asked again. */
const DOWN = 30
const OVER_RATE = 1

const one = (channel: Channel): Routed => Result.succeed({ type: "one", channel })

const unavailable = (request: RouteRequest, channel: string | null, reason: string) => {
  const { accepted_channels } = request.service
  return new Failure({
    code: "CHANNEL_UNAVAILABLE",
    message: `${reason} The service accepts ${accepted_channels.join(", ")}.`,
    details: { channel, accepted_channels },
  })
}

/** Makes the failure while a channel, or every channel, is down or over its rate. */
export const temporarilyUnavailable = (channel: string | null, health: ReadonlyArray<Health>) => {
  const retry_after = health.includes("rate_limited") ? OVER_RATE : DOWN
  return new Failure({
    code: "CHANNEL_TEMPORARILY_UNAVAILABLE",
    message:
      channel === null
        ? `Every channel that could take this payment is down or busy. Retry in ${retry_after} s.`
        : `The channel ${channel} is down or busy. Retry in ${retry_after} s or name another.`,
    details: { channel },
    retry_after,
  })
}

const noDeepLink = (channel: string) =>
  new Failure({
    code: "CHANNEL_NO_DEEPLINK",
    message: `The channel ${channel} has no deep links. Use POST /v1/payment-intents instead.`,
    details: { channel },
  })

/** Returns why the channel cannot take this payment; undefined when it can. */
const unfit = (request: RouteRequest, channel: Channel): string | undefined => {
  const { id } = channel
  if (!request.service.accepted_channels.includes(id)) return `The service does not accept ${id}.`
  if (!serves(channel, request.currency)) return `${id} does not support ${request.currency}.`
  if (!atLeast(request.level, channel.kyc_level)) {
    return `${id} requires a payer who is verified as ${channel.kyc_level} or above.`
  }
  return undefined
}

const fitting = (request: RouteRequest): ReadonlyArray<Channel> =>
  request.catalog.filter((channel) => unfit(request, channel) === undefined)

/** Finds a channel that can take this payment, by its id. */
const fittingOne = (request: RouteRequest, id: string | null | undefined): Channel | undefined => {
  const channel = find(request.catalog, id ?? "")
  return channel !== undefined && unfit(request, channel) === undefined ? channel : undefined
}

/** Sorts channels by score, the best first (FX routing rules). */
const bestFirst = (
  { currency, fees, service }: RouteRequest,
  channels: ReadonlyArray<Channel>,
): ReadonlyArray<Channel> =>
  channels.length < 2
    ? channels
    : rank(channels, fees, currency, service.settlement_currency).map(({ channel }) => channel)

const isUsable = (request: RouteRequest, channel: Channel): boolean =>
  request.health(channel.id) === "up" && (channel.deep_links || !request.needsDeepLinks)

/** Takes the chosen channel, or its fallback while it is unavailable. */
const take = (request: RouteRequest, channel: Channel): Routed => {
  if (request.needsDeepLinks && !channel.deep_links) return Result.fail(noDeepLink(channel.id))
  const health = request.health(channel.id)
  if (health === "up") return one(channel)
  const fallback = fittingOne(request, request.service.fallback_channel)
  return fallback !== undefined && isUsable(request, fallback)
    ? Result.succeed({ type: "one", channel: fallback, fallback_of: channel.id })
    : Result.fail(temporarilyUnavailable(channel.id, [health]))
}

/** Takes the requested channel, or its fallback. */
const takeRequested = (request: RouteRequest, id: string): Routed => {
  const channel = find(request.catalog, id)
  if (channel === undefined) {
    const reason = `The channel ${JSON.stringify(id.slice(0, 64))} does not exist.`
    return Result.fail(unavailable(request, id, reason))
  }
  const reason = unfit(request, channel)
  return reason === undefined
    ? take(request, channel)
    : Result.fail(unavailable(request, id, reason))
}

const chooseAmong = (request: RouteRequest, channels: ReadonlyArray<Channel>): Routed => {
  const usable = bestFirst(
    request,
    channels.filter((channel) => isUsable(request, channel)),
  )
  const [first, second] = usable
  if (first === undefined) return Result.fail(noneOf(request, channels))
  return second === undefined || request.needsDeepLinks
    ? one(first)
    : Result.succeed({ type: "several", channels: usable })
}

/**
 * Returns the channels that can take a payment at all, and those that can take it now, best first.
 */
export const usable = (request: RouteRequest) => {
  const fit = fitting(request)
  const up = fit.filter((channel) => isUsable(request, channel))
  return { fit, up: bestFirst(request, up) }
}

const noneOf = (request: RouteRequest, channels: ReadonlyArray<Channel>) => {
  const [first] = channels
  if (first === undefined) {
    return unavailable(
      request,
      null,
      `None of the service's channels accepts ${request.currency} from this payer.`,
    )
  }
  const linking = channels.some((channel) => channel.deep_links)
  if (request.needsDeepLinks && !linking) return noDeepLink(first.id)
  return temporarilyUnavailable(
    null,
    channels.map(({ id }) => request.health(id)),
  )
}

/**
 * Chooses the channel of a payment (Channel routing priority): the requested one, the install's
 * preference, the payer's own wallet, the service's default, or the service's other channels. Of
 * several, the one with the best score comes first, and One-Time Pay takes it. The service's
 * fallback replaces a channel that is down or over its rate.
 */
export const route = (request: RouteRequest): Routed => {
  const { requested, preference, service } = request
  if (requested !== undefined && requested !== "auto") return takeRequested(request, requested)
  const preferred = fittingOne(request, preference)
  if (preferred !== undefined) return take(request, preferred)

  const candidates = fitting(request)
  const [owned] = bestFirst(
    request,
    candidates.filter(
      (channel) => request.detected.includes(channel.id) && isUsable(request, channel),
    ),
  )
  if (owned !== undefined) return one(owned)

  const byDefault = fittingOne(request, service.default_channel)
  return byDefault === undefined ? chooseAmong(request, candidates) : take(request, byDefault)
}
