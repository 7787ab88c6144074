import type { Channel } from "../channels/Channel.ts"
import { FEE_TABLE, type FeeKind } from "./FeeTable.ts"

const MAJOR = new Set(["USD", "EUR", "GBP", "JPY", "CNY"])

/** Currencies that the law holds at a fixed rate to the dollar. */
const FIXED_TO_USD = new Set(["AED", "BHD", "BMD", "BSD", "JOD", "OMR", "PAB", "QAR", "SAR"])

const anchorOf = (currency: string): string => (FIXED_TO_USD.has(currency) ? "USD" : currency)

/**
 * Whether somebody has to exchange money between the two currencies. A stablecoin needs no exchange
 * between currencies that stand at a fixed rate to its own peg (FX routing rules).
 */
const needsExchange = (
  from: string,
  to: string,
  channel: Pick<Channel, "pegged_to"> | undefined,
): boolean => {
  if (from === to) return false
  const peg = channel?.pegged_to
  return peg === undefined || anchorOf(from) !== peg || anchorOf(to) !== peg
}

/**
 * The FX spread between two currencies in parts per ten thousand: the low end of the kind's range
 * where both are widely traded, the middle where one is, the high end otherwise, and none without
 * an exchange (Transaction fees).
 */
export const spreadBasisPoints = (
  from: string,
  to: string,
  kind: FeeKind,
  channel?: Pick<Channel, "pegged_to">,
): number => {
  if (!needsExchange(from, to, channel)) return 0
  const { low, middle, high } = FEE_TABLE[kind].spread
  const majors = Number(MAJOR.has(from)) + Number(MAJOR.has(to))
  return majors === 2 ? low : majors === 1 ? middle : high
}
