import type { PaymentPlan } from "../world/plans/Plan.ts"

const NO_AFTERMATH = { items: [], refunds: [], late: null, asks_after: 0 } as const

/** Ways to simplify one payment's plan, the largest changes first. Some change nothing. */
export const SIMPLER: ReadonlyArray<(plan: PaymentPlan) => PaymentPlan> = [
  (plan) => ({ ...plan, aftermath: NO_AFTERMATH }),
  (plan) => ({ ...plan, aftermath: { ...plan.aftermath, late: null } }),
  (plan) => {
    const { aftermath } = plan
    return { ...plan, aftermath: { ...aftermath, refunds: aftermath.refunds.slice(0, 1) } }
  },
  (plan) => ({ ...plan, aftermath: { ...plan.aftermath, items: [] } }),
  (plan) => ({ ...plan, confusions: [] }),
  (plan) => ({ ...plan, payee: { ...plan.payee, probes: [] } }),
  (plan) => ({ ...plan, payee: { ...plan.payee, again: 0 } }),
  (plan) => ({ ...plan, payee: { ...plan.payee, parallel: 1 } }),
  (plan) => ({ ...plan, payee: { ...plan.payee, act: "captures", around_expiry: null } }),
  (plan) => ({ ...plan, payer: { ...plan.payer, others: null } }),
  (plan) => ({ ...plan, payer: { ...plan.payer, act: "pays", around_expiry: null } }),
  (plan) => ({
    ...plan,
    parallel: 1,
    reuses_key: false,
    buys_again: false,
    nosy_stranger: false,
  }),
]
