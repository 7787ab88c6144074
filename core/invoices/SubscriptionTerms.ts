import type { Subscription } from "./Subscription.ts"

/** Returns the fields of the invoice of a subscription's current period. */
export const termsOf = (subscription: Omit<Subscription, "status">) => {
  const { account_id, amount, id, payee_account_id, payer, plan_name, service_id } = subscription
  const unit_amount = String(amount.value)
  return {
    account_id,
    payee_account_id,
    service_id,
    subscription: id,
    tab: null,
    payer,
    lines: [{ description: plan_name, quantity: "1", unit_amount, amount }],
    amount,
    period: subscription.period,
    period_start: subscription.current_period_start,
    period_end: subscription.current_period_end,
  }
}
