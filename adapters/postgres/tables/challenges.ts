import type { Challenge } from "../../../core/challenges/Challenge.ts"
import { id, integer, makeTable, minorUnits, nullable, text, timestamp, uuid } from "./Table.ts"

type Flat = Omit<Challenge, "amount" | "payment_intent"> & {
  readonly amount_currency: string
  readonly amount_value: number
}

/** A challenge has the UUID of its payment, which is therefore kept once. */
export const challenges = makeTable<"challenge", Flat>({
  kind: "challenge",
  name: "challenges",
  prefix: "chl",
  due: true,
  columns: {
    id: id("chl"),
    version: integer,
    account_id: id("acct"),
    service_id: uuid,
    amount_currency: text,
    amount_value: minorUnits,
    resource: text,
    token_hash: text,
    valid_seconds: nullable(integer),
    redeemed_at: nullable(timestamp),
    created_at: timestamp,
    expires_at: timestamp,
    due_at: nullable(timestamp),
  },
  flatten: ({ amount: { currency, value }, payment_intent: _, ...rest }) => ({
    ...rest,
    amount_currency: currency,
    amount_value: value,
  }),
  restore: ({ amount_currency, amount_value, ...rest }) => ({
    ...rest,
    payment_intent: `pi_${rest.id.slice(4)}`,
    amount: { currency: amount_currency, value: amount_value },
  }),
})
