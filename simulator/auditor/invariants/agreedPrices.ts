// Written independently of core/invoices on purpose: see Model.ts.

import type { Invoice } from "../../../core/invoices/Invoice.ts"
import type { Subscription } from "../../../core/invoices/Subscription.ts"
import type { Tab } from "../../../core/invoices/Tab.ts"
import type { Commit } from "../../../core/ports/Store.ts"
import { billing } from "../Billing.ts"
import type { Model } from "../Model.ts"
import type { Finding, Rule, Rulebook } from "../Observation.ts"
import { saysTheSame } from "../saysTheSame.ts"
import { UNSPENT } from "./lifecycle.ts"
import { givenRates, worthsOf } from "./exchange.ts"
import { millionths } from "./millionths.ts"

/** Checks that a tab has its service's price when it is opened, and keeps it while it is open. */
const ofTab = (after: Tab, model: Model): Finding => {
  const before = model.know(billing).tabs.get(after.id)
  const { currency, rate } = after.price
  if (before !== undefined && (before.status === "open" || after.status === "closed")) {
    return saysTheSame(before.price, after.price) ? undefined : `changes its price to ${rate}`
  }
  const service = model.services.get(after.service_id)
  const price = service?.pricing.cumulative
  if (service === undefined || price === undefined) return "has no price"
  const { currency: asked = service.settlement_currency } = price
  const isSame =
    millionths(String(price.rate)) === millionths(rate) &&
    currency === asked &&
    price.unit === after.price.unit &&
    price.billing_cycle === after.price.billing_cycle
  return isSame ? undefined : `is opened at ${rate} ${currency} and not ${price.rate} ${asked}`
}

/** Checks that a subscription has its plan's price when it begins, and keeps it. */
const ofSubscription = (after: Subscription, model: Model): Finding => {
  const { amount, id, interval, plan_id } = after
  const before = model.know(billing).subscriptions.get(id)
  if (before !== undefined) {
    const isSame = saysTheSame(before.amount, amount) && before.interval === interval
    return isSame ? undefined : `changes its price to ${amount.value} ${amount.currency}`
  }
  const plans = model.services.get(after.service_id)?.pricing.subscription ?? []
  const plan = plans.find((one) => one.plan_id === plan_id)
  if (plan === undefined) return `begins with ${plan_id}, which is no plan`
  const isSame =
    plan.amount === amount.value && plan.currency === amount.currency && plan.interval === interval
  return isSame
    ? undefined
    : `begins at ${amount.value} ${amount.currency} and not ${plan.amount} ${plan.currency}`
}

/** Checks that an invoice has the price of its subscription or of its tab's period. */
const ofInvoice = ({ writes }: Commit, invoice: Invoice, model: Model): Finding => {
  const { amount, lines, period, subscription, tab } = invoice
  const known = model.know(billing)
  if (subscription !== null) {
    const stored = writes.find(({ record }) => record.id === subscription)
    const record =
      stored?.kind === "subscription" ? stored.record : known.subscriptions.get(subscription)
    return record !== undefined && saysTheSame(record.amount, amount)
      ? undefined
      : `is of ${amount.value} ${amount.currency} and not of its subscription's price`
  }
  const price = known.priceIn(tab ?? "", period)
  const [line] = lines
  if (price === undefined || line === undefined) return "bills a period that was never open"
  return line.unit_amount === price.rate && amount.currency === price.currency
    ? undefined
    : `bills at ${line.unit_amount} ${amount.currency} and not ${price.rate} ${price.currency}`
}

const agreed: Rule<"write"> = ({ commit, write }, model) => {
  switch (write.kind) {
    case "tab":
      return write.op === "remove" ? undefined : ofTab(write.record, model)
    case "subscription":
      return ofSubscription(write.record, model)
    case "invoice":
      return write.op === "insert" ? ofInvoice(commit, write.record, model) : undefined
    default:
      return undefined
  }
}

/** The most minor units of the seller's currency for which no payment may be possible. */
const TOO_SMALL = 2

