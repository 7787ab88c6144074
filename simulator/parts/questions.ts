import { Effect } from "effect"
import { answerQuery } from "../../core/language/answerQuery.ts"
import { Language } from "../../core/ports/Language.ts"
import type { PaymentIntent } from "../../core/payments/PaymentIntent.ts"
import type { ServiceManifest } from "../../core/registry/ServiceManifest.ts"
import { questionRules, type Meant } from "../auditor/invariants/questions.ts"
import { literalLanguage } from "../ports/eagerLanguage.ts"
import type { Chance } from "../random/Chance.ts"
import { DOLLARS, YUAN } from "./spokenPrices.ts"
import type { Part, Scene } from "../world/Stage.ts"

/** A text, and what it means to whoever says it. */
interface Question {
  readonly text: string
  readonly meant: Meant
  readonly context?: { readonly service_id?: string; readonly currency?: string }
}

const asks = (method: "GET" | "POST", path: string, body: object | null): Meant["action"] => ({
  method,
  path,
  body,
})

const lacks = (intent: string, ...missing: ReadonlyArray<string>): Meant => ({
  intent,
  action: null,
  missing,
})

const paying = ({ id, name }: ServiceManifest, currency: string, value: number): Meant => ({
  intent: "pay",
  action: asks("POST", "/v1/payment-intents", {
    service_id: id,
    type: "one_time",
    amount: { currency, value },
    description: name,
  }),
  missing: [],
})

/** Draws an order to pay, or one that lacks the currency or the service. */
const drawPay = (service: ServiceManifest, chance: Chance): Question => {
  const { id, name } = service
  const [yuan, fen] = chance.pick(YUAN)
  const [dollars, cents] = chance.pick(DOLLARS)
  return chance.pick<Question>([
    { text: `给“${name}”付${yuan}`, meant: paying(service, "CNY", fen) },
    { text: `帮我付${yuan}给“${name}”`, meant: paying(service, "CNY", fen) },
    { text: `pay ${dollars} to "${name}"`, meant: paying(service, "USD", cents) },
    { text: `could you please pay "${name}" ${dollars}?`, meant: paying(service, "USD", cents) },
    {
      text: `pay 12.50 to "${name}"`,
      meant: paying(service, "EUR", 1_250),
      context: { currency: "EUR" },
    },
    { text: `pay 12.50 to "${name}"`, meant: lacks("pay", "currency") },
    {
      text: `pay ${dollars}`,
      meant: paying(service, "USD", cents),
      context: { service_id: id },
    },
    { text: `pay ${dollars}`, meant: lacks("pay", "service_id") },
    { text: `pay 9007199254740993 USD to "${name}"`, meant: lacks("pay", "amount") },
    { text: `pay ${dollars} to "Nobody at all"`, meant: lacks("pay", "service_id") },
  ])
}

/** Draws an order to subscribe, to one of the plans or to none that there is. */
const drawSubscribe = (service: ServiceManifest, chance: Chance): Question | undefined => {
  const [first, ...others] = service.pricing.subscription ?? []
  if (first === undefined) return undefined
  const plans = [first, ...others]
  const plan = chance.pick([first, ...others])
  const { amount, currency, interval, plan_id } = plan
  const { id, name } = service
  const path = `/v1/service-manifests/${id}/subscribe`
  const body = { plan_id, interval, amount: { currency, value: amount } }
  const meant: Meant = { intent: "subscribe", action: asks("POST", path, body), missing: [] }
  const isOnly = plans.filter((one) => one.interval === interval).length === 1
  const none = lacks("subscribe", "plan_id")
  const other = interval === "weekly" ? "daily" : "weekly"
  const price = (more: number) => `${((amount + more) / 100).toFixed(2)} ${currency}`
  const cents = currency === "USD"
  return chance.pick<Question>([
    { text: `subscribe to "${name}" on the "${plan_id}" plan`, meant },
    { text: `sign me up for the "${plan_id}" plan of "${name}", please`, meant },
    { text: `订阅“${name}”的“${plan_id}”套餐`, meant },
    {
      text: `subscribe to "${name}", billed ${interval}`,
      meant: isOnly ? meant : none,
    },
    { text: `subscribe to "${name}" on the "${plan_id}" plan, billed ${other}`, meant: none },
    { text: `subscribe to "${name}" on the "zeppelin" plan`, meant: none },
    { text: `subscribe to "${name}"`, meant: plans.length === 1 ? meant : none },
    ...(cents
      ? [
          {
            text: `subscribe to "${name}" on the "${plan_id}" plan, at ${price(0)} ${interval}`,
            meant,
          },
          {
            text: `subscribe to "${name}" on the "${plan_id}" plan, at ${price(1)} ${interval}`,
            meant: none,
          },
        ]
      : []),
    { text: `subscribe to "Nobody at all"`, meant: lacks("subscribe", "service_id", "plan_id") },
    {
      text: `subscribe to "Nobody at all" on the "${plan_id}" plan`,
      meant: lacks("subscribe", "service_id"),
    },
  ])
}

