import { saidLine } from "../agents/SafeText.ts"
import type { Pricing } from "../registry/Pricing.ts"
import { hasPrice, type PriceFilter } from "../registry/PriceFilter.ts"
import type { NotHeld } from "../registry/ServiceView.ts"
import type { ServiceManifest } from "../registry/ServiceManifest.ts"
import { isDisguised } from "../shared/Look.ts"

/** The most characters of sellers' texts: in a list, and of a single service. */
const NAME = 128
const LABEL = 64
const BRIEF = 160
const WHOLE = 1_000

/** The most prices and plans: in a list, and of a single service. */
const FEW = 2
const MANY = 20
const TAGS = 8
const ADDRESS = 256
const FEATURES = 5

/** The warning about a name that can be mistaken for another. */
const WARNING =
  "This name is written so that it can be mistaken for another name. Check that this is the " +
  "intended service."

const warningOf = ({ name }: ServiceManifest) => (isDisguised(name) ? { warning: WARNING } : {})

interface Shown {
  readonly most: number
  /** Whether a plan is shown with its features. */
  readonly features: boolean
  readonly price?: PriceFilter | undefined
}

/** Puts the prices that match the filter first. */
const matchingFirst = <P extends { readonly amount: number; readonly currency: string }>(
  prices: ReadonlyArray<P>,
  filter: PriceFilter | undefined,
): ReadonlyArray<P> => {
  if (filter === undefined) return prices
  const fits = (price: P) =>
    hasPrice({ pricing: { one_time: [{ ...price, label: "" }] }, settlement_currency: "" }, filter)
  return [...prices.filter(fits), ...prices.filter((price) => !fits(price))]
}

const plansOf = (plans: NonNullable<Pricing["subscription"]>, { features, most, price }: Shown) =>
  matchingFirst(plans, price)
    .slice(0, most)
    .map((plan) => ({
      plan_id: plan.plan_id,
      name: saidLine(plan.name, LABEL),
      amount: plan.amount,
      currency: plan.currency,
      interval: plan.interval,
      ...(features &&
        plan.features.length > 0 && {
          features: plan.features.slice(0, FEATURES).map((each) => saidLine(each, LABEL)),
        }),
    }))

/** Shows a service's prices, for the payment methods that it accepts. */
const pricesOf = (service: ServiceManifest, shown: Shown) => {
  const { payment_methods, pricing, settlement_currency } = service
  const { cumulative, one_time = [], subscription = [] } = pricing
  const { most, price } = shown
  return {
    ...(payment_methods.one_time === true && {
      prices: matchingFirst(one_time, price)
        .slice(0, most)
        .map(({ amount, currency, label }) => ({
          amount,
          currency,
          label: saidLine(label, LABEL),
        })),
    }),
    ...(payment_methods.subscription === true && { plans: plansOf(subscription, shown) }),
    ...(payment_methods.cumulative === true &&
      cumulative !== undefined && {
        use: {
          rate: Number(cumulative.rate),
          currency: cumulative.currency ?? settlement_currency,
          unit: saidLine(cumulative.unit, LABEL),
          billed: cumulative.billing_cycle,
        },
      }),
  }
}

/**
 * Shows resources sold by x402 that do not match their listings. The URLs are the seller's text.
 */
const heldOf = (notHeld: ReadonlyArray<NotHeld>, most: number) =>
  notHeld.length === 0
    ? {}
    : {
        not_held: notHeld
          .slice(0, most)
          .map((one) => ({ ...one, resource: saidLine(one.resource, ADDRESS) })),
      }

/** Shows a service in a list, with what is needed to choose it. The seller's texts are separate. */
export const offerLine = (
  service: ServiceManifest,
  price: PriceFilter | undefined,
  notHeld: ReadonlyArray<NotHeld> = [],
) => ({
  service_id: service.id,
  seller_says: {
    name: saidLine(service.name, NAME),
    description: saidLine(service.description, BRIEF),
    ...pricesOf(service, { most: FEW, features: false, price }),
  },
  ...warningOf(service),
  ...heldOf(notHeld, 1),
})

/** Shows a single service, with what is needed to pay it. The seller's texts are separate. */
export const offerView = (service: ServiceManifest, notHeld: ReadonlyArray<NotHeld> = []) => ({
  service_id: service.id,
  status: service.status,
  channels: service.accepted_channels,
  seller_says: {
    name: saidLine(service.name, NAME),
    description: saidLine(service.description, WHOLE),
    ...(service.tags.length > 0 && {
      tags: service.tags.slice(0, TAGS).map((tag) => saidLine(tag, LABEL)),
    }),
    ...pricesOf(service, { most: MANY, features: true }),
  },
  ...warningOf(service),
  ...heldOf(notHeld, 3),
})

/** Returns the next step for a service that is shown. */
export const offerNext = ({ id, payment_methods, status }: ServiceManifest): string => {
  if (status !== "active") {
    return "This service accepts no new payments. Call search_services to find another one."
  }
  const { cumulative, one_time, subscription } = payment_methods
  const ways = [
    ...(one_time === true ? ["call pay with service_id, or quote first"] : []),
    ...(subscription === true ? ["call subscribe with service_id and a plan_id"] : []),
    ...(cumulative === true
      ? [`for billing by use, call ${id}__pay_cumulative of /mcp?ids=${id}`]
      : []),
  ]
  return `To buy: ${ways.join("; ")}.`
}
