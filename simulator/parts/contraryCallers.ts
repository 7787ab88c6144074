import { Effect } from "effect"
import type { Account, Caller } from "../../core/accounts/Account.ts"
import type { Invoice } from "../../core/invoices/Invoice.ts"
import type { Tab } from "../../core/invoices/Tab.ts"
import { callMarket } from "../../core/market/callMarket.ts"
import { captureIntent } from "../../core/payments/captureIntent.ts"
import { createIntent } from "../../core/payments/createIntent.ts"
import { createOneTime } from "../../core/payments/createOneTime.ts"
import { cancelIntent, voidIntent } from "../../core/payments/endIntent.ts"
import type { Kind } from "../../core/ports/Store.ts"
import { createRefundRequest } from "../../core/refundRequests/createRefundRequest.ts"
import {
  approveRefundRequest,
  declineRefundRequest,
  withdrawRefundRequest,
} from "../../core/refundRequests/moveRefundRequest.ts"
import { createRefund } from "../../core/refunds/createRefund.ts"
import { moveService } from "../../core/registry/moveService.ts"
import { SERVICE_ACTIONS, type ServiceAction } from "../../core/registry/ManifestMachine.ts"
import type { ServiceManifest } from "../../core/registry/ServiceManifest.ts"
import type { Money } from "../../core/shared/Money.ts"
import { cancelSubscription } from "../../core/subscriptions/cancelSubscription.ts"
import { payInvoice } from "../../core/subscriptions/payInvoice.ts"
import { startUsage, stopUsage } from "../../core/subscriptions/startUsage.ts"
import { subscribe } from "../../core/subscriptions/subscribe.ts"
import type { SubscribeTerms } from "../../core/subscriptions/SubscribeInput.ts"
import { voidInvoice } from "../../core/subscriptions/voidInvoice.ts"
import { answersTo, attemptRules } from "../auditor/invariants/attempts.ts"
import { kept } from "../auditor/invariants/ownership.ts"
import type { Chance } from "../random/Chance.ts"
import type { Part, Scene, Services } from "../world/Stage.ts"
import { failedWith } from "./failedWith.ts"

type Sent = { readonly [name: string]: unknown }

/** A record that a request can be about. */
type About = { readonly [field: string]: unknown } & { readonly id: string }

type Act = Effect.Effect<unknown, unknown, Services>

/** A kind of request: what it is about, what is said in it, and how it is made. */
interface Deed {
  readonly about: Kind
  readonly says?: (record: About, chance: Chance) => Sent
  readonly act: (caller: Caller, id: string, sent: Sent, record: About) => Act
}

/** Amounts at and above what a payment has, a part of it, and one in another currency. */
const amountsOf = (record: About, chance: Chance): Sent => {
  const { currency, value } = record["amount"] as Money
  const amount = chance.pick<Money | undefined>([
    undefined,
    { currency, value },
    { currency, value: value + 1 },
    { currency, value: Math.max(1, Math.floor(value / 2)) },
    { currency: currency === "USD" ? "EUR" : "USD", value },
  ])
  return amount === undefined ? {} : { amount }
}

const inOwnCurrency = (record: About, chance: Chance): Sent => {
  const { currency, value } = record["amount"] as Money
  const asked = chance.pick<number | undefined>([undefined, value, value + 1, 1])
  return asked === undefined ? {} : { amount: { currency, value: asked } }
}

/** What is said of an invoice, at most one thing of which is wrong. */
const saidOf = (record: About, chance: Chance): Sent => {
  const { amount, payer, service_id } = record as unknown as Invoice
  const right = { amount: amount.value, currency: amount.currency, agent_id: payer.agent_id }
  const wrong = chance.pick<Sent>([
    {},
    {},
    { amount: amount.value + 1 },
    { currency: amount.currency === "USD" ? "EUR" : "USD" },
    { agent_id: "nobody" },
    { service_id: payer.agent_id },
    { description: "What is owed" },
  ])
  return { service_id, ...(chance.hits(0.5) && right), ...wrong }
}

/** A plan's terms, at most one of which is wrong. */
const termsOf = (record: About, chance: Chance): Sent => {
  const { pricing } = record as unknown as ServiceManifest
  const [first, ...others] = pricing.subscription ?? []
  if (first === undefined) return { plan_id: "none" }
  const { amount, currency, interval, plan_id } = chance.pick([first, ...others])
  const price = { currency, value: amount }
  return chance.pick<Sent>([
    { plan_id: `${plan_id}s` },
    { plan_id, interval: interval === "daily" ? "weekly" : "daily" },
    { plan_id, amount: price },
    { plan_id, interval, amount: { currency, value: amount + 1 } },
    { plan_id, interval, amount: { ...price, currency: currency === "USD" ? "EUR" : "USD" } },
    { plan_id, amount: { currency: currency === "USD" ? "EUR" : "USD" } },
    { plan_id, interval, amount: price },
  ])
}

const priceOf = (record: About, chance: Chance): Sent => {
  const [price] = (record as unknown as ServiceManifest).pricing.one_time ?? []
  const value = price?.amount ?? 100
  const currency = chance.pick(["XXX", "KWD", "INR", "THB", price?.currency ?? "USD"])
  return { amount: { currency, value } }
}

const REASON = "It was not what I wanted"
const asMoney = (sent: Sent) => sent as { readonly amount?: Money }
const minorUnits = ({ amount }: Sent): Sent =>
  amount === undefined ? {} : { amount: (amount as Money).value }

