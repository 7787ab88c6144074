import type { Refund } from "../../../../adapters/http/client/Resources.ts"
import { api } from "../data/api.ts"
import { useListed } from "../data/hooks.ts"
import { Badge, Head } from "../parts/basics.tsx"
import { type Column, List } from "../parts/List.tsx"
import { money } from "../show/money.ts"
import { brief, count, short } from "../show/words.ts"

const revokedOf = ({ revocations }: Refund): string => {
  if (revocations.length === 0) return "–"
  const done = revocations.filter(({ status }) => status === "revoked" || status === "expired")
  return `${done.length} of ${revocations.length}`
}

const COLUMNS: ReadonlyArray<Column<Refund>> = [
  {
    name: "Amount",
    width: "132px",
    place: "start",
    align: "right",
    show: ({ amount }) => <strong class="figure">{money(amount)}</strong>,
  },
  { name: "State", width: "112px", place: "end", show: ({ status }) => <Badge status={status} /> },
  {
    name: "Reason",
    width: "minmax(140px, 2fr)",
    place: "below",
    show: ({ channel_reason, reason }) => (
      <span class="clip">{channel_reason ?? reason ?? <span class="soft">none given</span>}</span>
    ),
  },
  { name: "Access taken back", width: "128px", isRare: true, show: revokedOf },
  { name: "Channel", width: "92px", isRare: true, show: ({ channel }) => <code>{channel}</code> },
  {
    name: "Payment",
    width: "108px",
    isRare: true,
    show: ({ payment_intent }) => <code class="soft">{brief(payment_intent)}</code>,
  },
  {
    name: "Created",
    width: "112px",
    place: "under",
    align: "right",
    show: ({ created_at }) => <time class="soft">{short(created_at)}</time>,
  },
]

/** What the account has given back, newest first. Each leads to its payment. */
export const Refunds = () => {
  const list = useListed<Refund>(
    (starting_after) =>
      api.refunds.list({ limit: 100, ...(starting_after !== undefined && { starting_after }) }),
    "",
  )
  return (
    <>
      <Head title="Refunds" text={count(list.rows.length, "refund")}>
        <button type="button" class="act" onClick={list.again}>
          Refresh
        </button>
      </Head>
      <List
        label="Refunds"
        list={list}
        columns={COLUMNS}
        to={({ payment_intent }) => `/payments/${payment_intent}`}
        empty="A refund is made on the page of its payment."
      />
    </>
  )
}
