import { Clock, Effect, Result } from "effect"
import { type Channel, find, type Health } from "../channels/Channel.ts"
import { type Charge, type ChannelRefusal, Channels } from "../ports/Channels.ts"
import { Installation } from "../ports/Installation.ts"
import { feesOf } from "../pricing/Price.ts"
import { priceOn, quoteSettlement } from "../pricing/quoteSettlement.ts"
import { bestOf, type Quote, routeOn } from "../quotes/Quote.ts"
import { chooseChannel } from "../routing/chooseChannel.ts"
import type { IntentDraft } from "./draftIntent.ts"
import type { Offer } from "./PaymentIntent.ts"
import { refusedByChannel, unusableFor } from "./refusedByChannel.ts"
import { Ids } from "../ports/Ids.ts"
import type { IdSource } from "../shared/Id.ts"
import type { Money } from "../shared/Money.ts"
import type { Timestamp } from "../shared/Timestamp.ts"

/** The id and the time of a new payment. They stay the same if its creation is decided again. */
export interface PaymentNumbers {
  readonly id: () => string
  readonly created_at: Effect.Effect<Timestamp>
}

/** A charge that a channel was asked for, and its answer. */
export interface RegisteredCharge<A> {
  readonly charge: Charge
  readonly answer: Result.Result<A, ChannelRefusal>
}

/** The numbers of a new payment, and its charges with the channels' answers. */
export interface NewCharges<A> extends PaymentNumbers {
  readonly register: (
    charge: Omit<Charge, "out_trade_no" | "charge_id">,
  ) => Effect.Effect<RegisteredCharge<A>>
}

const numbersFrom = (ids: IdSource, given?: string): PaymentNumbers => {
  let id = given
  let at: Timestamp | undefined
  return {
    id: () => (id ??= `pi_${ids.uuid()}`),
    created_at: Effect.map(Clock.currentTimeMillis, (now) => (at ??= now)),
  }
}

/** Returns the numbers of a payment that is created once: the given id, else a new one. */
export const newNumbers = (given?: string) => Effect.map(Ids, (ids) => numbersFrom(ids, given))

/** Checks that a charge keeps its amount: what is stored has to be what the channel was told. */
const agreed = <A>(known: RegisteredCharge<A>, { currency, value }: Money) => {
  const { amount } = known.charge
  return amount.currency === currency && amount.value === value
    ? Effect.succeed(known)
    : Effect.die(new Error("A charge of a new payment was decided again with another amount."))
}

const newCharges = <A>(
  ask: (charge: Charge) => Effect.Effect<A, ChannelRefusal>,
  numberOf: (payment: string) => string,
  numbers: PaymentNumbers,
): NewCharges<A> => {
  const answers = new Map<string, RegisteredCharge<A>>()
  const register: NewCharges<A>["register"] = (terms) =>
    Effect.suspend(() => {
      const known = answers.get(terms.channel)
      if (known !== undefined) return agreed(known, terms.amount)
      const payment = numbers.id()
      const charge = { ...terms, out_trade_no: payment, charge_id: numberOf(payment) }
      return Effect.map(Effect.result(ask(charge)), (answer) => {
        const registered = { charge, answer }
        answers.set(terms.channel, registered)
        return registered
      })
    })
  return { ...numbers, register }
}

/**
 * Makes the QR codes of a new payment. A refused commit is decided again with the existing answers,
 * so each channel makes one code per request.
 */
export const newQrCodes = Effect.zipWith(Channels, Ids, (channels, ids) =>
  newCharges(channels.createQr, () => `qr_${ids.uuid()}`, numbersFrom(ids)),
)

/** Makes the links of a new payment in the same way. A link's charge has the payment's number. */
export const newLinks = Effect.zipWith(Channels, Ids, (channels, ids) =>
  newCharges(channels.createDeepLink, (payment) => payment, numbersFrom(ids)),
)

/** The options of a payment's offers. */
export interface OfferOptions {
  /** The quote whose prices hold. */
  readonly quote?: Quote
  /** Whether to take the first of several channels instead of letting the payer choose. */
  readonly single?: boolean
}

/** The QR codes of a new payment. */
export type QrCodes = NewCharges<{ readonly qr_data: string }>

/** Returns the offer of a charge whose QR code the channel has made. */
const madeOffer = (channel: Channel, charge: Charge, qr_data: string, base_url: string): Offer => ({
  channel: channel.id,
  charge_id: charge.charge_id,
  qr_data,
  scan_url: `${base_url}/pay/${charge.out_trade_no}`,
  label: channel.label,
})

interface Offered {
  readonly channel: Channel | undefined
  readonly offers: ReadonlyArray<Offer>
  readonly failed: ChannelRefusal | undefined
}

