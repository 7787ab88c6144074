import type {
  Money,
  PaymentIntent,
  Statement,
  WebhookDelivery,
} from "../../../../adapters/http/client/Resources.ts"
import type { Bar } from "../parts/Plot.tsx"
import { major } from "../show/money.ts"

const PAID = new Set(["captured", "succeeded", "completed"])
const UNPAID = new Set(["failed", "expired", "cancelled", "voided"])

const isPaid = ({ status }: Pick<PaymentIntent, "status">): boolean => PAID.has(status)

/** Returns what a paid payment's payer has paid: the captured part, if not all was captured. */
export const paidOf = ({
  amount,
  captured_amount,
}: Pick<PaymentIntent, "amount" | "captured_amount">): Money => captured_amount ?? amount

const sum = (values: ReadonlyArray<number>): bigint =>
  values.reduce((total, value) => total + BigInt(value), 0n)

/**
 * Sums what an agent has paid that counts against a cap in that currency. An invoice that was paid
 * by a link was owed already, so that it counts against none.
 */
export const capped = (
  payments: ReadonlyArray<PaymentIntent>,
  agentId: string,
  currency: string,
): Money => {
  const counts = ({ amount, auto_paid, invoice, payer }: PaymentIntent): boolean =>
    payer.agent_id === agentId &&
    amount.currency === currency &&
    (invoice === undefined || auto_paid === true)
  const paid = payments.filter((one) => isPaid(one) && counts(one))
  return { currency, value: Number(sum(paid.map((one) => paidOf(one).value))) }
}

/** Sums what a month's metered operations cost. */
export const operationsCost = ({ operations, total }: Pick<Statement, "operations" | "total">) => ({
  currency: total.currency,
  value: Number(sum(operations.map(({ cost }) => cost.value))),
})

const DAYS = 14
const DAY = 86_400_000

const dayOf = (iso: string): string => iso.slice(0, 10)

/** Returns the last fourteen UTC days, the oldest first. */
const lastDays = (now: number): ReadonlyArray<string> =>
  Array.from({ length: DAYS }, (_, n) => dayOf(new Date(now - (DAYS - 1 - n) * DAY).toISOString()))

type Amounts = (payment: PaymentIntent) => number

/** Sums the payments of each day in a currency. */
const byDay = (
  payments: ReadonlyArray<PaymentIntent>,
  currency: string,
  amount: Amounts,
  now: number,
): ReadonlyArray<Bar> => {
  const days = Map.groupBy(payments, ({ created_at }) => dayOf(created_at))
  return lastDays(now).map((name) => {
    const total = sum((days.get(name) ?? []).map(amount))
    return {
      name: name.slice(5),
      value: Number(total),
      text: `${major(total, currency)} ${currency}`,
    }
  })
}

/** Returns the currency of most paid payments. */
export const mainCurrency = (payments: ReadonlyArray<PaymentIntent>): string => {
  const groups = [...Map.groupBy(payments.filter(isPaid), ({ amount }) => amount.currency)]
  groups.sort(([, a], [, b]) => b.length - a.length)
  return groups[0]?.[0] ?? "USD"
}

/** Returns the paid amounts of the last days, in a currency. */
export const volume = (payments: ReadonlyArray<PaymentIntent>, currency: string, now: number) => {
  const paid = payments.filter((one) => isPaid(one) && one.amount.currency === currency)
  return {
    bars: byDay(paid, currency, (one) => paidOf(one).value, now),
    total: sum(paid.map((one) => paidOf(one).value)),
  }
}

/** Returns the fees of the last days, for payments with fees in that currency. */
export const fees = (payments: ReadonlyArray<PaymentIntent>, currency: string, now: number) => {
  const paid = payments.filter((one) => isPaid(one) && one.fees?.total.currency === currency)
  const cost: Amounts = (one) => one.fees?.total.value ?? 0
  return { bars: byDay(paid, currency, cost, now), total: sum(paid.map(cost)) }
}

/** Counts how many ended payments were paid, for each channel. */
export const successByChannel = (payments: ReadonlyArray<PaymentIntent>) => {
  const ended = payments.filter((one) => isPaid(one) || UNPAID.has(one.status))
  const channels = Map.groupBy(ended, ({ channel }) => channel ?? "none chosen")
  return [...channels]
    .map(([name, all]) => ({ name, all: all.length, paid: all.filter(isPaid).length }))
    .toSorted((a, b) => b.all - a.all)
}

const LATENCIES = [
  [100, "100 ms"],
  [1_000, "1 s"],
  [10_000, "10 s"],
  [60_000, "1 min"],
  [3_600_000, "1 h"],
  [Number.POSITIVE_INFINITY, "more"],
] as const

/** Counts deliveries by the time between their event and their arrival. */
export const latencies = (deliveries: ReadonlyArray<WebhookDelivery>): ReadonlyArray<Bar> => {
  const waits = deliveries.flatMap(({ attempts, created_at, status }) => {
    const last = attempts.at(-1)
    return status !== "delivered" || last === undefined
      ? []
      : [Date.parse(last.at) + last.duration_ms - Date.parse(created_at)]
  })
  let before = -1
  return LATENCIES.map(([most, name]) => {
    const value = waits.filter((wait) => wait > before && wait <= most).length
    before = most
    return { name, value, text: String(value) }
  })
}
