import type { PaymentIntent } from "../../core/payments/PaymentIntent.ts"
import { type Money, toMajor } from "../../core/shared/Money.ts"
import { currencies } from "../ports/market.ts"
import type { Auditor } from "../auditor/Auditor.ts"

/** Durations in buckets: below 1 ms, 2 ms, 4 ms and so on, doubling. */
export type Buckets = ReadonlyArray<number>

const BUCKETS = 28

/** Returns the upper end of a bucket, in milliseconds. */
export const bucketEnd = (bucket: number): number => 2 ** bucket

/** Durations in virtual time, by what was measured. */
export class Latencies {
  readonly #buckets = new Map<string, Array<number>>()

  measure(what: string, millis: number): void {
    const buckets = this.#buckets.get(what) ?? Array.from({ length: BUCKETS }, () => 0)
    this.#buckets.set(what, buckets)
    const bucket = Math.min(BUCKETS - 1, millis < 1 ? 0 : Math.floor(Math.log2(millis)) + 1)
    buckets[bucket] = (buckets[bucket] ?? 0) + 1
  }

  /** Returns the buckets by what was measured, in the order of the names. */
  counts(): { readonly [what: string]: Buckets } {
    return Object.fromEntries([...this.#buckets].toSorted(([a], [b]) => (a < b ? -1 : 1)))
  }
}

/** Returns the end of the bucket below which that share of all cases is; 0 without cases. */
export const quantile = (buckets: Buckets, part: number): number => {
  const total = buckets.reduce((sum, count) => sum + count, 0)
  let seen = 0
  for (const [bucket, count] of buckets.entries()) {
    seen += count
    if (total > 0 && seen >= part * total) return bucketEnd(bucket)
  }
  return 0
}

/** One payment's states, each with when it was stored, in milliseconds after its creation. */
export interface Timeline {
  readonly id: string
  readonly flow: PaymentIntent["flow"]
  /** In milliseconds after the beginning of the world. */
  readonly created_ms: number
  /** In the currency's own units, such as `6.99 USD`. */
  readonly amount: string
  readonly states: ReadonlyArray<{ readonly status: string; readonly at_ms: number }>
}

/** Formats an amount for people. */
export const inMajor = (amount: Money): string => {
  const currency = currencies.get(amount.currency) ?? { code: amount.currency, exponent: 2 }
  return `${toMajor(amount, currency)} ${amount.currency}`
}

/** How many payments are shown one by one. */
const SHOWN = 60

/** Returns the payments with the longest stories, in the order of their creation. */
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
