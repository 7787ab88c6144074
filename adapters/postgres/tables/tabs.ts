import type { Tab } from "../../../core/invoices/Tab.ts"
import { type Interval, INTERVALS } from "../../../core/shared/Period.ts"
import {
  text,
  integer,
  uuid,
  word,
  checked,
  decimal,
  timestamp,
  id,
  nullable,
  version,
  count,
  currency,
} from "./codecs.ts"
import { part, type Group } from "./Group.ts"
import { makeTable } from "./Table.ts"

const price: Group<Tab["price"]> = {
  parts: {
    unit: part(text, ({ unit }) => unit),
    rate: part(checked(decimal, "… >= 0"), ({ rate }) => rate),
    currency: part(currency, (given) => given.currency),
    billing_cycle: part(word(...INTERVALS), ({ billing_cycle }) => billing_cycle),
  },
  restore: (decoded) => ({
    unit: decoded["unit"] as string,
    rate: decoded["rate"] as string,
    currency: decoded["currency"] as string,
    billing_cycle: decoded["billing_cycle"] as Interval,
  }),
}

const closing: Group<Tab["closing"]> = {
  parts: {
    closing_number: part(nullable(integer), (period) => period?.number ?? null),
    closing_start: part(nullable(timestamp), (period) => period?.start ?? null),
    closing_end: part(nullable(timestamp), (period) => period?.end ?? null),
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

export const tabs = makeTable({
  kind: "tab",
  name: "tabs",
  fields: {
    id: id("tab"),
    version,
    status: word("open", "closed"),
    account_id: id("acct"),
    payee_account_id: id("acct"),
    service_id: uuid,
    agent_id: text,
    human_id: nullable(text),
    price,
    anchor_at: timestamp,
    base: count,
    period: integer,
    period_start: timestamp,
    period_end: timestamp,
    closing,
    created_at: timestamp,
    due_at: nullable(timestamp),
  },
  constraints: {
    tabs_period: "period >= base",
    tabs_closing: `(closing_number IS NULL) = (closing_start IS NULL)
      AND (closing_number IS NULL) = (closing_end IS NULL)`,
    tabs_due: "(due_at IS NULL) = (status = 'closed' AND closing_number IS NULL)",
  },
})
