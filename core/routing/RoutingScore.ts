import { feeKind, type FeeTable, spreadBasisPoints } from "../pricing/Price.ts"
import type { Channel } from "../channels/Channel.ts"

/** What counts in the choice of a channel, and how much of ten (FX routing rules). */
const WEIGHTS = { fee: 5, rate: 3, speed: 2 } as const

/** How a channel does by each criterion among its rivals: 1 is the best of them, 0 the worst. */
export interface Criteria {
  /** The network's fee and the FX spread. */
  readonly fee: number
  /** The exchange rate that is applied; 1 where none is needed. */
  readonly rate: number
  /** Whether money arrives at once or a day later. */
  readonly speed: number
}

/** A channel with its score from 0 to 1 and what it is made of. */
export interface Scored {
  readonly channel: Channel
  readonly score: number
  readonly criteria: Criteria
}

const WHOLE = 10_000

/** What a criterion measures, as whole numbers of which the lowest is the best. */
type Costs = { readonly [C in keyof Criteria]: number }

/**
 * The costs of a channel for a pair of currencies. They are rates and no amounts, so that the
 * rounding of a small payment makes no two channels equal that are not: the fee in parts per
 * hundred million of the amount, where the network takes its part of what the spread leaves. The
 * mid-market rate is one for all, so the applied rate differs by the spread alone.
 */
const costsOf = (channel: Channel, fees: FeeTable, from: string, to: string): Costs => {
  const kind = feeKind("one_time", from, to, channel)
  const spread = spreadBasisPoints(fees, from, to, kind, channel)
  return {
    fee: spread * WHOLE + channel.network_fee_basis_points * (WHOLE - spread),
    rate: spread,
    speed: channel.settles === "real_time" ? 0 : 1,
  }
}

/** (worst − x) / (worst − best), as a fraction; 1 where all are equal. */
interface Scale {
  readonly worst: number
  readonly range: number
}

const scaleOf = (costs: ReadonlyArray<number>): Scale => {
  const worst = Math.max(...costs)
  return { worst, range: worst - Math.min(...costs) }
}

const partOf = ({ worst, range }: Scale, cost: number): number => (range === 0 ? 1 : worst - cost)

const divisor = ({ range }: Scale): number => (range === 0 ? 1 : range)

/**
 * Scores the channels that a payment could take, best first; equal ones stay in the order given,
 * which is the catalog's (FX routing rules). Each criterion is scaled over the candidates, and the
 * weighted sum compared in whole numbers, over the one denominator that all candidates share.
 */
export const rank = (
  candidates: ReadonlyArray<Channel>,
  fees: FeeTable,
  from: string,
  to: string,
): ReadonlyArray<Scored> => {
  if (candidates.length === 0) return []
  const measured = candidates.map((channel) => ({
    channel,
    costs: costsOf(channel, fees, from, to),
  }))
  const byFee = scaleOf(measured.map(({ costs }) => costs.fee))
  const rates = scaleOf(measured.map(({ costs }) => costs.rate))
  const speeds = scaleOf(measured.map(({ costs }) => costs.speed))
  const [perFee, perRate, perSpeed] = [divisor(byFee), divisor(rates), divisor(speeds)]
  const denominator = 10 * perFee * perRate * perSpeed
  return measured
    .map(({ channel, costs }) => {
      const fee = partOf(byFee, costs.fee)
      const rate = partOf(rates, costs.rate)
      const speed = partOf(speeds, costs.speed)
      const points =
        WEIGHTS.fee * fee * perRate * perSpeed +
        WEIGHTS.rate * rate * perFee * perSpeed +
        WEIGHTS.speed * speed * perFee * perRate
      const criteria = { fee: fee / perFee, rate: rate / perRate, speed: speed / perSpeed }
      return { points, scored: { channel, score: points / denominator, criteria } }
    })
    .toSorted((a, b) => b.points - a.points)
    .map(({ scored }) => scored)
}
