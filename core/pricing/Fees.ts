import type { Channel } from "../channels/Channel.ts"
import type { Money } from "../shared/Money.ts"
import { proportion } from "../shared/Proportion.ts"
import { FEE_TABLE, feeKind, type PaymentMethod } from "./FeeTable.ts"
import type { Settled } from "./Settlement.ts"

/**
 * What a payment costs its payee, each line in minor units of the settlement currency
 * (Transaction fees). `service` and `channel` are taken from the payee's wallet when the payment
 * has succeeded; `fx_spread` is in the settlement's rate already and is not taken again.
 */
export interface Fees {
  /** The service's own fee: refunded in proportion with the payment. */
  readonly service: Money
  /** What the settlement is below the amount at the mid-market rate. */
  readonly fx_spread: Money
  /** The channel's network fee, passed through at cost and not refunded. */
  readonly channel: Money
  readonly total: Money
}

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
