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

/** What a new payment is named and dated by, the same however often its creation is decided. */
export interface PaymentNumbers {
  readonly id: () => string
  readonly created_at: Effect.Effect<Timestamp>
}

/** A charge that a channel was asked for, and its answer. */
export interface RegisteredCharge<A> {
  readonly charge: Charge
  readonly answer: Result.Result<A, ChannelRefusal>
}

/** The numbers of a new payment, with what channels have answered about its charges. */
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

/** The numbers of a payment that is created once: the given id, else a new one. */
export const newNumbers = (given?: string) => Effect.map(Ids, (ids) => numbersFrom(ids, given))

/** A charge's number stands for one amount: what is stored has to be what the channel was told. */
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
 * The QR codes of a new payment. A commit that is refused is decided again on the answers that
 * there are: each channel makes one code a request.
 */
export const newQrCodes = Effect.zipWith(Channels, Ids, (channels, ids) =>
  newCharges(channels.createQr, () => `qr_${ids.uuid()}`, numbersFrom(ids)),
)

/** The links of a new payment, likewise. A link's charge has the payment's own number. */
export const newLinks = Effect.zipWith(Channels, Ids, (channels, ids) =>
  newCharges(channels.createDeepLink, (payment) => payment, numbersFrom(ids)),
)

/** What is particular about the offers of a payment. */
export interface OfferOptions {
  /** Whose prices hold. */
  readonly quote?: Quote
  /** Whether the first of several channels is taken, instead of leaving them to the payer. */
  readonly single?: boolean
}

/** The QR codes of a new payment. */
export type QrCodes = NewCharges<{ readonly qr_data: string }>

/** What a payer scans for a charge whose QR code the channel has made. */
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

/** The QR codes of some channels; `one` is set where there is no other to route around it. */
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
 * The QR codes of the channels that routing leaves. A channel that turns out to be down or over its
 * rate is routed around; one whose code cannot be made fails the payment, unless others are offered
 * beside it.
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

/** What the payment settles to and costs on the channel of a quote. */
const quoted = (quote: Quote, { channel, offers }: Offered) => {
  const found = channel === undefined ? undefined : routeOn(quote, channel.id)
  return found === undefined
    ? Effect.die(new Error("A quoted payment has no quoted channel."))
    : Effect.succeed({ settlement: found.settlement, fees: found.fees, offers })
}

/** What is paid for when nothing else is said: one price, once. */
const METHOD = "one_time"

/**
 * What a payment settles to and costs whose channel may be the payer's to choose: each offer then
 * holds what the payment will cost on its channel, so that the choice needs no prices of a later
 * day. The settlement is the same on every one of them.
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
 * What the payer of a draft can scan, and what the payment settles to and costs. Without any offer,
 * `failed` is what the last channel answered.
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
