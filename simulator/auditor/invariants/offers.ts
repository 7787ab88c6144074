// Written independently of core/market and core/registry on purpose: see Model.ts.

import type { ServiceManifest } from "../../../core/registry/ServiceManifest.ts"
import type { Model } from "../Model.ts"
import type { Finding, Observations, Rulebook } from "../Observation.ts"
import { difference } from "../saysTheSame.ts"
import { kept } from "./ownership.ts"
import { wordsOf } from "./registry.ts"

/** The arguments of a search, as far as the world uses them. */
export interface Sought {
  readonly query?: string
  readonly max_price?: number
  readonly currency?: string
  readonly payment_method?: "one_time" | "cumulative" | "subscription"
  readonly limit?: number
}

/** A service in an answer of the market. */
interface Offered {
  readonly service_id: string
  readonly seller_says: { readonly name: string }
}

declare module "../Observation.ts" {
  interface Observations {
    /** What the market finds at rest, for a key that finds only `ids` if they are given. */
    readonly market_searched: {
      readonly sought: Sought
      readonly ids: ReadonlyArray<string> | undefined
      readonly answer: {
        readonly found: number
        readonly services: ReadonlyArray<Offered>
        readonly next: string
      }
    }
    /** A service that the market shows at rest. */
    readonly offer_shown: { readonly answer: Offered & { readonly next: string } }
  }
}

/** How many services a page has unless it is asked for more, and how many of one seller. */
const USUAL = 5
const OF_A_SELLER = 2

/** How many prices a service is shown with in a list, and alone. */
const FEW = 2
const MANY = 20

/** How many of a description's characters a list shows. */
const BRIEF = 160

const servicesIn = (model: Model): ReadonlyArray<ServiceManifest> =>
  [...(model.know(kept).get("service")?.values() ?? [])].flatMap((record) =>
    record !== null && "pricing" in record ? [record] : [],
  )

interface Price {
  readonly method: NonNullable<Sought["payment_method"]>
  readonly amount: number
  readonly currency: string
}

const pricesOf = ({ pricing, settlement_currency }: ServiceManifest): ReadonlyArray<Price> => {
  const prices: Array<Price> = []
  for (const { amount, currency } of pricing.one_time ?? []) {
    prices.push({ method: "one_time", amount, currency })
  }
  for (const { amount, currency } of pricing.subscription ?? []) {
    prices.push({ method: "subscription", amount, currency })
  }
  const use = pricing.cumulative
  if (use !== undefined) {
    const currency = use.currency ?? settlement_currency
    prices.push({ method: "cumulative", amount: Number(use.rate), currency })
  }
  return prices
}

/** Whether a price is in the currency and at most the price that is sought. */
const isWithin = ({ currency, max_price }: Sought) => {
  if (currency === undefined) return () => true
  return (price: Pick<Price, "amount" | "currency">): boolean =>
    price.currency === currency && !(max_price !== undefined && price.amount > max_price)
}

/** Whether a service may be found, but for the words of the query. */
const isOffered = (sought: Sought, ids: ReadonlyArray<string> | undefined) => {
  const { currency, payment_method: method } = sought
  const suits = isWithin(sought)
  return (service: ServiceManifest): boolean => {
    if (service.status !== "active") return false
    if (ids !== undefined && !ids.includes(service.id)) return false
    if (method !== undefined && service.payment_methods[method] !== true) return false
    if (currency === undefined) return true
    const prices = pricesOf(service).filter((one) => method === undefined || one.method === method)
    return prices.some(suits)
  }
}

const wordsIn = (query: string): ReadonlyArray<string> =>
  wordsOf(query).filter((word) => word !== "")

const hasWord = (texts: ReadonlyArray<string>, prefix: string): boolean =>
  texts.flatMap(wordsOf).some((word) => word.startsWith(prefix))

const hasAll = (words: ReadonlyArray<string>) => (service: ServiceManifest) =>
  words.every((word) => hasWord([service.name, service.description, ...service.tags], word))

/** How many words are searched one by one at most, if no service has all: the longest. */
const TRIED = 8

/** The words in which the market says that it searched, if no service has all that were asked. */
const USED = /^No service has all words of the query\. These have (".*?")\./

/**
 * Returns the services that a search finds, or what is wrong with its words. Where none has all
 * words, the market says with which of them it has found some, and no further word would go with
 * these.
 */
const expectedOf = ({ answer, ids, sought }: Observations["market_searched"], model: Model) => {
  const offered = servicesIn(model).filter(isOffered(sought, ids))
  const words = wordsIn(sought.query ?? "")
  const all = offered.filter(hasAll(words))
  if (all.length > 0 || words.length < 2) return all
  const tried = [...new Set(words)].toSorted((a, b) => b.length - a.length).slice(0, TRIED)
  const known = tried.filter((word) => offered.some(hasAll([word])))
  const said = USED.exec(answer.next)?.[1]
  if (known.length === 0) return said === undefined ? [] : `uses ${said}, which nobody has`
  const used = said === undefined ? [] : wordsIn(JSON.parse(said) as string)
  if (used.length === 0) return "finds nothing, and some services have some of the words"
  if (used.some((word) => !known.includes(word))) return `uses words that nobody has: ${said}`
  const left = known.find((word) => !used.includes(word) && offered.some(hasAll([...used, word])))
  return left === undefined ? offered.filter(hasAll(used)) : `leaves out the word ${left}`
}

/** Texts without quotation marks and anything else that the market rewrites. */
const isPlain = (text: string): boolean => /^[\x21\x23-\x7e]+(?: [\x21\x23-\x7e]+)*$/.test(text)