/** Makes the QR codes of some channels. `one` is set if routing has no other channel. */
const offersOf = Effect.fnUntraced(function* (
  candidates: ReadonlyArray<Channel>,
  { account_id: asked_by, amount, description, expires_at }: IntentDraft["intent"],
  codes: QrCodes,
  one: boolean,
) {
  const { base_url } = yield* Installation
  const offers: Array<Offer> = []
  const unusable = new Map<string, Health>()
  let failed: ChannelRefusal | undefined
  for (const channel of candidates) {
    const terms = { channel: channel.id, amount, description, expires_at, asked_by }
    const { answer, charge } = yield* codes.register(terms)
    if (Result.isSuccess(answer)) {
      offers.push(madeOffer(channel, charge, answer.success.qr_data, base_url))
    } else {
      failed = answer.failure
      const health = unusableFor(failed)
      if (health !== undefined) unusable.set(channel.id, health)
      const refusal = refusedByChannel(channel.id, failed)
      if (refusal !== undefined && one) return yield* refusal
    }
  }
  return { offers, unusable, failed }
})

/**
 * Makes the QR codes of the channels that routing leaves. A channel that is down or over its rate
 * is routed around. A channel that cannot make its code fails the payment, unless others are
 * offered.
 */
const codesOf = Effect.fnUntraced(function* (
  requested: string | undefined,
  { detected, intent, level, limits, preference, service }: IntentDraft,
  { quote, single }: OfferOptions,
  codes: QrCodes,
) {
  const { amount } = intent
  const wanted = { requested, currency: amount.currency, needsDeepLinks: false }
  const payer = { level, limits, detected, preference }
  const refused = new Map<string, Health>()
  for (;;) {
    const chosen = yield* chooseChannel(service, wanted, refused, payer)
    const several = chosen.type === "one" ? [chosen.channel] : chosen.channels
    const best = quote === undefined ? several : bestOf(quote, several)
    const candidates = single === true ? best.slice(0, 1) : best
    const one = chosen.type === "one"
    const { failed, offers, unusable } = yield* offersOf(candidates, intent, codes, one)
    for (const [channel, health] of unusable) refused.set(channel, health)
    if (offers.length > 0 || unusable.size === 0) {
      const left =
        offers.length === 0
          ? candidates
          : candidates.filter(({ id }) => offers.some(({ channel }) => channel === id))
      const only = left.length === 1 ? left[0] : undefined
      return { channel: only, offers, failed } satisfies Offered
    }
  }
})

/** Returns what the payment settles to and costs on the channel of a quote. */
const quoted = (quote: Quote, { channel, offers }: Offered) => {
  const found = channel === undefined ? undefined : routeOn(quote, channel.id)
  return found === undefined
    ? Effect.die(new Error("A quoted payment has no quoted channel."))
    : Effect.succeed({ settlement: found.settlement, fees: found.fees, offers })
}

/** The price of a payment by default: one price, once. */
const METHOD = "one_time"

/**
 * Returns what a payment settles to and costs if its payer may choose the channel. Each offer then
 * holds the fees of its channel, so that the choice needs no later prices. The settlement is the
 * same on all of them.
 */
const priced = ({ channel, offers }: Offered, amount: Money, settlementCurrency: string) =>
  channel === undefined
    ? pricedEach(offers, amount, settlementCurrency)
    : Effect.map(priceOn(channel, amount, settlementCurrency, METHOD), (price) => ({
        ...price,
        offers,
      }))

const pricedEach = Effect.fnUntraced(function* (
  offers: ReadonlyArray<Offer>,
  amount: Money,
  settlementCurrency: string,
) {
  const { catalog, terms } = yield* Installation
  const settled = yield* quoteSettlement(amount, settlementCurrency, METHOD, undefined)
  const each = offers.map((offer): Offer => {
    const offered = find(catalog, offer.channel)
    if (offered === undefined) return offer
    const request = {
      method: METHOD,
      currency: amount.currency,
      settled,
      fees: terms.fees,
    } as const
    return { ...offer, fees: feesOf({ ...request, channel: offered }) }
  })
  return { settlement: settled.settlement, fees: null, offers: each }
})

/**
 * Returns what the payer of a draft can scan, and what the payment settles to and costs. Without
 * any offer, `failed` is the last channel's answer.
 */
export const makeOffers = Effect.fnUntraced(function* (
  requested: string | undefined,
  draft: IntentDraft,
  options: OfferOptions,
  codes: QrCodes,
) {
  const { quote } = options
  const { amount } = draft.intent
  const offered = yield* codesOf(requested, draft, options, codes)
  const terms =
    quote === undefined
      ? yield* priced(offered, amount, draft.service.settlement_currency)
      : yield* quoted(quote, offered)
  return { terms: { ...terms, channel: offered.channel?.id ?? null }, failed: offered.failed }
})
