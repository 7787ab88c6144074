import type { Tab } from "../../../core/invoices/Tab.ts"
import type { CarriedAmount } from "../../../core/invoices/TabBill.ts"
import { INTERVALS } from "../../../core/shared/Period.ts"
import * as column from "./codecs.ts"
import { type Group, inColumns, part } from "./Group.ts"
import { makeTable } from "./Table.ts"

const price: Group<Tab["price"]> = inColumns({
  unit: ["unit", column.text],
  rate: ["rate", column.checked(column.decimal, "… >= 0")],
  currency: ["currency", column.currency],
  billing_cycle: ["billing_cycle", column.word(...INTERVALS)],
})

const closing: Group<Tab["closing"]> = {
  parts: {
    closing_number: part(column.nullable(column.integer), (period) => period?.number ?? null),
    closing_start: part(column.nullable(column.timestamp), (period) => period?.start ?? null),
    closing_end: part(column.nullable(column.timestamp), (period) => period?.end ?? null),
  },
  restore: ({ closing_end, closing_number, closing_start }) =>
    closing_number === null
      ? null
      : {
          number: closing_number as number,
          start: closing_start as number,
          end: closing_end as number,
        },
}

/** A tab is due while it is open or has a period to bill. */
export const TABS_DUE = `(due_at IS NULL) = (status = 'closed' AND closing_number IS NULL
  AND json_array_length(stopped) = 0)`

export const tabs = makeTable({
  kind: "tab",
  name: "tabs",
  fields: {
    status: column.word("open", "closed"),
    account_id: column.id("acct"),
    payee_account_id: column.id("acct"),
    service_id: column.uuid,
    agent_id: column.text,
    human_id: column.nullable(column.text),
    price,
    anchor_at: column.timestamp,
    base: column.count,
    period: column.integer,
    period_start: column.timestamp,
    period_end: column.timestamp,
    closing,
    stopped: column.jsonArray(),
    carried: column.sparseArray<CarriedAmount>(),
    created_at: column.timestamp,
    due_at: column.nullable(column.timestamp),
  },
  constraints: {
    tabs_period: "period >= base",
    tabs_closing: `(closing_number IS NULL) = (closing_start IS NULL)
      AND (closing_number IS NULL) = (closing_end IS NULL)`,
    tabs_due: TABS_DUE,
  },
})
