import { defineKind } from "../commits/KindDeclaration.ts"
import { BigDecimal } from "effect"
import type { Timestamp } from "../shared/Timestamp.ts"

/** A seller's report of use of its service. A repeated report is counted once. */
export interface UsageRecord {
  /** `use_` and the UUID of {@link usageName}. */
  readonly id: string
  readonly version: number
  /** The seller's account. */
  readonly account_id: string
  readonly service_id: string
  readonly tab: string
  /** The number of the tab's period that bills it. */
  readonly period: number
  readonly agent_id: string
  /** Units, as an exact decimal. */
  readonly quantity: string
  readonly occurred_at: Timestamp
  readonly idempotency_key: string
  readonly created_at: Timestamp
}

/** The use in a period: the sum of its records. */
export interface UsageSum {
  /** Units, as an exact decimal. */
  readonly quantity: string
  readonly records: number
}

/**
 * Returns the text whose hash is the record's id; reports of a service with the same key are the
 * same.
 */
export const usageName = (serviceId: string, key: string): string => `usage:${serviceId}:${key}`

const decimal = (text: string | number): BigDecimal.BigDecimal =>
  BigDecimal.fromStringUnsafe(String(text))

/** Writes a decimal that is not negative without an exponent and without trailing zeros. */
const plain = (value: BigDecimal.BigDecimal): string => {
  const { scale, value: digits } = BigDecimal.normalize(value)
  if (scale <= 0) return (digits * 10n ** BigInt(-scale)).toString()
  const text = digits.toString().padStart(scale + 1, "0")
  return `${text.slice(0, -scale)}.${text.slice(-scale)}`
}

/** Normalizes a decimal: `1.50` and `1.5` are the same. */
export const canonical = (text: string | number): string => plain(decimal(text))

/** Adds up exact decimals. */
export const sumOf = (quantities: Iterable<string>): string => {
  let sum = decimal("0")
  for (const quantity of quantities) sum = BigDecimal.sum(sum, decimal(quantity))
  return plain(sum)
}

/** Returns `quantity × rate` in minor units, as an exact decimal. */
export const costOf = (quantity: string, rate: string): string =>
  plain(BigDecimal.multiply(decimal(quantity), decimal(rate)))

const rounded = (exact: BigDecimal.BigDecimal, mode: "half-even" | "ceil"): number => {
  const whole = BigDecimal.round(exact, { scale: 0, mode })
  return Number(BigDecimal.scale(whole, 0).value)
}

/** Rounds an exact decimal to whole minor units. */
export const wholeOf = (exact: string, mode: "half-even" | "ceil"): number =>
  rounded(decimal(exact), mode)

/**
 * Returns `quantity × rate` in minor units, or in so many parts of one: exact, and rounded once,
 * half to even by default. The rate is in minor units for one unit of use.
 */
export const priceOf = (
  quantity: string,
  rate: string | number,
  mode: "half-even" | "ceil" = "half-even",
  parts = 1,
): number => {
  const price = BigDecimal.multiply(decimal(quantity), decimal(rate))
  return rounded(BigDecimal.multiply(price, decimal(parts)), mode)
}

declare module "../commits/Records.ts" {
  interface Records {
    readonly usage_record: UsageRecord
  }
}

/** How the store keeps usage records. */
export const usageRecordKind = defineKind("usage_record", {
  prefix: "use",
  erased: true,
  lists: [["tab", "period"]],
})
