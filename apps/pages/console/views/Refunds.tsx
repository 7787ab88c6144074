import type { Refund } from "../../../../adapters/http/client/Resources.ts"
import { api } from "../data/api.ts"
import { useListed } from "../data/hooks.ts"
import { Head } from "../parts/basics.tsx"
import { type Column, List } from "../parts/List.tsx"
import { count } from "../show/words.ts"
import { AMOUNT, CREATED, PAYMENT, STATE } from "../show/columns.tsx"
import { Refresh } from "../parts/filters.tsx"

const revokedOf = ({ revocations }: Refund): string => {
  if (revocations.length === 0) return "–"
  const done = revocations.filter(({ status }) => status === "revoked" || status === "expired")
  return `${done.length} of ${revocations.length}`
}

const COLUMNS: ReadonlyArray<Column<Refund>> = [
  AMOUNT,
  STATE,
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
  PAYMENT,
  CREATED,
]

/** The account's refunds, newest first, with links to their payments. */
export const Refunds = () => {
  const list = useListed<Refund>((page) => api.refunds.list(page), "")
  return (
    <>
      <Head title="Refunds" text={count(list.rows.length, "refund")}>
        <Refresh again={list.again} />
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