const suitedFirst = <P extends Pick<Price, "amount" | "currency">>(
  prices: ReadonlyArray<P>,
  sought: Sought,
): ReadonlyArray<P> => {
  const suits = isWithin(sought)
  return prices.toSorted((a, b) => Number(suits(b)) - Number(suits(a)))
}

/** Returns what an answer says in the words of a service's seller. */
const saidOf = (service: ServiceManifest, sought: Sought, most: number) => {
  const { payment_methods, pricing, settlement_currency } = service
  const { cumulative } = pricing
  return {
    name: service.name,
    description: service.description,
    ...(most === MANY && service.tags.length > 0 && { tags: service.tags }),
    ...(payment_methods.one_time === true && {
      prices: suitedFirst(pricing.one_time ?? [], sought)
        .slice(0, most)
        .map(({ amount, currency, label }) => ({ amount, currency, label })),
    }),
    ...(payment_methods.subscription === true && {
      plans: suitedFirst(pricing.subscription ?? [], sought)
        .slice(0, most)
        .map(({ amount, currency, features, interval, name, plan_id }) => ({
          plan_id,
          name,
          amount,
          currency,
          interval,
          ...(most === MANY && features.length > 0 && { features }),
        })),
    }),
    ...(payment_methods.cumulative === true &&
      cumulative !== undefined && {
        use: {
          rate: Number(cumulative.rate),
          currency: cumulative.currency ?? settlement_currency,
          unit: cumulative.unit,
          billed: cumulative.billing_cycle,
        },
      }),
  }
}

const saysOf = (
  shown: Offered,
  service: ServiceManifest,
  sought: Sought,
  most: number,
): Finding => {
  const { description, name } = service
  if (!isPlain(name) || !isPlain(description)) return undefined
  if (most === FEW && description.length > BRIEF) return undefined
  const differs = difference(saidOf(service, sought, most), shown.seller_says)
  return differs === undefined ? undefined : `shows ${service.id} with ${differs}`
}

/** Returns how well a service fits by its name: with all words in it, with some, or with none. */
const fitOf = (words: ReadonlyArray<string>, { name }: ServiceManifest): number => {
  const named = words.filter((word) => hasWord([name], word)).length
  return named === words.length ? 2 : named === 0 ? 0 : 1
}

/** Checks the order: without words newest first, with words names before all else. */
const inOrder = (shown: ReadonlyArray<ServiceManifest>, words: ReadonlyArray<string>): Finding => {
  for (const [n, service] of shown.entries()) {
    const before = shown[n - 1]
    if (before === undefined) continue
    const [fit, better] = [fitOf(words, service), fitOf(words, before)]
    if (words.length > 0 && fit === 2 && better === 0) return `shows ${service.id} too late`
    if (words.length === 0 && service.created_at > before.created_at) {
      return `shows ${service.id} after an older one`
    }
  }
  return undefined
}

/**
 * Checks that a search finds what matches and nothing else, at most two services of a seller, and
 * that each says what is stored.
 */
const found = (seen: Observations["market_searched"], model: Model): Finding => {
  const { answer, sought } = seen
  const expected = expectedOf(seen, model)
  if (typeof expected === "string") return expected
  if (answer.found !== expected.length) return `finds ${answer.found} of ${expected.length}`
  const bySeller = new Map<string, number>()
  for (const { account_id } of expected) {
    bySeller.set(account_id, (bySeller.get(account_id) ?? 0) + 1)
  }
  const few = [...bySeller.values()].reduce((sum, n) => sum + Math.min(n, OF_A_SELLER), 0)
  const most = Math.min(few, sought.limit ?? USUAL)
  const byId = new Map(expected.map((service) => [service.id, service]))
  const shown = answer.services.flatMap(({ service_id }) => byId.get(service_id) ?? [])
  if (shown.length !== answer.services.length) return "finds a service that does not match"
  if (new Set(shown).size !== most) return `shows ${new Set(shown).size} services, not ${most}`
  const crowd = shown.find(
    ({ account_id }) => shown.filter((one) => one.account_id === account_id).length > OF_A_SELLER,
  )
  if (crowd !== undefined) return `shows more than two services of ${crowd.account_id}`
  const said = answer.services.map((one) => {
    const service = byId.get(one.service_id)
    return service && saysOf(one, service, sought, FEW)
  })
  return said.find((wrong) => wrong !== undefined) ?? inOrder(shown, wordsIn(sought.query ?? ""))
}

/** The words of the next step for each payment method. */
const STEPS = { one_time: "call pay ", subscription: "call subscribe ", cumulative: "_cumulative" }

/** Checks that a service is shown with what is stored, and with the ways to buy it. */
const shown = ({ answer }: Observations["offer_shown"], model: Model): Finding => {
  const service = servicesIn(model).find(({ id }) => id === answer.service_id)
  if (service === undefined) return "is shown and not stored"
  const { accepted_channels: channels, payment_methods, status } = service
  const differs = difference({ ...answer, status, channels }, answer)
  if (differs !== undefined) return `is shown with ${differs}`
  const wrong = Object.entries(STEPS).find(([method, words]) => {
    const isSold = status === "active" && Reflect.get(payment_methods, method) === true
    return answer.next.includes(words) !== isSold
  })
  if (wrong !== undefined) return `is sold by ${wrong[0]}, or not, unlike its next step says`
  return saysOf(answer, service, {}, MANY)
}

/** The rules about what the market finds. */
export const offerRules: Rulebook = { 128: { market_searched: found, offer_shown: shown } }
