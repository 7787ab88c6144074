import { money } from "./money.ts"
import { brief, short } from "./words.ts"
import { Badge } from "../parts/basics.tsx"
import type { Column } from "../parts/List.tsx"

/** The amount of a row. */
export const AMOUNT: Column<{ readonly amount: Parameters<typeof money>[0] }> = {
  name: "Amount",
  width: "132px",
  place: "start",
  align: "right",
  show: ({ amount }) => <strong class="figure">{money(amount)}</strong>,
}

/** The state of a row. */
export const STATE: Column<{ readonly status: string }> = {
  name: "State",
  width: "112px",
  place: "end",
  show: ({ status }) => <Badge status={status} />,
}

/** The payment of a row. */
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

/** When a row was created. */
export const CREATED = timeColumn<{ readonly created_at: string }>(
  "Created",
  ({ created_at }) => created_at,
)
