import { useState } from "preact/hooks"
import type { IntentsListQuery, PaymentIntent } from "../../../../adapters/http/client/Resources.ts"
import { api } from "../data/api.ts"
import { useFound } from "../data/found.ts"
import { type PageOf, useListed } from "../data/hooks.ts"
import { go, usePlace } from "../data/router.tsx"
import { Head } from "../parts/basics.tsx"
import { type Column, List } from "../parts/List.tsx"
import { money } from "../show/money.ts"
import { brief, count, everyOne } from "../show/words.ts"
import { AMOUNT, CREATED, STATE } from "../show/columns.tsx"
import { Refresh, States } from "../parts/filters.tsx"

type Status = NonNullable<IntentsListQuery["status"]>

const STATUSES = everyOne<Status>({
  pending: true,
  qr_generated: true,
  scanning: true,
  authorized: true,
  captured: true,
  succeeded: true,
  completed: true,
  failed: true,
  expired: true,
  cancelled: true,
  voided: true,
})

const COLUMNS: ReadonlyArray<Column<PaymentIntent>> = [
  AMOUNT,
  STATE,
  {
    name: "Description",
    width: "minmax(160px, 2.4fr)",
    place: "below",
    show: ({ description }) => <span class="clip">{description}</span>,
  },
  {
    name: "Payer",
    width: "minmax(90px, 1fr)",
    isRare: true,
    show: ({ payer }) => <span class="clip soft">{payer.agent_id ?? "anybody"}</span>,
  },
  {
    name: "Channel",
    isRare: true,
    width: "92px",
    show: ({ channel }) => <code>{channel ?? "–"}</code>,
  },
  {
    name: "Payment",
    isRare: true,
    width: "108px",
    show: ({ id }) => <code class="soft">{brief(id)}</code>,
  },
  CREATED,
]

/** Returns a payment's searchable text, in lower case. */
const textOf = ({ amount, channel, description, id, payer }: PaymentIntent): string =>
  [id, description, payer.agent_id, payer.human_id, channel, money(amount)].join(" ").toLowerCase()

/** The rows' texts, each made when its page arrives, so that a search only compares. */
const texts = new WeakMap<PaymentIntent, string>()

const remembered = (page: PageOf<PaymentIntent>): PageOf<PaymentIntent> => {
  for (const row of page.data) texts.set(row, textOf(row))
  return page
}

const has = (row: PaymentIntent, wanted: string): boolean =>
  texts.get(row)?.includes(wanted) ?? false

/** Every payment that the account takes part in, newest first. */
export const Payments = () => {
  const { query } = usePlace()
  const asked = query.get("status")
  const status = STATUSES.find((known) => known === asked)
  const [typed, setTyped] = useState("")
  const list = useListed<PaymentIntent>(
    (page) =>
      api.intents
        .list({
          ...(status !== undefined && { status }),
          ...page,
        })
        .then(remembered),
    status ?? "",
  )
  const rows = useFound(list.rows, typed.trim().toLowerCase(), has)
  const some = list.hasMore ? "loaded so far" : "in all"
  return (
    <>
      <Head title="Payments" text={`${count(list.rows.length, "payment")} ${some}`} />
      <List
        label="Payments"
        list={list}
        rows={rows}
        columns={COLUMNS}
        to={({ id }) => `/payments/${id}`}
        empty="No payment is like that. Payments appear here as soon as an agent asks for one."
      >
        <div class="filters">
          <input
            type="search"
            value={typed}
            placeholder="Search by id, description, payer, amount"
            aria-label="Search payments"
            onInput={(event) => setTyped(event.currentTarget.value)}
          />
          <States
            states={STATUSES}
            status={status}
            onStatus={(wanted) =>
              go(wanted === undefined ? "/payments" : `/payments?status=${wanted}`, "replace")
            }
          />
          <Refresh again={list.again} />
        </div>
      </List>
    </>
  )
}
