import { Schema } from "effect"
import type { Channel } from "../channels/Channel.ts"
import { proportion } from "../shared/Proportion.ts"
import { Amount } from "../shared/Wire.ts"
import { FEE_TABLE, feeKind, type PaymentMethod } from "./FeeTable.ts"
import type { Settled } from "./Settlement.ts"

/** Fees in examples. */
export const exampleFees = {
  service: { currency: "USD", value: 3 },
  fx_spread: { currency: "USD", value: 0 },
  channel: { currency: "USD", value: 4 },
  total: { currency: "USD", value: 7 },
} as const

/**
 * What a payment costs its payee, each line in minor units of the settlement currency
 * (Transaction fees). `service` and `channel` are taken from the payee's wallet when the payment
 * has succeeded; `service` alone is refunded, in proportion with the payment.
 */
export const Fees = Schema.Struct({
  service: Amount,
  fx_spread: Amount,
  channel: Amount,
  total: Amount,
}).annotate({
  identifier: "Fees",
  description:
    "`service` is the service's own fee, `channel` the channel's network fee, passed through. " +
    "`fx_spread` is what the settlement is below the mid-market rate: it is in the settlement " +
    "already and not taken again.",
  examples: [exampleFees],
})
/** A {@link Fees}. */
export type Fees = typeof Fees.Type

const WHOLE = 10_000

/** What a payment is priced by. */
export interface FeeRequest {
  readonly method: PaymentMethod
  /** The currency that is paid in. */
  readonly currency: string
  readonly settled: Settled
  readonly channel: Pick<Channel, "kind" | "network_fee_basis_points">
}

/**
 * The fees of a payment on a channel: percentages of what it settles to, each rounded once, half to
 * even. 500 minor units of one currency on a channel of 0.6% cost 2 (of 2.5) and 3, together 5.
 */
export const feesOf = ({ method, currency, settled, channel }: FeeRequest): Fees => {
  const { settlement, fx_spread } = settled
  const kind = feeKind(method, currency, settlement.currency, channel)
  const service = proportion(settlement.value, FEE_TABLE[kind].service, WHOLE)
  const network = proportion(settlement.value, channel.network_fee_basis_points, WHOLE)
  return feesFrom(settlement.currency, service, fx_spread, network)
}

/** The fees of these lines, with their sum. */
export const feesFrom = (
  currency: string,
  service: number,
  fxSpread: number,
  channel: number,
): Fees => ({
  service: { currency, value: service },
  fx_spread: { currency, value: fxSpread },
  channel: { currency, value: channel },
  total: { currency, value: service + fxSpread + channel },
})
