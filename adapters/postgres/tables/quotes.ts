import type { Quote } from "../../../core/quotes/Quote.ts"
import {
  id,
  integer,
  json,
  makeTable,
  minorUnits,
  nullable,
  text,
  timestamp,
  uuid,
} from "./Table.ts"

type Flat = Omit<Quote, "amount"> & {
  readonly amount_currency: string
  readonly amount_value: number
}

export const quotes = makeTable<"quote", Flat>({
  kind: "quote",
  name: "quotes",
  prefix: "fxq",
  due: true,
  columns: {
    id: id("fxq"),
    version: integer,
    account_id: id("acct"),
    service_id: nullable(uuid),
    amount_currency: text,
    amount_value: minorUnits,
    settlement_currency: text,
    routes: json(),
    payment_intent: nullable(id("pi")),
    created_at: timestamp,
    expires_at: timestamp,
    due_at: nullable(timestamp),
  },
  flatten: ({ amount: { currency, value }, ...rest }) => ({
    ...rest,
    amount_currency: currency,
    amount_value: value,
  }),
  restore: ({ amount_currency, amount_value, ...rest }) => ({
    ...rest,
    amount: { currency: amount_currency, value: amount_value },
  }),
})
