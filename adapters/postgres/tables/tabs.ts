import type { Closing, Tab } from "../../../core/invoices/Tab.ts"
import type { Interval } from "../../../core/shared/Period.ts"
import type { Timestamp } from "../../../core/shared/Timestamp.ts"
import { decimal, id, integer, makeTable, nullable, text, timestamp, uuid, word } from "./Table.ts"

type Flat = Omit<Tab, "payer" | "price" | "closing"> & {
  readonly payer_agent_id: string
  readonly payer_human_id: string | null
  readonly unit: string
  readonly rate: string
  readonly currency: string
  readonly billing_cycle: Interval
  readonly closing_number: number | null
  readonly closing_start: Timestamp | null
  readonly closing_end: Timestamp | null
}

const flatten = ({ closing, payer, price, ...tab }: Tab): Flat => ({
  ...tab,
  ...price,
  payer_agent_id: payer.agent_id,
  payer_human_id: payer.human_id,
  closing_number: closing?.number ?? null,
  closing_start: closing?.start ?? null,
  closing_end: closing?.end ?? null,
})

const restore = (flat: Flat): Tab => {
  const { closing_end: end, closing_number: number, closing_start: start, ...rest } = flat
  const { billing_cycle, currency, payer_agent_id, payer_human_id, rate, unit, ...tab } = rest
  const closing: Closing | null =
    number === null || start === null || end === null ? null : { number, start, end }
  return {
    ...tab,
    payer: { agent_id: payer_agent_id, human_id: payer_human_id },
    price: { unit, rate, currency, billing_cycle },
    closing,
  }
}

export const tabs = makeTable<"tab", Flat>({
  kind: "tab",
  name: "tabs",
  prefix: "tab",
  due: true,
  columns: {
    id: id("tab"),
    version: integer,
    status: word(),
    account_id: id("acct"),
    payee_account_id: id("acct"),
    service_id: uuid,
    payer_agent_id: text,
    payer_human_id: nullable(text),
    unit: text,
    rate: decimal,
    currency: text,
    billing_cycle: word(),
    anchor_at: timestamp,
    base: integer,
    period: integer,
    period_start: timestamp,
    period_end: timestamp,
    closing_number: nullable(integer),
    closing_start: nullable(timestamp),
    closing_end: nullable(timestamp),
    created_at: timestamp,
    due_at: nullable(timestamp),
  },
  flatten,
  restore,
})
