import type { PaymentIntent } from "../../core/payments/PaymentIntent.ts"
import { type Money, toMajor } from "../../core/shared/Money.ts"
import { currencies } from "../ports/market.ts"
import type { Auditor } from "../auditor/Auditor.ts"

/** One payment's states, each from when it was stored, in milliseconds after its creation. */
export interface Timeline {
  readonly id: string
  readonly flow: PaymentIntent["flow"]
  /** In milliseconds after the beginning of the world. */
  readonly created_ms: number
  /** In the currency's own units, such as `6.99 USD`. */
  readonly amount: string
  readonly states: ReadonlyArray<{ readonly status: string; readonly at_ms: number }>
}

/** An amount as people read it. */
export const inMajor = (amount: Money): string => {
  const currency = currencies.get(amount.currency) ?? { code: amount.currency, exponent: 2 }
  return `${toMajor(amount, currency)} ${amount.currency}`
}

/** So many payments are drawn one by one. */
const SHOWN = 60

/** The payments whose stories are the longest, in the order of their creation. */
export const timelinesOf = ({
  auditor,
  start,
}: {
  readonly auditor: Auditor
  readonly start: number
}): ReadonlyArray<Timeline> =>
  [...auditor.model.intents.values()]
    .toSorted((a, b) => b.history.length - a.history.length)
    .slice(0, SHOWN)
    .toSorted((a, b) => a.record.created_at - b.record.created_at)
    .map(({ history, record }) => {
      const { amount, created_at, flow, id } = record
      const moves = history.filter(({ status }, n) => history[n - 1]?.status !== status)
      return {
        id,
        flow,
        created_ms: created_at - start,
        amount: inMajor(amount),
        states: moves.map(({ at, status }) => ({ status, at_ms: at - created_at })),
      }
    })
