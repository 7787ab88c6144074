import type { LedgerEntry } from "../../../../adapters/http/client/Resources.ts"
import { api } from "../data/api.ts"
import { useAsked, useListed } from "../data/hooks.ts"
import { Empty, Head, Loading, Part, Problem } from "../parts/basics.tsx"
import { type Column, List } from "../parts/List.tsx"
import { major, money } from "../show/money.ts"
import { brief, full, sentence } from "../show/words.ts"
import { timeColumn } from "../show/columns.tsx"

const COLUMNS: ReadonlyArray<Column<LedgerEntry>> = [
  {
    name: "Booked",
    width: "minmax(130px, 1.2fr)",
    place: "start",
    show: ({ kind }) => <span class="clip">{sentence(kind)}</span>,
  },
  {
    name: "Account",
    width: "minmax(130px, 1.2fr)",
    place: "below",
    show: ({ account }) => <span class="clip soft">{sentence(account)}</span>,
  },
  {
    name: "Payment",
    width: "108px",
    isRare: true,
    show: ({ payment_intent }) =>
      payment_intent === null ? "–" : <code class="soft">{brief(payment_intent)}</code>,
  },
  {
    name: "Amount",
    width: "minmax(120px, 1fr)",
    place: "end",
    align: "right",
    show: ({ amount }) => <span class="figure">{money(amount)}</span>,
  },
  timeColumn("At", ({ created_at }) => created_at),
]

const Tiles = () => {
  const { again, error, value } = useAsked(() => api.ledger.balance(), "")
  if (value === undefined) {
    return error === undefined ? <Loading rows={2} /> : <Problem text={error} again={again} />
  }
  if (value.balances.length === 0) {
    return (
      <Empty title="Nothing has been booked yet" isWhole>
        What is captured, settled, charged and refunded stands here, in each currency.
      </Empty>
    )
  }
  return (
    <div class="tiles">
      {value.balances.map((line) => (
        <Part key={line.currency} title={line.currency} text={`as of ${full(value.as_of)}`}>
          <p class="tile-figure figure">{major(line.available, line.currency)}</p>
          <p class="soft small">
            {[
              ["pending", line.pending],
              ["fees due", line.fees_due],
              ["refunds under way", line.refunds_pending],
              ["on its way back", line.returning],
            ]
              .filter(([, amount]) => amount !== 0)
              .map(([name, amount]) => `${major(Number(amount), line.currency)} ${name}`)
              .join(" · ") || "nothing pending"}
          </p>
        </Part>
      ))}
    </div>
  )
}

/** The account's balance, and every row of its books. */
export const Balance = () => {
  const list = useListed<LedgerEntry>((page) => api.ledger.entries(page), "")
  return (
    <>
      <Head title="Balance" text="Double-entry books: a debit is positive, a credit negative." />
      <Tiles />
      <List
        label="Ledger"
        list={list}
        columns={COLUMNS}
        to={({ payment_intent }) =>
          payment_intent === null ? "/balance" : `/payments/${payment_intent}`
        }
        empty="Captures, settlements, fees and refunds are booked here."
      />
    </>
  )
}
