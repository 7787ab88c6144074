import { feeKind, type FeeTable, spreadBasisPoints } from "../pricing/Price.ts"
import type { Channel } from "../channels/Channel.ts"

/** The criteria of a channel's score, with their weights in tenths (FX routing rules). */
const WEIGHTS = { fee: 5, rate: 3, speed: 2 } as const

/** The scores of a channel by each criterion among the candidates: 1 is the best, 0 the worst. */
export interface Criteria {
  /** The network's fee and the FX spread. */
  readonly fee: number
  /** The applied exchange rate; 1 where none is needed. */
  readonly rate: number
  /** Whether money arrives immediately or a day later. */
  readonly speed: number
}

/** A channel with its score from 0 to 1, and the scores by criterion. */
export interface Scored {
  readonly channel: Channel
  readonly score: number
  readonly criteria: Criteria
}

const WHOLE = 10_000

/** The cost by each criterion, as whole numbers; the lowest is the best. */
type Costs = { readonly [C in keyof Criteria]: number }

/**
 * Returns the costs of a channel for a pair of currencies. They are rates and not amounts, so that
 * rounding a small payment does not make different channels equal. The fee is in parts per hundred
 * million of the amount; the network takes its part of what the spread leaves. The mid-market rate
 * is the same for all, so the applied rates differ by the spread only.
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

/** The scale of a criterion: (worst − x) / (worst − best), as a fraction; 1 where all are equal. */
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
 * Scores the channels that could take a payment, best first; equal ones keep their order, which is
 * the catalog's (FX routing rules). Each criterion is scaled over the candidates. The weighted sums
 * are compared as whole numbers over the common denominator.
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
