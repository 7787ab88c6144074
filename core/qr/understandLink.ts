import { Clock, Effect } from "effect"
import type { Caller } from "../accounts/Account.ts"
import { type Catalog, find, serves } from "../channels/Channel.ts"
import { findVisible } from "../payments/access.ts"
import { asOf } from "../payments/Lifecycle.ts"
import { shownStatus } from "../payments/PaymentIntent.ts"
import { Installation } from "../ports/Installation.ts"
import { Store } from "../ports/Store.ts"
import { firstPrice, isPublic, type ServiceManifest } from "../registry/ServiceManifest.ts"
import { type Money, toMajor } from "../shared/Money.ts"
import type { QrLink } from "./QrLink.ts"
import type { ReadCode } from "../ports/QrReader.ts"
import { bareItem, type ScanItem, type ScanProblem, type Understood } from "./ScanResult.ts"

type Link = Exclude<QrLink, { type: "broken" }>

const problem = (code: ScanProblem["code"], message: string): ReadonlyArray<ScanProblem> => [
  { code, tag: null, at: null, message },
]

const unknown = (item: ScanItem, what: string): Understood => ({
  item: {
    ...item,
    problems: problem(
      "unknown_link",
      `The link's ${what} does not exist, or your account may not see it.`,
    ),
  },
  alternatives: [],
  action: null,
})

/** Converts an amount to major units, as scans show it. */
const major = Effect.fnUntraced(function* (money: Money) {
  const { currencies } = yield* Installation
  const currency = currencies.get(money.currency)
  return currency === undefined ? null : Number(toMajor(money, currency))
})

const merchantOf = Effect.fnUntraced(function* (service: ServiceManifest) {
  const payee = yield* (yield* Store).find("account", service.account_id)
  const id = payee?.merchant_account ?? payee?.agent_id ?? null
  return { id, name: service.name, category: null }
})

const UNPAID = new Set(["pending", "qr_generated", "scanning"])

/** Only parties see a payment's details; its hosted page is open to every payer. */
const understandPayment = Effect.fnUntraced(function* (caller: Caller, link: Link, bare: ScanItem) {
  const { base_url } = yield* Installation
  const item: ScanItem = {
    ...bare,
    qr_type: "dynamic",
    channel: link.channel,
    payment_url: `${base_url}/pay/${link.id}`,
  }
  const stored = yield* Effect.catchIf(
    findVisible(caller, link.id),
    (error) => error._tag === "Failure",
    () => Effect.succeed(undefined),
  )
  if (stored === undefined) return unknown(item, "payment")
  const intent = asOf(stored, yield* Clock.currentTimeMillis)
  const service = yield* (yield* Store).find("service", intent.service_id)
  const merchant = {
    id: intent.payee.merchant_account ?? intent.payee.agent_id,
    name: service?.name ?? null,
    category: null,
  }
  const channel = intent.channel ?? link.channel
  const terms = { channel, amount: yield* major(intent.amount), currency: intent.amount.currency }
  const payable = UNPAID.has(intent.status)
  const problems = payable
    ? []
    : problem(
        "not_payable",
        intent.status === "debiting"
          ? "The payment is being charged without asking. Wait for its outcome."
          : `The payment is ${shownStatus(intent)}. Request a new one.`,
      )
  const offered = intent.channel === null ? intent.offers.map((offer) => offer.channel) : []
  const understood: Understood = {
    item: { ...item, ...terms, merchant, confidence: 1, problems },
    alternatives: offered.filter((id) => id !== channel),
    action: payable
      ? {
          type: "pay_payment_intent",
          ...terms,
          merchant_id: merchant.id,
          payment_intent_id: intent.id,
        }
      : null,
  }
  return understood
})

const takes = (catalog: Catalog, id: string, currency: string): boolean => {
  const channel = find(catalog, id)
  return channel !== undefined && serves(channel, currency)
}

/** Returns why a service's static code creates no payment now; undefined when it does. */
const flawOf = (
  service: ServiceManifest,
  { channel }: Link,
  catalog: Catalog,
): ReadonlyArray<ScanProblem> | undefined => {
  if (service.status !== "active") {
    return problem("not_payable", `The service is ${service.status} and takes no payments.`)
  }
  const price = firstPrice(service)
  if (price === undefined) return problem("no_price", "The service has no one-time price.")
  if (channel === null) return undefined
  if (!service.accepted_channels.includes(channel)) {
    return problem("not_payable", `The service does not accept the channel ${channel}.`)
  }
  // The request of the action would be refused.
  return takes(catalog, channel, price.currency)
    ? undefined
    : problem("not_payable", `The channel ${channel} does not take ${price.currency}.`)
}

/** Interprets a service's static code: it creates a payment of the service's first price. */
const understandService = Effect.fnUntraced(function* (caller: Caller, link: Link, bare: ScanItem) {
  const { catalog } = yield* Installation
  const item: ScanItem = { ...bare, qr_type: "static", channel: link.channel }
  const service = yield* (yield* Store).find("service", link.id)
  if (service === undefined || (service.account_id !== caller.account.id && !isPublic(service))) {
    return unknown(item, "service")
  }
  const merchant = yield* merchantOf(service)
  const flaw = flawOf(service, link, catalog)
  const price = firstPrice(service)
  const shown: ScanItem = { ...item, merchant, confidence: 1, problems: flaw ?? [] }
  if (price === undefined) return { item: shown, alternatives: [], action: null }
  const money = { currency: price.currency, value: price.amount }
  const usual = service.default_channel
  const isUsual = usual !== null && takes(catalog, usual, money.currency)
  const channel = link.channel ?? (isUsual ? usual : null)
  const terms = { channel, amount: yield* major(money), currency: money.currency }
  const alternatives = service.accepted_channels.filter(
    (id) => id !== channel && takes(catalog, id, money.currency),
  )
  const body = {
    service_id: service.id,
    type: "one_time",
    amount: money,
    description: price.label,
    ...(channel !== null && { payer_channel: channel }),
  }
  const understood: Understood = {
    item: { ...shown, ...terms },
    alternatives,
    action:
      flaw === undefined
        ? {
            type: "create_payment_intent",
            ...terms,
            merchant_id: merchant.id,
            request: { method: "POST", path: "/v1/payment-intents", body },
          }
        : null,
  }
  return understood
})

/** Interprets a link of this protocol for the caller who scanned it. */
export const understandLink = Effect.fnUntraced(function* (
  caller: Caller,
  link: QrLink,
  code: ReadCode,
) {
  const item = bareItem("svc", code.text, code.version)
  if (link.type === "broken") {
    const broken = { ...item, confidence: 0.2, problems: problem("bad_link", link.message) }
    return { item: broken, alternatives: [], action: null }
  }
  return link.type === "pay"
    ? yield* understandPayment(caller, link, item)
    : yield* understandService(caller, link, item)
})
