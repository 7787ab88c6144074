import { Effect } from "effect"
import type { Caller } from "../../core/accounts/Account.ts"
import type { Invoice } from "../../core/invoices/Invoice.ts"
import { showStaticCode } from "../../core/hosted/payStaticCode.ts"
import { callMarket } from "../../core/market/callMarket.ts"
import { captureIntent } from "../../core/payments/captureIntent.ts"
import { createIntent } from "../../core/payments/createIntent.ts"
import { createOneTime } from "../../core/payments/createOneTime.ts"
import { cancelIntent, voidIntent } from "../../core/payments/endIntent.ts"
import type { Kind, Records } from "../../core/ports/Store.ts"
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
import { recordOf, recordsOf } from "../auditor/invariants/attempt.ts"
import { answersTo, attemptRules } from "../auditor/invariants/attempts.ts"
import { kept } from "../auditor/invariants/ownership.ts"
import type { Model } from "../auditor/Model.ts"
import type { Chance } from "../random/Chance.ts"
import type { Part, Scene, Services } from "../world/Stage.ts"
import { failedWith } from "./failedWith.ts"

type Sent = { readonly [name: string]: unknown }

type Act = Effect.Effect<unknown, unknown, Services>

/** A request about a record, and the accounts of the record's two sides. */
interface Drawn {
  readonly id: string
  readonly buyer: string
  readonly seller: string
  readonly sent: Sent
  readonly send: (caller: Caller) => Act
}

/** Draws a request about one of the newest records of a kind; undefined if there is none. */
type Deed = (model: Model, chance: Chance) => Drawn | undefined

/** The kinds of record that belong to an account. */
type Owned = Extract<
  { [K in Kind]: Records[K] extends { readonly account_id: string } ? K : never }[Kind],
  Kind
>

/** How many records of a kind requests are about. */
const NEWEST = 200

/** A kind of request: what it is about, how it is made, and what is said in it. */
const about =
  <K extends Owned, S extends object>(
    kind: K,
    act: (caller: Caller, record: Records[K], sent: S) => Act,
    says: (record: Records[K], chance: Chance) => S,
  ): Deed =>
  (model, chance) => {
    const stored = [...(recordsOf(model, kind)?.values() ?? [])].filter((one) => one !== null)
    const [first, ...others] = stored.slice(-NEWEST)
    if (first === undefined) return undefined
    const record = chance.pick([first, ...others])
    const said = says(record, chance)
    return {
      id: record.id,
      buyer: record.account_id,
      seller: "payee_account_id" in record ? record.payee_account_id : record.account_id,
      sent: Object.fromEntries(Object.entries(said)),
      send: (caller) => act(caller, record, said),
    }
  }

const nothing = () => ({})

/** Amounts at and above what a payment has, a part of it, and one in another currency. */
const amountsOf = (
  { amount: { currency, value } }: { readonly amount: Money },
  chance: Chance,
): { readonly amount?: Money } => {
  const amount = chance.pick<Money | undefined>([
    undefined,
    { currency, value },
    { currency, value: value + 1 },
    { currency, value: Math.max(1, Math.floor(value / 2)) },
    { currency: currency === "USD" ? "EUR" : "USD", value },
  ])
  return amount === undefined ? {} : { amount }
}

const inOwnCurrency = (
  { amount: { currency, value } }: { readonly amount: Money },
  chance: Chance,
): { readonly amount?: Money } => {
  const asked = chance.pick<number | undefined>([undefined, value, value + 1, 1])
  return asked === undefined ? {} : { amount: { currency, value: asked } }
}

