import { defineKind, ownDueAt } from "../commits/KindDeclaration.ts"
import { Result } from "effect"
import type { Channel } from "../channels/Channel.ts"
import type { Criteria } from "../routing/RoutingScore.ts"
import type { ServiceManifest } from "../registry/ServiceManifest.ts"
import { Failure } from "../shared/Failure.ts"
import type { Money } from "../shared/Money.ts"
import { DAY, MINUTE, type Timestamp, toIso } from "../shared/Timestamp.ts"
import type { Fees, Settlement } from "../pricing/Price.ts"

/** How long a quote's prices hold, in milliseconds. */
export const QUOTE_LIFETIME = MINUTE

/** How long a quote is kept after that, to explain a late use. */
export const QUOTE_KEPT = DAY

/** The price of a payment on one channel. */
export interface QuotedRoute {
  readonly channel: string
  /** From 0 to 1; routes are ordered best first. */
  readonly score: number
  readonly criteria: Criteria
  readonly fees: Fees
  readonly settlement: Settlement
  readonly settles: Channel["settles"]
}

/** Prices that are promised to an account for a minute and for one payment. */
export interface Quote {
  /** `fxq_` and a UUIDv7. */
  readonly id: string
  readonly version: number
  readonly account_id: string
  /** The requested service; null when the quote is valid for any. */
  readonly service_id: string | null
  readonly amount: Money
  readonly settlement_currency: string
  readonly routes: ReadonlyArray<QuotedRoute>
  /** The payment that used it; null until then. */
  readonly payment_intent: string | null
  readonly created_at: Timestamp
  readonly expires_at: Timestamp
  /** When a worker removes it. */
  readonly due_at: Timestamp | null
}

const used = ({ id, payment_intent }: Quote) =>
  new Failure({
    code: "QUOTE_USED",
    message: `The quote ${id} has been used for a payment. Ask for a new one.`,
    field: "quote_id",
    details: { quote_id: id, payment_intent },
  })

const expired = ({ id, expires_at }: Quote) =>
  new Failure({
    code: "QUOTE_EXPIRED",
    message: `The quote ${id} expired at ${toIso(expires_at)}. Ask for a new one.`,
    field: "quote_id",
    details: { quote_id: id, expires_at: toIso(expires_at) },
  })

const otherService = (reason: string) =>
  new Failure({
    code: "INVALID_REQUEST",
    message: `The quote does not fit this service: it ${reason}.`,
    field: "service_id",
    details: [{ field: "service_id", reason }],
  })

/** Checks that the quote is neither used nor expired. */
export const checkUnused = (
  quote: Quote,
  now: Timestamp,
): Result.Result<void, Failure<"QUOTE_USED" | "QUOTE_EXPIRED">> =>
  quote.payment_intent !== null
    ? Result.fail(used(quote))
    : now >= quote.expires_at
      ? Result.fail(expired(quote))
      : Result.succeed(undefined)

/** Checks that the quote is valid for that service. */
export const checkService = (
  quote: Quote,
  service: Pick<ServiceManifest, "id" | "settlement_currency">,
): Result.Result<void, Failure<"INVALID_REQUEST">> =>
  quote.service_id !== null && quote.service_id !== service.id
    ? Result.fail(otherService("was made for another service"))
    : quote.settlement_currency !== service.settlement_currency
      ? Result.fail(otherService(`settles in ${quote.settlement_currency}`))
      : Result.succeed(undefined)

/** Records the payment that used the quote. */
export const usedFor = (quote: Quote, payment_intent: string): Quote => ({
  ...quote,
  payment_intent,
})

/** Reduces the service to the channels of the quote, without a default channel. */
export const narrowed = (quote: Quote, service: ServiceManifest): ServiceManifest => ({
  ...service,
  accepted_channels: service.accepted_channels.filter((id) => routeOn(quote, id) !== undefined),
  default_channel: null,
})

/** Returns the quote's price on a channel. */
export const routeOn = (quote: Quote, channel: string): QuotedRoute | undefined =>
  quote.routes.find((route) => route.channel === channel)

/** Returns the channel that the quote ranks first among some channels. */
export const bestOf = (quote: Quote, channels: ReadonlyArray<Channel>): ReadonlyArray<Channel> => {
  const place = ({ id }: Channel) => quote.routes.findIndex((route) => route.channel === id)
  return channels.toSorted((a, b) => place(a) - place(b)).slice(0, 1)
}

declare module "../commits/Records.ts" {
  interface DueRecords {
    readonly quote: Quote
  }
}

/** How the store keeps quotes. */
export const quoteKind = defineKind("quote", {
  prefix: "fxq",
  erased: true,
  dueAt: ownDueAt,
})
