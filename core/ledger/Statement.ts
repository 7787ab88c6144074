import type { Balance } from "./LedgerQuery.ts"
import type { Posting } from "./Posting.ts"
import { toIso } from "../shared/Timestamp.ts"

/** What a merchant has and owes in one currency, in minor units. */
export interface CurrencyBalance {
  readonly currency: string
  /** In the wallet. Negative when more went back than was there. */
  readonly available: number
  /** Captured and not settled yet, in the currency that it was paid in. */
  readonly pending: number
  /** Came too late or twice, and is on its way back to its payers. */
  readonly returning: number
  /** Leaves the wallet on the next UTC day. */
  readonly fees_due: number
  /** Set aside for refunds that are under way. */
  readonly refunds_pending: number
}

type Part = Exclude<keyof CurrencyBalance, "currency">

const LATE: ReadonlySet<string> = new Set(["late_payment", "late_payment_returned"])

/** Which part of the balance rows belong to, and whether a debit makes it larger. */
const partOf = ({ kind, ledger_account }: Balance): readonly [Part, 1 | -1] | undefined => {
  switch (ledger_account) {
    case "merchant_wallet":
      return ["available", -1]
    case "payer_clearing":
      return [LATE.has(kind) ? "returning" : "pending", -1]
    case "fees_due":
      return ["fees_due", 1]
    case "refunds":
      return ["refunds_pending", -1]
    default:
      return undefined
  }
}

/** What an account's sums come to, a line a currency that anything was ever posted in. */
export const balancesOf = (sums: ReadonlyArray<Balance>): ReadonlyArray<CurrencyBalance> => {
  const lines = new Map<string, { -readonly [P in keyof CurrencyBalance]: CurrencyBalance[P] }>()
  for (const sum of sums) {
    const { amount, currency } = sum
    const line = lines.get(currency) ?? {
      currency,
      available: 0,
      pending: 0,
      returning: 0,
      fees_due: 0,
      refunds_pending: 0,
    }
    lines.set(currency, line)
    const [part, sign] = partOf(sum) ?? []
    if (part !== undefined && sign !== undefined) line[part] += sign * amount
  }
  return [...lines.values()].toSorted((a, b) => (a.currency < b.currency ? -1 : 1))
}

/** A row of the ledger in the wire's shape. */
export const entryView = (posting: Posting) => ({
  id: posting.id,
  journal: posting.journal,
  kind: posting.kind,
  account: posting.ledger_account,
  channel: posting.channel,
  amount: { currency: posting.currency, value: posting.amount },
  payment_intent: posting.payment_intent,
  refund: posting.refund,
  created_at: toIso(posting.created_at),
})