/** What is said of an invoice, at most one thing of which is wrong. */
const saidOf = ({ amount, payer, service_id }: Invoice, chance: Chance): Sent => {
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
const termsOf = ({ pricing }: ServiceManifest, chance: Chance): SubscribeTerms => {
  const [first, ...others] = pricing.subscription ?? []
  if (first === undefined) return { plan_id: "none" }
  const { amount, currency, interval, plan_id } = chance.pick([first, ...others])
  const price = { currency, value: amount }
  return chance.pick<SubscribeTerms>([
    { plan_id: `${plan_id}s` },
    { plan_id, interval: interval === "daily" ? "weekly" : "daily" },
    { plan_id, amount: price },
    { plan_id, interval, amount: { currency, value: amount + 1 } },
    { plan_id, interval, amount: { ...price, currency: currency === "USD" ? "EUR" : "USD" } },
    { plan_id, amount: { currency: currency === "USD" ? "EUR" : "USD" } },
    { plan_id, interval, amount: price },
  ])
}

const priceOf = ({ pricing }: ServiceManifest, chance: Chance): { readonly amount: Money } => {
  const [price] = pricing.one_time ?? []
  const value = price?.amount ?? 100
  const currency = chance.pick(["XXX", "KWD", "INR", "THB", price?.currency ?? "USD"])
  return { amount: { currency, value } }
}

const moveOf = (_: ServiceManifest, chance: Chance): { readonly action: ServiceAction } => ({
  action: chance.pick(SERVICE_ACTIONS),
})

const REASON = "It was not what I wanted"

const DEEDS: { readonly [deed: string]: Deed } = {
  capture: about(
    "payment_intent",
    (caller, { id }, sent) => captureIntent(caller, id, sent),
    amountsOf,
  ),
  cancel: about("payment_intent", (caller, { id }) => cancelIntent(caller, id), nothing),
  void: about("payment_intent", (caller, { id }) => voidIntent(caller, id), nothing),
  refund: about(
    "payment_intent",
    (caller, { id }, sent) => createRefund(caller, { payment_intent: id, ...sent }),
    amountsOf,
  ),
  "ask for a refund": about(
    "payment_intent",
    (caller, { id }, sent) =>
      createRefundRequest(caller, { payment_intent: id, reason: REASON, ...sent }),
    amountsOf,
  ),
  "ask for a refund in the market": about(
    "payment_intent",
    (caller, { id }, { amount }) =>
      callMarket(caller, "request_refund", {
        payment_id: id,
        reason: REASON,
        ...(amount !== undefined && { amount: amount.value }),
      }),
    inOwnCurrency,
  ),
  approve: about(
    "refund_request",
    (caller, { id }, sent) => approveRefundRequest(caller, id, sent),
    amountsOf,
  ),
  decline: about(
    "refund_request",
    (caller, { id }) => declineRefundRequest(caller, id, { reason: REASON }),
    nothing,
  ),
  withdraw: about("refund_request", (caller, { id }) => withdrawRefundRequest(caller, id), nothing),
  "pay invoice": about("invoice", (caller, { id }) => payInvoice(caller, id), nothing),
  "void invoice": about("invoice", (caller, { id }) => voidInvoice(caller, id), nothing),
  "pay invoice in the market": about(
    "invoice",
    (caller, { id }, sent) => callMarket(caller, "pay", { invoice_id: id, ...sent }),
    saidOf,
  ),
  "end subscription": about(
    "subscription",
    (caller, { id }, sent) => cancelSubscription(caller, id, sent),
    (_, chance) => (chance.hits(0.5) ? { now: "true" as const } : {}),
  ),
  "end subscription in the market": about(
    "subscription",
    (caller, { id }, sent) =>
      callMarket(caller, "cancel_subscription", { subscription_id: id, ...sent }),
    (_, chance) => (chance.hits(0.5) ? { now: true } : {}),
  ),
  subscribe: about("service", (caller, { id }, terms) => subscribe(caller, id, terms), termsOf),
  "open tab": about("service", (caller, { id }) => startUsage(caller, id, {}), nothing),
  "close tab": about(
    "tab",
    (caller, { agent_id, id, service_id }) => stopUsage(caller, service_id, { agent_id, tab: id }),
    nothing,
  ),
  "request payment": about(
    "service",
    (caller, { id }, { amount }) =>
      createIntent(caller, { service_id: id, type: "one_time", amount, description: "A map" }),
    priceOf,
  ),
  "pay once": about(
    "service",
    (caller, { id }, { amount }) => {
      const payer = { agent_id: caller.account.agent_id }
      return createOneTime(caller, { service_id: id, amount, description: "A map", payer })
    },
    priceOf,
  ),
  "move service": about(
    "service",
    (caller, { id }, { action }) => moveService(caller, id, action),
    moveOf,
  ),
  "read printed code": about("service", (_, { id }) => showStaticCode(id), nothing),
}

const NAMES = Object.keys(DEEDS) as [string]

/** Draws who sends a request: mostly one whose record it is about. */
const drawSender = (
  { buyer, seller }: Drawn,
  strangers: ReadonlyArray<string>,
  chance: Chance,
): string => {
  const [first = "", ...others] = strangers
  return chance.weighted([
    [4, buyer],
    [4, seller],
    [2, chance.pick([first, ...others])],
  ])
}

/**
 * Sends one request that cannot have an effect, to the named seller if there is one; nothing if the
 * drawn one could have an effect.
 */
export const attempt = Effect.fnUntraced(function* (
  scene: Scene,
  chance: Chance,
  deed: string,
  to?: string,
) {
  const { auditor, people, stage } = scene
  const { model } = auditor
  const drawn = DEEDS[deed]?.(model, chance)
  if (drawn === undefined || (to !== undefined && drawn.seller !== to)) return
  const { id, send, sent } = drawn
  const accounts = [people.stranger, ...people.buyers, ...people.sellers]
  const strangers = accounts.map(({ account }) => account.id)
  const account = drawSender(drawn, strangers, chance)
  const sender = recordOf(model, "account", account)
  const asked = { deed, id, account, sent, at: stage.now() }
  if (sender === undefined || answersTo(asked, model) === undefined) return
  const before = model.step
  const exit = yield* Effect.exit(send({ account: sender, api_key_id: people.stranger.api_key_id }))
  auditor.see("attempted", id, {
    ...asked,
    answer: failedWith(exit)?.code ?? "success",
    commits: model.step - before,
  })
})

/** How many requests are drawn in a world. */
const DRAWN = 40

const tryAll = Effect.fnUntraced(function* (scene: Scene) {
  const chance = scene.stage.chance("contrary callers")
  for (let n = 0; n < DRAWN; n += 1) yield* attempt(scene, chance, chance.pick(NAMES))
})

/** Accounts that ask at rest for what they cannot have, each for one reason, or have already. */
export const contraryCallers: Part = {
  name: "contrary callers",
  rules: attemptRules,
  knowledge: [kept],
  inspect: tryAll,
}
