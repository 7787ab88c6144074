import type { PaymentPlan } from "../world/plans/Plan.ts"
import { type ServicePlan, SERVICES } from "../world/people/Population.ts"
import type { Play } from "./Play.ts"

/**
 * Returns the world's service that is most similar to the recorded one. A service without the
 * currency might refuse the payment, so the currency counts more than the channel.
 */
const serviceOf = ({ amount, channel }: Play): ServicePlan => {
  const takes = ({ accepted_channels }: ServicePlan) =>
    channel === null || accepted_channels.includes(channel)
  const inCurrency = SERVICES.filter(({ currencies }) => currencies.includes(amount.currency))
  return inCurrency.find(takes) ?? inCurrency[0] ?? SERVICES.find(takes) ?? SERVICES[0]
}

/** Returns the share of a whole from which a player computes that value again, rounding down. */
const shareOf = (value: number, whole: number): number => (value + 0.5) / whole

/** Makes the plan of payment `number` from its play. Nothing happens that is not in the play. */
export const planOf = (play: Play, number: number): PaymentPlan => {
  const { amount, payee, payer } = play
  const service = serviceOf(play)
  const isAccepted = play.channel !== null && service.accepted_channels.includes(play.channel)
  return {
    number,
    after: play.after_ms,
    flow: play.flow,
    service: service.name,
    buyer: play.buyer,
    by: play.by,
    amount,
    channel: isAccepted ? play.channel : null,
    keyed: play.keyed,
    parallel: 1,
    reuses_key: false,
    buys_again: false,
    nosy_stranger: false,
    payer: {
      act: payer.act,
      scans_after: payer.scans_after_ms,
      decides_after: payer.decides_after_ms,
      around_expiry: null,
      others: null,
    },
    payee: {
      act: payee.act,
      after: payee.after_ms,
      around_expiry: null,
      parallel: 1,
      again: 0,
      keyed: true,
      ...(payee.captures !== undefined && { part: shareOf(payee.captures, amount.value) }),
      probes: [],
    },
    aftermath: {
      items: [],
      refunds: play.refunds.map(({ after_ms, keyed, revokes, value }) => ({
        after: after_ms,
        share: value === null ? null : shareOf(value, amount.value),
        parallel: 1,
        keyed,
        revokes,
      })),
      late: null,
      asks_after: 0,
    },
    confusions: [],
  }
}
