import { Clock, Effect, Result } from "effect"
import type { Caller } from "../accounts/Account.ts"
import { meter } from "../billing/Meter.ts"
import { type Channel, find } from "../channels/Channel.ts"
import { rank } from "../routing/RoutingScore.ts"
import { replyWith, retryConflict } from "../idempotency/requestKey.ts"
import { Ids } from "../ports/Ids.ts"
import { Installation } from "../ports/Installation.ts"
import { Store } from "../ports/Store.ts"
import { feesOf, settle } from "../pricing/Price.ts"
import { type Quote, QUOTE_KEPT, QUOTE_LIFETIME, type QuotedRoute } from "./Quote.ts"
import { ratesOf } from "../pricing/quoteSettlement.ts"
import { Failure, invalidField } from "../shared/Failure.ts"
import type { Money } from "../shared/Money.ts"
import { findPayable } from "../registry/findPayable.ts"
import { namePayer } from "../installs/consent.ts"
import { usableChannels } from "../routing/chooseChannel.ts"
import type { CreateQuoteInput } from "./QuoteInput.ts"
import { quoteView } from "./QuoteView.ts"

const METHOD = "one_time" as const

const unsupported = (channel: string, supported_channels: ReadonlyArray<string>) =>
  new Failure({
    code: "UNSUPPORTED_CHANNEL",
    message: `The channel ${JSON.stringify(channel)} is not supported.`,
    field: "channels",
    details: { field: "channels", channel, supported_channels },
  })

/** Returns the channels to compare: those named, those of the service, or all. */
const askedChannels = Effect.fnUntraced(function* (caller: Caller, input: CreateQuoteInput) {
  const { catalog, currencies } = yield* Installation
  const { channels, service_id, settlement_currency } = input
  const all = catalog.map(({ id }) => id)
  const unknown = channels?.find((id) => find(catalog, id) === undefined)
  if (unknown !== undefined) return yield* unsupported(unknown, all)
  if (!currencies.has(settlement_currency)) {
    return yield* invalidField("settlement_currency", "must be an ISO 4217 currency")
  }
  if (service_id === undefined) return { asked: channels ?? all, sale: undefined }
  const sale = yield* findPayable(caller, service_id)
  const { service } = sale
  if (service.settlement_currency !== settlement_currency) {
    return yield* invalidField("settlement_currency", `the service settles in its own currency`)
  }
  const asked = (channels ?? all).filter((id) => service.accepted_channels.includes(id))
  return { asked, sale }
})

type Unsettled = Failure<"INVALID_AMOUNT" | "TEMPORARILY_UNAVAILABLE">

const minimumOf = ({ details }: Unsettled): number => {
  const { minimum }: { readonly minimum?: Money } = details ?? {}
  return minimum?.value ?? Infinity
}

/** Returns the failure that names the lowest minimum, or else the first. */
const leastDemanding = (failures: ReadonlyArray<Unsettled>): Unsettled | undefined =>
  failures.reduce<Unsettled | undefined>(
    (least, next) => (least === undefined || minimumOf(next) < minimumOf(least) ? next : least),
    undefined,
  )

/**
 * Prices a route for every channel that can settle the amount, best first, all at the same rates.
 * Fails with `INVALID_AMOUNT` if there are channels, and none of them can.
 */
const priceRoutes = Effect.fnUntraced(function* (
  channels: ReadonlyArray<Channel>,
  amount: Money,
  settlement_currency: string,
) {
  const { currencies, terms } = yield* Installation
  const { fees: table } = terms
  const rates = yield* ratesOf(amount.currency, settlement_currency)
  const request = {
    amount,
    settlement_currency,
    method: METHOD,
    currencies,
    fees: table,
    ...rates,
  } as const
  const routes: Array<QuotedRoute> = []
  const refusals: Array<Unsettled> = []
  for (const { channel, criteria, score } of rank(
    channels,
    table,
    amount.currency,
    settlement_currency,
  )) {
    const settled = settle({ ...request, channel })
    if (Result.isFailure(settled)) {
      if (settled.failure.code !== "INVALID_AMOUNT") return yield* settled.failure
      refusals.push(settled.failure)
      continue
    }
    const priced = { method: METHOD, currency: amount.currency, settled: settled.success, channel }
    const fees = feesOf({ ...priced, fees: table })
    const { id, settles } = channel
    routes.push({
      channel: id,
      score,
      criteria,
      fees,
      settlement: settled.success.settlement,
      settles,
    })
  }
  const refusal = leastDemanding(refusals)
  return routes.length === 0 && refusal !== undefined ? yield* refusal : routes
})

const create = Effect.fnUntraced(function* (caller: Caller, input: CreateQuoteInput) {
  const { amount, settlement_currency } = input
  const { asked, sale } = yield* askedChannels(caller, input)
  const { spender } = yield* namePayer(caller, input.payer, sale)
  const channels = yield* usableChannels(asked, {
    level: spender.party === "payer" ? spender.level : "business",
    settlement_currency,
    currency: amount.currency,
  })
  const routes = yield* priceRoutes(channels, amount, settlement_currency)
  const created_at = yield* Clock.currentTimeMillis
  const expires_at = created_at + QUOTE_LIFETIME
  const record: Quote = {
    id: `fxq_${(yield* Ids).uuid()}`,
    version: 1,
    account_id: caller.account.id,
    service_id: input.service_id ?? null,
    amount,
    settlement_currency,
    routes,
    payment_intent: null,
    created_at,
    expires_at,
    due_at: expires_at + QUOTE_KEPT,
  }
  const shown = quoteView(record)
  yield* (yield* Store).commit({
    writes: [{ op: "insert", kind: "quote", record }],
    reservations: meter(caller.account.id, "fx-quote", created_at),
    ...(yield* replyWith(shown)),
  })
  return shown
})

/**
 * Quotes what a payment of that amount would settle to and cost on each channel that can take it
 * now, best first (FX routing rules). The prices hold for a minute and for one payment of the same
 * account.
 *
 * Fails with `TEMPORARILY_UNAVAILABLE` when the rates are too old.
 */
export const createQuote = Effect.fn("createQuote")((caller: Caller, input: CreateQuoteInput) =>
  retryConflict(create(caller, input)),
)
