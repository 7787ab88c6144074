import type { ChannelRequest, ChannelRequestCommon } from "../../../core/gateway/ChannelRequest.ts"
import type { Timestamp } from "../../../core/shared/Timestamp.ts"
import { id, integer, makeTable, minorUnits, nullable, text, timestamp, word } from "./Table.ts"

/** Every fact is a column, empty in the states that do not have it. */
type Flat = Omit<ChannelRequestCommon, "amount"> & {
  readonly status: ChannelRequest["status"]
  readonly failure: string | null
  readonly due_at: Timestamp | null
  readonly amount_currency: string
  readonly amount_value: number
}

export const channelRequests = makeTable<"channel_request", Flat>({
  kind: "channel_request",
  name: "channel_requests",
  prefix: "creq",
  due: true,
  columns: {
    id: id("creq"),
    version: integer,
    payment_intent: id("pi"),
    account_id: id("acct"),
    channel: text,
    action: word(),
    charge_id: text,
    trade_no: nullable(text),
    amount_currency: text,
    amount_value: minorUnits,
    refund: nullable(id("ref")),
    mandate: nullable(id("mnd")),
    status: word(),
    attempts: integer,
    failure: nullable(text),
    created_at: timestamp,
    due_at: nullable(timestamp),
  },
  flatten: ({ amount, ...request }) => ({
    failure: null,
    due_at: null,
    ...request,
    amount_currency: amount.currency,
    amount_value: amount.value,
  }),
  restore: ({ amount_currency, amount_value, due_at, failure, ...common }) =>
    ({
      ...common,
      amount: { currency: amount_currency, value: amount_value },
      ...(failure !== null && { failure }),
      ...(due_at !== null && { due_at }),
    }) as ChannelRequest,
})
