import { defineKind } from "../commits/KindDeclaration.ts"
import { BigDecimal } from "effect"
import type { Timestamp } from "../shared/Timestamp.ts"

/** Use of a service that its seller has reported: it is counted once, whatever is repeated. */
export interface UsageRecord {
  /** `use_` and the UUID of {@link usageName}. */
  readonly id: string
  readonly version: number
  /** The seller's account. */
  readonly account_id: string
  readonly service_id: string
  readonly tab: string
  /** The number of the tab's period that it is billed with. */
  readonly period: number
  readonly agent_id: string
  /** Units, as an exact decimal. */
  readonly quantity: string
  readonly occurred_at: Timestamp
  readonly idempotency_key: string
  readonly created_at: Timestamp
}

/** What was used in a period: the sum of its records. */
export interface UsageSum {
  /** Units, as an exact decimal. */
  readonly quantity: string
  readonly records: number
}

/** What makes two reports of a service the same: hashed, it is the record's id. */
export const usageName = (serviceId: string, key: string): string => `usage:${serviceId}:${key}`

const decimal = (text: string | number): BigDecimal.BigDecimal =>
  BigDecimal.fromStringUnsafe(String(text))

/** All digits of a decimal that is not negative, without an exponent and without idle zeros. */
const plain = (value: BigDecimal.BigDecimal): string => {
  const { scale, value: digits } = BigDecimal.normalize(value)
  if (scale <= 0) return (digits * 10n ** BigInt(-scale)).toString()
  const text = digits.toString().padStart(scale + 1, "0")
  return `${text.slice(0, -scale)}.${text.slice(-scale)}`
}

/** A decimal as it is kept: `1.50` and `1.5` are the same. */
export const canonical = (text: string | number): string => plain(decimal(text))

/** The sum of exact decimals. */
export const sumOf = (quantities: Iterable<string>): string => {
  let sum = decimal("0")
  for (const quantity of quantities) sum = BigDecimal.sum(sum, decimal(quantity))
  return plain(sum)
}

/**
 * `quantity × rate` in minor units: exact, and rounded once, half to even. The rate is in minor
 * units for one unit of use.
 */
export const priceOf = (
  quantity: string,
  rate: string | number,
  mode: "half-even" | "ceil" = "half-even",
): number => {
  const product = BigDecimal.multiply(decimal(quantity), decimal(rate))
  const whole = BigDecimal.round(product, { scale: 0, mode })
  return Number(BigDecimal.scale(whole, 0).value)
}

declare module "../commits/Records.ts" {
  interface Records {
    readonly usage_record: UsageRecord
  }
}

/** How usage records are kept. */
export const usageRecordKind = defineKind("usage_record", {
  prefix: "use",
  erased: true,
  lists: [["tab", "period"]],
})
