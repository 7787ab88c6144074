import { money } from "./money.ts"
import { brief, short } from "./words.ts"
import { Badge } from "../parts/basics.tsx"
import type { Column } from "../parts/List.tsx"

/** What a row is about in money. */
export const AMOUNT: Column<{ readonly amount: Parameters<typeof money>[0] }> = {
  name: "Amount",
  width: "132px",
  place: "start",
  align: "right",
  show: ({ amount }) => <strong class="figure">{money(amount)}</strong>,
}

/** The state that a row is in. */
export const STATE: Column<{ readonly status: string }> = {
  name: "State",
  width: "112px",
  place: "end",
  show: ({ status }) => <Badge status={status} />,
}

/** The payment that a row belongs to. */
export const PAYMENT: Column<{ readonly payment_intent: string }> = {
  name: "Payment",
  width: "108px",
  isRare: true,
  show: ({ payment_intent }) => <code class="soft">{brief(payment_intent)}</code>,
}

/** A time of a row. */
export const timeColumn = <Row,>(
  name: string,
  timeOf: (row: Row) => string,
  width = "112px",
): Column<Row> => ({
  name,
  width,
  place: "under",
  align: "right",
  show: (row) => <time class="soft">{short(timeOf(row))}</time>,
})

/** When a row was made. */
export const CREATED = timeColumn<{ readonly created_at: string }>(
  "Created",
  ({ created_at }) => created_at,
)
