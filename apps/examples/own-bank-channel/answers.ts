import type { ChargeAnswered, RequestAnswered, StatementAnswered } from "payport/channels"
import type { Done, Order } from "./protocol.ts"

const STATUS = { open: "unpaid", held: "held", taken: "paid", over: "closed" } as const
const dollars = (value: number) => ({ currency: "USD", value })
const tradeOf = (order: string) => `bank-${order}`

export const outcomeOf = ({ at, ok, order }: Done): RequestAnswered =>
  ok ? { status: "done", trade_no: tradeOf(order), at } : { status: "refused", reason: "Not now." }

export const chargeOf = ({ back, cents, id, state }: Order): ChargeAnswered => {
  const known = { amount: dollars(cents), refunded: back, trade_no: tradeOf(id) }
  const status = STATUS[state]
  return status === "closed" ? { ...known, status, reason: "CLOSED" } : { ...known, status }
}

export const lineOf = ({ at, cents, number, op, order }: Done): StatementAnswered["lines"][0] => ({
  kind: op === "refund" ? "refund" : "payment",
  out_trade_no: order,
  trade_no: tradeOf(order),
  number,
  amount: dollars(cents),
  status: "settled",
  at,
})
