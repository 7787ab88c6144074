import type { ClosedBy, StatementLine, Trade } from "../../../core/ports/Channels.ts"
import type { ChannelFaults } from "../../../core/ports/Sandbox.ts"
import { toIso } from "../../../core/shared/Timestamp.ts"
import type { Charge, Effected } from "./Charge.ts"
import { takenOf } from "./ChargeCapture.ts"

const closed = (charge: Charge, reason: ClosedBy): Trade => {
  const { out_trade_no, refunded, trade_no } = charge
  const amount = takenOf(charge)
  return { out_trade_no, amount, refunded, status: "closed", trade_no, reason }
}

/** Returns the charge as the channel's answer to a query. */
export const tradeOf = (charge: Charge): Trade => {
  const { out_trade_no, payer_id, refunded, trade_no, wallet_id } = charge
  const amount = takenOf(charge)
  const known = { out_trade_no, trade_no, amount, refunded, payer: { payer_id, wallet_id } }
  switch (charge.state) {
    case "open":
    case "scanned":
      return { out_trade_no, trade_no, amount, refunded, status: "unpaid" }
    case "authorized":
      return { ...known, status: "held" }
    case "captured":
      return { ...known, status: "paid" }
    case "settled":
      return { ...known, status: "settled" }
    case "failed":
      return closed(charge, "SETTLEMENT_FAILED")
    case "rejected":
      return closed(charge, "REJECTED")
    case "closed":
    case "released":
      return closed(charge, "CLOSED")
  }
}

/** Returns the state of the paid money. */
const statusOf = (charge: Charge): StatementLine["status"] =>
  charge.state === "failed" ? "failed" : charge.state === "captured" ? "pending" : "settled"

const isMoney = ([, { action, refused }]: readonly [string, Effected]): boolean =>
  refused === null && (action === "capture" || action === "debit" || action === "refund")

/** Returns every statement line of the charge. */
const linesOf = (charge: Charge): ReadonlyArray<StatementLine> => {
  const { out_trade_no, trade_no } = charge
  const amount = takenOf(charge)
  const payment = { kind: "payment", out_trade_no, trade_no, amount } as const
  const called = Object.entries(charge.effects)
    .filter(isMoney)
    .map(([number, { action, at, confirms_at, value = amount.value }]): StatementLine =>
      action !== "refund"
        ? { ...payment, number, status: statusOf(charge), at }
        : {
            ...payment,
            kind: "refund",
            number,
            amount: { ...amount, value },
            status: confirms_at === undefined ? "settled" : "pending",
            at,
          },
    )
  const { paid_at: at } = charge
  return at === undefined || called.some(({ kind }) => kind === "payment")
    ? called
    : [{ ...payment, number: null, status: statusOf(charge), at }, ...called]
}

/** Returns the charge's lines of a UTC day. */
export const linesOfDay = (charge: Charge, day: string): ReadonlyArray<StatementLine> =>
  linesOf(charge).filter(({ at }) => toIso(at).startsWith(day))

/** Applies faults to the lines: every second one, from the first, is missing or off by one unit. */
export const withStatementFaults = (
  lines: ReadonlyArray<StatementLine>,
  { statement_changes, statement_drops }: ChannelFaults,
): ReadonlyArray<StatementLine> =>
  lines.flatMap((line, index) => {
    if (index % 2 === 1) return [line]
    if (statement_drops) return []
    return statement_changes
      ? [{ ...line, amount: { ...line.amount, value: line.amount.value + 1 } }]
      : [line]
  })