const invoices = (query: string): Meant => ({
  intent: "query_invoice",
  action: asks("GET", `/v1/invoices${query}`, null),
  missing: [],
})

/** Draws a question about invoices. */
const drawQuery = ({ id, name }: ServiceManifest, chance: Chance): Question =>
  chance.pick<Question>([
    { text: "show my invoices", meant: invoices("") },
    { text: "list all paid invoices", meant: invoices("?status=paid") },
    { text: "which invoices are open?", meant: invoices("?status=open") },
    { text: `show me the bills from "${name}"`, meant: invoices(`?service_id=${id}`) },
    {
      text: `show all paid invoices of "${name}"`,
      meant: invoices(`?service_id=${id}&status=paid`),
    },
    { text: `查看“${name}”的账单`, meant: invoices(`?service_id=${id}`) },
    { text: "查看我的账单", meant: invoices("") },
    {
      text: "show my invoices",
      meant: invoices(`?service_id=${id}`),
      context: { service_id: id },
    },
    { text: `show me the bills from "Nobody at all"`, meant: lacks("query_invoice", "service_id") },
  ])

/** Draws an order about a payment, by its buyer or by its seller. */
const drawAbout = (payment: PaymentIntent, isSeller: boolean, chance: Chance): Question => {
  const { id } = payment
  const path = `/v1/payment-intents/${id}`
  const back = (text: string, said: object, reason?: string): Question => {
    const why = reason !== undefined && { reason }
    const action = isSeller
      ? asks("POST", `${path}/refund`, { ...said, ...why })
      : asks("POST", "/v1/refund-requests", { payment_intent: id, ...said, reason: text, ...why })
    return { text, meant: { intent: "refund", action, missing: [] } }
  }
  const part = { amount: { currency: "USD", value: 105 } }
  const ends: Meant = { intent: "void", action: asks("POST", `${path}/void`, {}), missing: [] }
  return chance.pick<Question>([
    back(`refund ${id}`, {}),
    back(`please refund ${id} in full because it was the wrong one`, {}, "it was the wrong one"),
    back(`refund 1.05 USD of ${id}`, part),
    back(`退款 ${id}`, {}),
    { text: `void ${id}`, meant: ends },
    { text: `could you cancel the payment ${id}?`, meant: ends },
    { text: `取消付款 ${id}`, meant: ends },
    { text: "refund my payment", meant: lacks("unknown", "intent") },
    { text: "what a lovely day", meant: lacks("unknown", "intent") },
  ])
}

/** Asks once, as whoever can, about a service or a payment. */
const ask = Effect.fnUntraced(function* (scene: Scene, chance: Chance) {
  const { auditor, hears, people } = scene
  const { model } = auditor
  const active = [...model.services.values()].filter(({ name, status }) => {
    return status === "active" && /^[\w ]+$/.test(name)
  })
  const sold = active.filter(({ payment_methods }) => payment_methods.one_time === true)
  const plans = active.filter(({ payment_methods }) => payment_methods.subscription === true)
  const [service, ...services] = chance.hits(0.4) && plans.length > 0 ? plans : sold
  const callers = [...people.buyers, ...people.sellers]
  const [payment, ...payments] = [...model.intents.values()].filter(({ record }) => {
    const { account_id, payee_account_id } = record
    const isOf = (id: string) => callers.some(({ account }) => account.id === id)
    return account_id !== payee_account_id && isOf(account_id) && !model.left.has(record.id)
  })
  if (service === undefined || payment === undefined) return
  const { record } = chance.pick([payment, ...payments])
  const isSeller = chance.hits(0.3)
  const wanted = isSeller ? record.payee_account_id : record.account_id
  const caller = callers.find(({ account }) => account.id === wanted)
  if (caller === undefined) return
  const about = chance.pick([service, ...services])
  const isSold = about.payment_methods.one_time === true
  const question = chance.weighted<() => Question | undefined>([
    [3, () => (isSold ? drawPay(about, chance) : undefined)],
    [3, () => (plans.includes(about) ? drawSubscribe(about, chance) : undefined)],
    [2, () => drawQuery(about, chance)],
    [3, () => drawAbout(record, isSeller, chance)],
  ])()
  if (question === undefined) return
  const { context, meant, text } = question
  const said = { query: hears(text), ...(context !== undefined && { context }) }
  const asked = answerQuery(caller, said)
  const answer = yield* Effect.provideService(asked, Language, literalLanguage)
  auditor.see("question_answered", text, { text, context, meant, answer })
}, Effect.orDie)

const QUESTIONS = 6

/** People who ask for what they mean at rest, and carry none of it out. */
export const questions: Part = {
  name: "questions",
  rules: questionRules,
  inspect: (scene) => {
    const chance = scene.stage.chance("questions")
    return Effect.repeat(ask(scene, chance), { times: QUESTIONS - 1 })
  },
}
