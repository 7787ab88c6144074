// Written independently of core/pricing on purpose: it computes the shares a second time.

import { decimalsOf } from "../../auditor/invariants/exchange.ts"
import type { Rule } from "../../auditor/Observation.ts"
import type { SeenPayment, SeenRefund } from "../Seen.ts"

const PAID: ReadonlySet<string> = new Set(["succeeded", "completed"])

/** Checks that a payment that has succeeded, or was paid and refunded, has the fee posted once. */
export const chargedOnce: Rule<"resting"> = ({ entries, refunds, seen }) => {
  const fees = entries.filter(({ kind }) => kind === "fees")
  const journals = new Set(fees.map(({ journal }) => journal))
  if (journals.size > 1) return `was charged ${journals.size} times`
  const isPaid = PAID.has(seen.status) || (seen.status === "failed" && refunds.length > 0)
  return journals.size === 0 || isPaid ? undefined : `is ${seen.status} and was charged`
}

const takenOf = ({ amount, captured_amount }: SeenPayment): number =>
  (captured_amount ?? amount).value

/** A rate is shown with as many digits as a number has. */
const INEXACT = 1e-9

/** Checks that the taken amount settles at the shown rate, rounded down. */
export const settlesAtRate: Rule<"resting"> = ({ seen }) => {
  const { currency, rate, value } = seen.settlement
  const decimals = Number(decimalsOf(currency) - decimalsOf(seen.amount.currency))
  const worth = takenOf(seen) * rate * 10 ** decimals
  const isSame = currency === seen.amount.currency
  // A part of a rounded-down sum is rounded down once more.
  const most = isSame ? 0 : 2 + worth * INEXACT
  return rate > 0 && Math.abs(value - worth) <= most
    ? undefined
    : `settles to ${value} ${currency}, and is worth ${worth}`
}

const standing = ({ status }: SeenRefund): boolean => status !== "failed"

/** Checks that refunds take back their share of the settlement, each rounded up at most. */
export const settlesInParts: Rule<"resting"> = ({ refunds, seen }) => {
  const told = refunds.filter((one) => standing(one) && one.settlement !== undefined)
  const back = told.reduce((sum, { amount }) => sum + amount.value, 0)
  const settled = told.reduce((sum, { settlement }) => sum + (settlement?.value ?? 0), 0)
  const isSame = seen.settlement.currency === seen.amount.currency
  const share = (seen.settlement.value * back) / takenOf(seen)
  const off = Math.abs(settled - share)
  return off <= (isSame ? 0 : told.length)
    ? undefined
    : `gives ${settled} of its settlement back, where ${share} are its refunds' share`
}
