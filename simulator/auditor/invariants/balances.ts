// Written independently of core/ledger on purpose: see Model.ts.

import type { Rule } from "../Observation.ts"
import { difference } from "../saysTheSame.ts"

declare module "../Observation.ts" {
  interface Observations {
    /** What an account has and owes, a line for each currency. */
    readonly balance_shown: {
      readonly account: string
      readonly balances: ReadonlyArray<object>
    }
  }
}

/** The parts of a balance by the account of the ledger, and whether a debit is in favour. */
const BALANCES: { readonly [account: string]: readonly [part: string, sign: 1 | -1] } = {
  merchant_wallet: ["available", -1],
  payer_clearing: ["pending", -1],
  fees_due: ["fees_due", 1],
  refunds: ["refunds_pending", -1],
}

/** Adds up the rows of an account's books, each row by itself. */
export const balanced: Rule<"balance_shown"> = ({ account, balances }, model) => {
  const lines = new Map<string, { [part: string]: number }>()
  for (const { account_id, amount, currency, kind, ledger_account } of model.posted.values()) {
    if (account_id !== account) continue
    const line = lines.get(currency) ?? {
      available: 0,
      pending: 0,
      returning: 0,
      fees_due: 0,
      refunds_pending: 0,
    }
    lines.set(currency, line)
    const [usual, sign] = BALANCES[ledger_account] ?? []
    if (usual === undefined || sign === undefined) continue
    const part = usual === "pending" && kind.startsWith("late_payment") ? "returning" : usual
    line[part] = (line[part] ?? 0) + sign * amount
  }
  const expected = [...lines]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([currency, line]) => ({ currency, ...line }))
  const differs = difference(expected, balances)
  return differs === undefined ? undefined : `has a balance with ${differs}`
}
