import type { Channel } from "../channels/Channel.ts"

/** What a payment is for: one price, metered use, or a plan. */
export type PaymentMethod = "one_time" | "cumulative" | "subscription"

/** The kinds of payment that have a price of their own (Transaction fees). */
export type FeeKind = PaymentMethod | "stablecoin" | "cross_border"

/** All in parts per ten thousand. */
interface FeeRow {
  /** The service's own fee. */
  readonly service: number
  /** What a conversion costs: both currencies are widely traded, one is, or none. */
  readonly spread: { readonly low: number; readonly middle: number; readonly high: number }
}

/**
 * The service's prices (Transaction fees). Refunds and voids cost nothing. A payment that needs a
 * conversion is always `cross_border` or `stablecoin`, so the other rows' spreads are never met.
 */
export const FEE_TABLE: { readonly [K in FeeKind]: FeeRow } = {
  one_time: { service: 50, spread: { low: 30, middle: 55, high: 80 } },
  cumulative: { service: 30, spread: { low: 20, middle: 35, high: 50 } },
  subscription: { service: 50, spread: { low: 30, middle: 55, high: 80 } },
  stablecoin: { service: 30, spread: { low: 10, middle: 20, high: 30 } },
  cross_border: { service: 50, spread: { low: 30, middle: 75, high: 120 } },
}

/**
 * The kind of a payment: what its channel is comes first, then whether payer and payee have
 * different currencies, then what the payment is for. `channel` is undefined while the payer has
 * yet to choose one.
 */
export const feeKind = (
  method: PaymentMethod,
  from: string,
  to: string,
  channel: Pick<Channel, "kind"> | undefined,
): FeeKind =>
  channel?.kind === "stablecoin" ? "stablecoin" : from === to ? method : "cross_border"
