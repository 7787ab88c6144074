import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { ListEntriesQuery } from "../../../core/ledger/listEntries.ts"
import { JOURNAL_KINDS, LEDGER_ACCOUNTS } from "../../../core/ledger/Posting.ts"
import { AccountKey } from "./Access.ts"
import { ANY, KEYED, refusals } from "./Errors.ts"
import { Amount, page, Timestamp } from "./Wire.ts"

const minor = (description: string) =>
  Schema.Int.annotate({ description: `${description}, in minor units.` })

const Balance = Schema.Struct({
  as_of: Timestamp,
  balances: Schema.Array(
    Schema.Struct({
      currency: Schema.String.annotate({ description: "An ISO 4217 code." }),
      available: minor("What is in the wallet; negative when more went back than was there"),
      pending: minor("What has been captured and not been settled"),
      returning: minor("What came too late or twice and is on its way back"),
      fees_due: minor("What leaves the wallet on the next UTC day"),
      refunds_pending: minor("What has been set aside for refunds that are under way"),
    }),
  ),
}).annotate({
  identifier: "Balance",
  description: "What an account has and owes, a line a currency.",
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

const LedgerEntry = Schema.Struct({
  id: Schema.String,
  journal: Schema.String.annotate({
    description: "The rows of a journal sum to zero in each currency.",
  }),
  kind: Schema.Literals(JOURNAL_KINDS),
  account: Schema.Literals(LEDGER_ACCOUNTS),
  channel: Schema.NullOr(Schema.String),
  amount: Amount.annotate({ description: "A debit is positive, a credit negative." }),
  payment_intent: Schema.NullOr(Schema.String),
  refund: Schema.NullOr(Schema.String).annotate({
    description: "The refund, or the request that gives late money back.",
  }),
  created_at: Timestamp,
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

/** The caller's own books (Limits: fees are deducted from the wallet balance). */
export const ledger = HttpApiGroup.make("ledger")
  .add(
    HttpApiEndpoint.get("balance", "/v1/balance", {
      disableCodecs: true,
      success: Balance,
      error: refusals(ANY, KEYED),
    }).annotate(OpenApi.Summary, "Get the balance"),
    HttpApiEndpoint.get("entries", "/v1/ledger/entries", {
      disableCodecs: true,
      query: ListEntriesQuery.fields,
      success: page(LedgerEntry),
      error: refusals(ANY, KEYED),
    }).annotate(OpenApi.Summary, "List the rows of the ledger, newest first"),
  )
  .middleware(AccountKey)
  .annotate(OpenApi.Title, "Ledger")
