import { Schema } from "effect"
import type { Balance } from "./LedgerQuery.ts"
import { JOURNAL_KINDS, LEDGER_ACCOUNTS, type Posting } from "./Posting.ts"
import { shownAs } from "../shared/View.ts"
import { Amount, Time } from "../shared/Wire.ts"

const minor = (description: string) =>
  Schema.Int.annotate({ description: `${description}, in minor units.` })

/** What a merchant has and owes in one currency. */
const CurrencyBalance = Schema.Struct({
  currency: Schema.String.annotate({ description: "An ISO 4217 code." }),
  available: minor("The money in the wallet; negative if more was returned than it held"),
  pending: minor("Captured money that is not settled yet"),
  returning: minor("Money that arrived too late or twice and is being returned"),
  fees_due: minor("The fees that leave the wallet on the next UTC day"),
  refunds_pending: minor("Money set aside for refunds in progress"),
})
type CurrencyBalance = typeof CurrencyBalance.Type

/** What an account has and owes, as it is shown. */
export const BalanceView = Schema.Struct({
  as_of: Time.annotateKey({ description: "The time of the balances." }),
  balances: Schema.Array(CurrencyBalance).annotateKey({
    description: "One entry for each currency.",
  }),
}).annotate({
  identifier: "Balance",
  description: "An account's balances, one entry for each currency.",
  examples: [
    {
      as_of: "2026-01-31T08:00:00.000Z",
      balances: [
        {
          currency: "USD",
          available: 699,
          pending: 0,
          returning: 0,
          fees_due: 7,
          refunds_pending: 0,
        },
      ],
    },
  ],
})

type Part = Exclude<keyof CurrencyBalance, "currency">

const LATE: ReadonlySet<string> = new Set(["late_payment", "late_payment_returned"])

/** Returns the part of the balance that rows belong to, and whether a debit increases it. */
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

/** Returns the balances of an account's sums, one line for each currency that was ever posted. */
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

/** A row of the ledger as it is shown. */
export const EntryView = Schema.Struct({
  id: Schema.String.annotateKey({ description: "The entry's id." }),
  journal: Schema.String.annotate({
    description: "The journal's id. The rows of a journal sum to zero in each currency.",
  }),
  kind: Schema.Literals(JOURNAL_KINDS).annotateKey({
    description: "The kind of journal.",
  }),
  account: Schema.Literals(LEDGER_ACCOUNTS).annotateKey({
    description: "The ledger account that the row changes.",
  }),
  channel: Schema.NullOr(Schema.String).annotateKey({
    description: "The channel that holds the money; null for none.",
  }),
  amount: Amount.annotate({
    description: "The row's amount. A debit is positive, a credit negative.",
  }),
  payment_intent: Schema.NullOr(Schema.String).annotateKey({
    description: "The id of the payment; null for none.",
  }),
  refund: Schema.NullOr(Schema.String).annotate({
    description: "The id of the refund, or of the request that returns late money.",
  }),
  created_at: Time.annotateKey({ description: "The time of creation." }),
}).annotate({
  identifier: "LedgerEntry",
  description: "One row of an account's double-entry books.",
  examples: [
    {
      id: "post_01997d3e-8a00-7000-8000-000000000040",
      journal: "jrn_01997d3e-8a00-7000-8000-000000000041",
      kind: "settled",
      account: "merchant_wallet",
      channel: "wallet_a",
      amount: { currency: "USD", value: -699 },
      payment_intent: "pi_01997d3e-8a00-7000-8000-000000000020",
      refund: null,
      created_at: "2026-01-31T08:00:00.000Z",
    },
  ],
})

/** Returns the view, see {@link EntryView}. */
export const entryView = (posting: Posting) =>
  shownAs(EntryView, posting, {
    account: posting.ledger_account,
    amount: { currency: posting.currency, value: posting.amount },
  })
