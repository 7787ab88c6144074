import type { Channel } from "../channels/Channel.ts"

/** Parts per ten thousand that a conversion costs, by how much the two currencies are traded. */
interface Row {
  readonly low: number
  readonly middle: number
  readonly high: number
}

/** The spreads of the specification's fee table (Transaction fees). */
const CROSS_BORDER: Row = { low: 30, middle: 75, high: 120 }
const STABLECOIN: Row = { low: 10, middle: 20, high: 30 }

const MAJOR = new Set(["USD", "EUR", "GBP", "JPY", "CNY"])

/**
 * The FX spread between two currencies in parts per ten thousand: the low end where both are widely
 * traded, the middle where one is, the high end otherwise, and none without a conversion.
 */
export const spreadBasisPoints = (
  from: string,
  to: string,
  kind: Channel["kind"] | undefined,
): number => {
  if (from === to) return 0
  const row = kind === "stablecoin" ? STABLECOIN : CROSS_BORDER
  const majors = [from, to].filter((currency) => MAJOR.has(currency)).length
  return majors === 2 ? row.low : majors === 1 ? row.middle : row.high
}
