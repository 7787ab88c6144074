// Written independently of core/market on purpose: see Model.ts.

import type { PaymentIntent } from "../../../core/payments/PaymentIntent.ts"
import { SECOND, type Timestamp, toIso } from "../../../core/shared/Timestamp.ts"
import { STORE_LATENCY_LIMIT } from "../../world/ports/slowStore.ts"
import { PAUSE } from "../../world/processes/Process.ts"
import type { Model } from "../Model.ts"
import type { Finding, Observations, Rule, Rulebook } from "../Observation.ts"
import { difference } from "../saysTheSame.ts"
import { isCaptured, isTerminal } from "./lifecycle.ts"
import { kept } from "./ownership.ts"
import { linkOf, seenAs } from "./paymentLinks.ts"
import { type Asked, paidNext } from "./refundSteps.ts"

declare module "../Observation.ts" {
  interface Observations {
    /** The receipt of a payment, and what its records were when it was asked for. */
    readonly receipt_shown: {
      readonly account: string
      readonly id: string
      readonly answer: { readonly next: string }
      readonly before: string
      /** For how long its reader agreed to wait for a change. */
      readonly wait_seconds: number
      readonly asked: Timestamp
      readonly at: Timestamp
    }
    /** All pages of a list of payments in the market, at rest. */
    readonly receipts_listed: {
      readonly account: string
      /** The agents of the key, if it is restricted to some. */
      readonly agents: ReadonlyArray<string> | undefined
      readonly query: { readonly status?: string; readonly service_id?: string }
      readonly listed: ReadonlyArray<object>
      /** How many payments each page had, and the payment at which it says that the next begins. */
      readonly pages: ReadonlyArray<{ readonly size: number; readonly more: string | undefined }>
      readonly limit: number
    }
  }
}

const PAID: ReadonlySet<string> = new Set(["captured", "succeeded", "completed"])

const recordsOf = (kind: "invoice" | "refund" | "refund_request", model: Model) =>
  [...(model.know(kept).get(kind)?.values() ?? [])].flatMap((record) => record ?? [])

/** Returns the newest of the records of a kind that belong to a payment. */
const newestOf = (kind: "refund" | "refund_request", id: string, model: Model) =>
  recordsOf(kind, model)
    .filter((record) => Reflect.get(record, "payment_intent") === id)
    .toSorted((a, b) => (a.id < b.id ? 1 : -1))[0]

/** Returns what a receipt depends on, so that a change is known. */
export const standingOf = (id: string, model: Model): string => {
  const invoice = model.intents.get(id)?.record.invoice ?? ""
  const records = [
    model.versions.get(`payment_intent ${id}`),
    newestOf("refund_request", id, model),
    newestOf("refund", id, model),
    model.know(kept).get("invoice")?.get(invoice),
  ]
  return JSON.stringify(records)
}

const ENDINGS: { readonly [status: string]: string } = {
  failed: "The payment failed.",
  expired: "Nobody paid in time.",
  cancelled: "The payment was cancelled.",
  voided: "The payment was cancelled.",
}

/** Returns the words of the next step for a payment that nobody has paid. */
const unpaidNext = (payment: PaymentIntent, account: string, model: Model): string => {
  const { status } = payment
  const isUnsure = "channel_outcome" in payment && payment.channel_outcome === "unknown"
  if (isUnsure) return "The wallet has not answered yet"
  const ending = ENDINGS[status]
  if (ending === undefined) {
    if (seenAs(status) === "authorized") return "The person has authorized it"
    return linkOf(payment) === undefined ? "Not paid yet: call" : "Not paid yet: give the link"
  }
  const invoice = recordsOf("invoice", model).find(({ id }) => id === payment.invoice)
  if (invoice === undefined) {
    const who = status === "failed" ? "ask the person, then " : ""
    return `${ending} Nothing is owed. To buy it anyway, ${who}call pay with`
  }
  const state: unknown = Reflect.get(invoice, "status")
  if (state === "paid") return `${ending} Another payment has paid its invoice`
  if (state === "void") return `${ending} Its invoice was voided`
  if (Reflect.get(invoice, "account_id") !== account) {
    return `${ending} Its invoice is still owed by the buyer`
  }
  const again = `call pay with invoice_id ${invoice.id}`
  return `${ending} Its invoice is still owed. Do not buy again: ${again}`
}

const lineOf = (payment: PaymentIntent) => ({
  payment_id: payment.id,
  service_id: payment.service_id,
  status: seenAs(payment.status),
  paid: PAID.has(payment.status),
  amount: payment.amount,
  ...(payment.invoice !== null && { invoice_id: payment.invoice }),
})