/** Checks that a bill is left to the next one if it is rounded to nothing, but not if free. */
const ofNothing = (bill: Invoice, model: Model): Finding => {
  const known = model.know(billing)
  const exact = known.costOf(bill) + known.leftTo(bill.tab ?? "", bill.amount.currency)
  if (bill.status === "void" && exact === 0n) return "leaves nothing to the next bill"
  return bill.status !== "void" && exact > 0n
    ? `forgets what is rounded to nothing: ${exact} millionths of millionths`
    : undefined
}

/** Checks that a tab's bill is left to the next one if it is too small, by any recent rates. */
const leftOver: Rule<"write"> = ({ at, write }, model) => {
  if (write.kind !== "invoice" || write.op !== "insert" || write.record.tab === null) {
    return undefined
  }
  const { amount, service_id, status } = write.record
  const to = model.services.get(service_id)?.settlement_currency ?? amount.currency
  const bill = `${amount.value} ${amount.currency}`
  const isLeft = status === "void"
  if (amount.value === 0) return ofNothing(write.record, model)
  if (to === amount.currency) {
    return isLeft ? `leaves ${bill} to the next bill, which could be settled` : undefined
  }
  const known = model.know(givenRates)
  const worths = worthsOf(known, amount, to)
  if (isLeft) {
    return worths.some((worth) => worth <= TOO_SMALL)
      ? undefined
      : `leaves ${bill} to the next bill, worth ${worths.join(" or ") || "nothing known"}`
  }
  const isTooSmall = worths.length > 0 && worths.every((worth) => worth <= TOO_SMALL)
  return isTooSmall && !known.wereMissing(at)
    ? `asks for ${bill}, which is worth ${worths.join(" or ")} ${to}`
    : undefined
}

/** Checks that a tab which is opened, anew or again, owes no bill that was given up. */
const openedByDebtor: Rule<"write"> = ({ write }, model) => {
  if (write.kind !== "tab" || write.op === "remove" || write.record.status !== "open") {
    return undefined
  }
  const { id } = write.record
  const known = model.know(billing)
  if (known.tabs.get(id)?.status === "open") return undefined
  const owed = [...known.invoices.values()].find(
    ({ status, tab }) => tab === id && status === "uncollectible",
  )
  return owed && `is opened while it owes ${owed.id}`
}

/** Checks that a void ends the payment which its invoice waits for, in the same commit. */
const endsPayment = (commit: Commit, after: Invoice, model: Model): Finding => {
  const before = model.know(billing).invoices.get(after.id)
  if (after.status !== "void" || before === undefined || before.payment_intent === null) {
    return undefined
  }
  const { payment_intent } = before
  const stored = model.intents.get(payment_intent)?.record
  const written = commit.writes.find(({ record }) => record.id === payment_intent)
  const payment = written?.kind === "payment_intent" ? written.record : stored
  return payment === undefined || UNSPENT.has(payment.status)
    ? undefined
    : `is voided while ${payment.id} is ${payment.status}`
}

/** Checks that nothing is begun or paid for an invoice that its seller has voided. */
const forgiven: Rule<"write"> = ({ commit, write }, model) => {
  if (write.kind === "invoice") return endsPayment(commit, write.record, model)
  if (write.kind !== "payment_intent" || write.op === "remove") return undefined
  const { invoice, status } = write.record
  const owed = model.know(billing).invoices.get(invoice ?? "")
  if (owed?.status !== "void" || UNSPENT.has(status)) return undefined
  return `is ${status} for ${owed.id}, which was voided`
}

/** Checks that who is refused a tab did owe a bill that was given up, since it asked. */
const debtor: Rule<"turned_away"> = ({ code, route, sent }, model) => {
  if (code !== "INVOICE_UNPAID") return undefined
  const known = model.know(billing)
  const tabs = [...known.tabs.values()].filter(({ service_id }) => route.includes(service_id))
  return tabs.some(({ id }) => known.owedUntil(id) >= sent)
    ? undefined
    : "is refused a tab, and owes no bill that was given up"
}

/** The rules about the prices of what is paid repeatedly. */
export const agreedPriceRules: Rulebook = {
  116: { write: leftOver },
  117: { write: agreed },
  118: { write: openedByDebtor },
  119: { write: forgiven, turned_away: debtor },
}
