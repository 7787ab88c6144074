import { median } from "../../../apps/bench/statistics.ts"

/** The service's rate compared with the database alone. */
export interface Rate {
  readonly name: string
  /** Requests a second: the median of the rounds, and each of them. */
  readonly rate: number
  readonly rates: ReadonlyArray<number>
  /** Milliseconds, medians of the rounds. */
  readonly p50: number
  readonly p99: number
  readonly limit: { readonly clients: number; readonly rate: number } | null
  readonly ratio: number | null
  readonly target: number
  readonly met: boolean | null
}

/** Puts the medians beside the limit. */
export const compared = ({
  limit,
  name,
  p50,
  p99,
  rates,
  target,
}: {
  readonly name: string
  readonly target: number
  readonly rates: ReadonlyArray<number>
  readonly limit: { readonly clients: number; readonly rate: number } | undefined
  readonly p50: number
  readonly p99: number
}): Rate => {
  const rate = median(rates)
  const ratio = limit === undefined ? null : rate / limit.rate
  const met = ratio === null ? null : ratio >= target
  return { name, rate, rates, p50, p99, limit: limit ?? null, ratio, target, met }
}