/** Returns a receipt but for its next step, of which the first words are enough. */
const receiptOf = (payment: PaymentIntent, account: string, model: Model) => {
  const isPaid = PAID.has(payment.status)
  const [asked, given] = isPaid
    ? [
        newestOf("refund_request", payment.id, model) as Asked | undefined,
        newestOf("refund", payment.id, model) as Asked | undefined,
      ]
    : []
  const link = linkOf(payment)
  const part = "capture_value" in payment ? payment.capture_value : undefined
  const isTaken = "captured_at" in payment && payment.captured_at !== undefined
  const next = isPaid ? paidNext(asked, given) : unpaidNext(payment, account, model)
  const shown = {
    ...lineOf(payment),
    ...(isTaken && part !== undefined && { captured_amount: { ...payment.amount, value: part } }),
    ...(payment.channel !== null && { channel: payment.channel }),
    ...(link !== undefined && { link, expires_at: toIso(payment.expires_at) }),
    ...(payment.status === "failed" && { failure_code: payment.failure_code }),
    ...(asked !== undefined && {
      refund_request: {
        id: asked.id,
        status: asked.status,
        amount: asked.amount,
        ...(asked.status === "open" && { decided_until: toIso(asked.expires_at) }),
        ...(asked.decline_reason !== undefined && {
          seller_says: { reason: asked.decline_reason },
        }),
      },
    }),
    ...(given !== undefined && {
      refund: { id: given.id, status: given.status, amount: given.amount },
    }),
  }
  return { shown, next }
}

/** Whether nothing about a payment can change any more, so that nobody waits. */
const isOver = (payment: PaymentIntent, model: Model): boolean => {
  const asked = newestOf("refund_request", payment.id, model) as Asked | undefined
  const given = newestOf("refund", payment.id, model) as Asked | undefined
  const isEnded = isTerminal(payment.flow, payment.status)
  return isEnded && asked?.status !== "open" && given?.status !== "pending"
}

/** Checks that a reader who waits gets an answer when something has changed, or in time. */
const waited = (seen: Observations["receipt_shown"], payment: PaymentIntent, model: Model) => {
  const { asked, at, before, id, wait_seconds } = seen
  const took = at - asked
  const wanted = wait_seconds * SECOND
  const slack = SECOND + 8 * STORE_LATENCY_LIMIT + PAUSE.longest
  if (took > wanted + slack && model.clocksOff === 0) return `is shown ${took} ms later`
  // A clock that jumps makes waits shorter.
  const isEarly = took < wanted && model.clocksOff === 0
  const isSame = standingOf(id, model) === before
  if (isEarly && isSame && !isOver(payment, model) && !seen.answer.next.includes("Too many")) {
    return `is shown after ${took} ms, and nothing had changed`
  }
  return undefined
}

/** Checks that a receipt says what is stored of its payment, and what to do next. */
const shown: Rule<"receipt_shown"> = (seen, model): Finding => {
  const { account, answer, asked, at, before, id } = seen
  const payment = model.intents.get(id)?.record
  if (payment === undefined || standingOf(id, model) !== before) return undefined
  const { expires_at, flow, status } = payment
  const mayExpire = !isTerminal(flow, status) && !isCaptured(status)
  // Near its end a process may show either; after it, it has expired before that is stored.
  if (mayExpire && at + model.clocksOff >= expires_at) {
    const isExpired = Reflect.get(answer, "status") === "expired"
    return asked - model.clocksOff < expires_at || isExpired ? undefined : "is shown after its end"
  }
  const expected = receiptOf(payment, account, model)
  const { next, ...rest } = answer
  const differs = difference(expected.shown, rest)
  if (differs !== undefined) return `has a receipt with ${differs}`
  if (!next.startsWith(expected.next)) return `is to be followed by: ${next}`
  return waited(seen, payment, model)
}

/** Checks that a list has the payments that match, newest first, page by page. */
const listed: Rule<"receipts_listed"> = (seen, model): Finding => {
  const { account, agents, limit, pages, query } = seen
  const { service_id, status } = query
  const services = model.know(kept).get("service")
  const nameOf = (id: string) => {
    const service = services?.get(id)
    if (!service || !("pricing" in service)) return undefined
    const isPublic = service.status === "active" || service.status === "deprecated"
    return isPublic || service.account_id === account ? service.name : undefined
  }
  const expected = [...model.intents.values()]
    .map(({ record }) => record)
    .filter(({ id }) => !model.left.has(id))
    .filter((payment) =>
      agents === undefined
        ? [payment.account_id, payment.payee_account_id, payment.payer_account_id].includes(account)
        : payment.account_id === account && agents.includes(payment.payer.agent_id ?? ""),
    )
    .filter((payment) => service_id === undefined || payment.service_id === service_id)
    .filter((payment) => status === undefined || seenAs(payment.status) === status)
    .toSorted((a, b) => (a.id < b.id ? 1 : -1))
    .map((payment) => {
      const name = nameOf(payment.service_id)
      const created_at = toIso(payment.created_at)
      return { ...lineOf(payment), created_at, ...(name && { seller_says: { name } }) }
    })
  const differs = difference(expected, seen.listed)
  if (differs !== undefined) return `lists its payments with ${differs}`
  const right = pages.map((_, n) => {
    const size = Math.max(Math.min(limit, expected.length - n * limit), 0)
    const hasMore = expected.length > (n + 1) * limit
    return { size, more: hasMore ? expected[(n + 1) * limit - 1]?.payment_id : undefined }
  })
  const wrong = difference(right, pages)
  return wrong === undefined ? undefined : `has pages with ${wrong}`
}

/** The rules about what the market shows of payments. */
export const receiptRules: Rulebook = {
  133: { receipt_shown: shown, receipts_listed: listed },
}
