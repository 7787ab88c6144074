import { Effect } from "effect"
import { type Channel, find } from "../channels/Channel.ts"
import { Installation } from "../ports/Installation.ts"
import { feesOf, type PaymentMethod } from "../pricing/Price.ts"
import { quoteSettlement } from "../pricing/quoteSettlement.ts"
import type { Money } from "../shared/Money.ts"
import type { IntentCommon, Offer } from "./PaymentIntent.ts"

/** What is paid for when nothing else is said: one price, once. */
const METHOD = "one_time"

type Priced = Pick<IntentCommon, "settlement" | "fees">

/**
 * What a payment on that channel settles to at the present rates, and what it costs by what it is
 * for.
 *
 * Fails as {@link quoteSettlement} does.
 */
export const priceOn = (
  channel: Channel,
  amount: Money,
  settlementCurrency: string,
  method: PaymentMethod = METHOD,
) =>
  Effect.map(quoteSettlement(amount, settlementCurrency, method, channel), (settled): Priced => ({
    settlement: settled.settlement,
    fees: feesOf({ method, currency: amount.currency, settled, channel }),
  }))

/**
 * The same for a payment whose channel may be the payer's to choose: each offer then holds what the
 * payment will cost on its channel, so that the choice needs no prices of a later day. The
 * settlement is the same on every one of them.
 */
export const priceOffers = Effect.fnUntraced(function* (
  { channel, offers }: { readonly channel: Channel | undefined; readonly offers: Iterable<Offer> },
  amount: Money,
  settlementCurrency: string,
) {
  if (channel !== undefined) {
    return { ...(yield* priceOn(channel, amount, settlementCurrency)), offers: [...offers] }
  }
  const { catalog } = yield* Installation
  const settled = yield* quoteSettlement(amount, settlementCurrency, METHOD, undefined)
  const priced = Array.from(offers, (offer): Offer => {
    const offered = find(catalog, offer.channel)
    if (offered === undefined) return offer
    const request = { method: METHOD, currency: amount.currency, settled } as const
    return { ...offer, fees: feesOf({ ...request, channel: offered }) }
  })
  return { settlement: settled.settlement, fees: null, offers: priced }
})