const DEEDS: { readonly [deed: string]: Deed } = {
  capture: {
    about: "payment_intent",
    says: amountsOf,
    act: (caller, id, sent) => captureIntent(caller, id, asMoney(sent)),
  },
  cancel: { about: "payment_intent", act: cancelIntent },
  void: { about: "payment_intent", act: voidIntent },
  refund: {
    about: "payment_intent",
    says: amountsOf,
    act: (caller, payment_intent, sent) =>
      createRefund(caller, { payment_intent, ...asMoney(sent) }),
  },
  "ask for a refund": {
    about: "payment_intent",
    says: amountsOf,
    act: (caller, payment_intent, sent) =>
      createRefundRequest(caller, { payment_intent, reason: REASON, ...asMoney(sent) }),
  },
  "ask for a refund in the market": {
    about: "payment_intent",
    says: inOwnCurrency,
    act: (caller, payment_id, sent) => {
      const said = { payment_id, reason: REASON, ...minorUnits(sent) }
      return callMarket(caller, "request_refund", said)
    },
  },
  approve: {
    about: "refund_request",
    says: amountsOf,
    act: (caller, id, sent) => approveRefundRequest(caller, id, asMoney(sent)),
  },
  decline: {
    about: "refund_request",
    act: (caller, id) => declineRefundRequest(caller, id, { reason: REASON }),
  },
  withdraw: { about: "refund_request", act: withdrawRefundRequest },
  "pay invoice": { about: "invoice", act: payInvoice },
  "void invoice": { about: "invoice", act: voidInvoice },
  "pay invoice in the market": {
    about: "invoice",
    says: saidOf,
    act: (caller, invoice_id, sent) => callMarket(caller, "pay", { invoice_id, ...sent }),
  },
  "end subscription": {
    about: "subscription",
    says: (_, chance) => (chance.hits(0.5) ? { now: "true" } : {}),
    act: (caller, id, sent) => cancelSubscription(caller, id, sent),
  },
  "end subscription in the market": {
    about: "subscription",
    says: (_, chance) => (chance.hits(0.5) ? { now: true } : {}),
    act: (caller, subscription_id, sent) =>
      callMarket(caller, "cancel_subscription", { subscription_id, ...sent }),
  },
  subscribe: {
    about: "service",
    says: termsOf,
    act: (caller, id, sent) => subscribe(caller, id, sent as unknown as SubscribeTerms),
  },
  "open tab": { about: "service", act: (caller, id) => startUsage(caller, id, {}) },
  "close tab": {
    about: "tab",
    act: (caller, tab, _, record) => {
      const { agent_id, service_id } = record as unknown as Tab
      return stopUsage(caller, service_id, { agent_id, tab })
    },
  },
  "request payment": {
    about: "service",
    says: priceOf,
    act: (caller, service_id, sent) => {
      const amount = sent["amount"] as Money
      return createIntent(caller, { service_id, type: "one_time", amount, description: "A map" })
    },
  },
  "pay once": {
    about: "service",
    says: priceOf,
    act: (caller, service_id, sent) => {
      const payer = { agent_id: caller.account.agent_id }
      const amount = sent["amount"] as Money
      return createOneTime(caller, { service_id, amount, description: "A map", payer })
    },
  },
  "move service": {
    about: "service",
    says: (_, chance) => ({ action: chance.pick(SERVICE_ACTIONS) }),
    act: (caller, id, { action }) => moveService(caller, id, action as ServiceAction),
  },
}

const NAMES = Object.keys(DEEDS) as [string]

/** Draws who sends a request: mostly one whose record it is about. */
const drawSender = (record: About, strangers: ReadonlyArray<string>, chance: Chance): string => {
  const { account_id, payee_account_id } = record
  const [first = "", ...others] = strangers
  const seller = String(payee_account_id ?? account_id)
  return chance.weighted([
    [4, String(account_id)],
    [4, seller],
    [2, chance.pick([first, ...others])],
  ])
}

/** The newest records of a kind, which requests are about. */
const NEWEST = 200

/** Sends one request that cannot have an effect; nothing if the drawn one could have one. */
const attempt = Effect.fnUntraced(function* (scene: Scene, chance: Chance) {
  const { auditor, people, stage } = scene
  const { model } = auditor
  const records = model.know(kept)
  const deed = chance.pick(NAMES)
  const { about, act, says = () => ({}) } = DEEDS[deed] as Deed
  const stored = [...(records.get(about)?.values() ?? [])].filter((one) => one !== null)
  const [first, ...others] = stored.slice(-NEWEST) as unknown as ReadonlyArray<About>
  if (first === undefined) return
  const record = chance.pick([first, ...others])
  const sent = says(record, chance)
  const accounts = [people.stranger, ...people.buyers, ...people.sellers]
  const strangers = accounts.map(({ account }) => account.id)
  const account = drawSender(record, strangers, chance)
  const sender = records.get("account")?.get(account) as unknown as Account | undefined
  const asked = { deed, id: record.id, account, sent, at: stage.now() }
  if (sender == null || answersTo(asked, model) === undefined) return
  const before = model.step
  const caller = { account: sender, api_key_id: people.stranger.api_key_id }
  const exit = yield* Effect.exit(act(caller, record.id, sent, record))
  auditor.see("attempted", record.id, {
    ...asked,
    answer: failedWith(exit)?.code ?? "success",
    commits: model.step - before,
  })
})

/** How many requests are drawn in a world. */
const DRAWN = 40

const tryAll = Effect.fnUntraced(function* (scene: Scene) {
  const chance = scene.stage.chance("contrary callers")
  for (let n = 0; n < DRAWN; n += 1) yield* attempt(scene, chance)
})

/** Accounts that ask at rest for what they cannot have, each for one reason, or have already. */
export const contraryCallers: Part = {
  name: "contrary callers",
  rules: attemptRules,
  knowledge: [kept],
  inspect: tryAll,
}
