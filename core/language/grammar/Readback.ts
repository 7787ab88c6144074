import type { Invoice } from "../../invoices/Invoice.ts"
import type { Interval } from "../../shared/Period.ts"
import { nameKey } from "../../shared/Text.ts"
import type { Order } from "./Order.ts"
import { ordersIn } from "./Reading.ts"

/** The languages of orders and of their summaries. */
export type Speech = "english" | "chinese"

/** Returns the language of a text: Chinese where it contains a Han character. */
export const speechOf = (text: string): Speech =>
  /\p{Script=Han}/u.test(text) ? "chinese" : "english"

const MARKS = ['""', "“”", "「」", "《》"] as const

/** Quotes a name with quotation marks that the name does not contain. */
const quote = (name: string): string => {
  const [open, close] =
    MARKS.find((marks) => ![...marks].some((mark) => name.includes(mark))) ?? '""'
  return `${open}${name}${close}`
}

const PER: { readonly [I in Interval]: string } = {
  daily: "per day",
  weekly: "per week",
  monthly: "per month",
  quarterly: "per quarter",
  yearly: "per year",
}

const HAN_PER: { readonly [I in Interval]: string } = {
  daily: "每天",
  weekly: "每周",
  monthly: "每月",
  quarterly: "每季",
  yearly: "每年",
}

const HAN_STATUS: { readonly [S in Invoice["status"]]: string } = {
  open: "未付",
  paid: "已付",
  void: "作废",
  uncollectible: "坏账",
}

/** An order as parts of its sentence: quoted names, the amount with its currency. */
interface Parts {
  readonly money: string | undefined
  readonly service: string | undefined
  readonly plan: string | undefined
  readonly reason: string
}

const partsOf = ({ amount, currency, plan, reason, service }: Order): Parts => ({
  money: amount === undefined ? undefined : `${amount} ${currency ?? ""}`.trim(),
  service: service === undefined ? undefined : quote(service),
  plan: plan === undefined ? undefined : quote(plan),
  reason: reason ?? "",
})

const optional = (before: string, text: string | undefined, behind = ""): string =>
  text === undefined || text === "" ? "" : `${before}${text}${behind}`

const ENGLISH: { readonly [I in Order["intent"]]: (order: Order, parts: Parts) => string } = {
  pay: (_, { money, service }) => `Pay ${money} to ${service}.`,
  subscribe: ({ interval }, { money, plan, service }) => {
    const every = interval === undefined ? undefined : PER[interval]
    const cost = money === undefined ? optional(", ", every) : ` at ${money} ${every}`
    return `Subscribe to ${service}${optional(" on the ", plan, " plan")}${cost}.`
  },
  query_invoice: ({ status }, { service }) =>
    `Show my${optional(" ", status)} invoices${optional(" from ", service)}.`,
  refund: ({ payment_intent }, { money, reason }) =>
    money === undefined
      ? `Refund ${payment_intent} in full${optional(", reason: ", reason)}.`
      : `Refund ${money} of ${payment_intent}${optional(", reason: ", reason)}.`,
  void: ({ payment_intent }) => `Cancel the payment ${payment_intent}.`,
}

const CHINESE: typeof ENGLISH = {
  pay: (_, { money, service }) => `向${service}支付${money}。`,
  subscribe: ({ interval }, { money, plan, service }) => {
    const every = interval === undefined ? undefined : HAN_PER[interval]
    return `订阅${service}${optional("的", plan, "套餐")}${optional("，", every)}${money ?? ""}。`
  },
  query_invoice: ({ status }, { service }) =>
    `查看${optional("", service, "的")}${status === undefined ? "" : HAN_STATUS[status]}账单。`,
  refund: ({ payment_intent }, { money, reason }) =>
    money === undefined
      ? `全额退款${payment_intent}${optional("，原因：", reason)}。`
      : `退款${money}，付款${payment_intent}${optional("，原因：", reason)}。`,
  void: ({ payment_intent }) => `取消付款${payment_intent}。`,
}

const SENTENCES = { english: ENGLISH, chinese: CHINESE } as const

/** Returns a form of the order that ignores differences without meaning. */
const comparable = (order: Order): string =>
  JSON.stringify(
    Object.entries(order)
      .map(([key, value]: readonly [string, string]) => [
        key,
        key === "amount" ? value.replace(/(\.\d*?)0+$/, "$1").replace(/\.$/, "") : nameKey(value),
      ])
      .sort(([a = ""], [b = ""]) => (a < b ? -1 : 1)),
  )

/** Tells whether two orders mean the same. */
const sameOrder = (one: Order, other: Order): boolean => comparable(one) === comparable(other)

/**
 * Returns the order as one sentence, which the grammar reads as this order and no other. Returns
 * undefined where there is none, such as for a name with every kind of quotation mark; such an
 * order gets no action.
 */
export const sayBack = (
  order: Order,
  speech: Speech,
  codes: ReadonlySet<string>,
): string | undefined => {
  const sentence = SENTENCES[speech][order.intent](order, partsOf(order))
  const orders = ordersIn(sentence, codes)
  return orders.length > 0 && orders.every((read) => sameOrder(read, order)) ? sentence : undefined
}
