import { FEE_TABLE, type FeeKind } from "./FeeTable.ts"

const MAJOR = new Set(["USD", "EUR", "GBP", "JPY", "CNY"])

/**
 * The FX spread between two currencies in parts per ten thousand: the low end of the kind's range
 * where both are widely traded, the middle where one is, the high end otherwise, and none without a
 * conversion (Transaction fees).
 */
export const spreadBasisPoints = (from: string, to: string, kind: FeeKind): number => {
  if (from === to) return 0
  const { low, middle, high } = FEE_TABLE[kind].spread
  const majors = Number(MAJOR.has(from)) + Number(MAJOR.has(to))
  return majors === 2 ? low : majors === 1 ? middle : high
}
