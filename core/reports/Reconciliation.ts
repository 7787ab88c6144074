import type { StatementLine } from "../gateway/StatementLine.ts"
import { equals, type Money } from "../shared/Money.ts"
import type { Timestamp } from "../shared/Timestamp.ts"

/** Money that a channel has taken or given back according to our ledger. */
export interface BookedLine {
  readonly kind: StatementLine["kind"]
  readonly payment_intent: string
  readonly account_id: string
  /** The number of our refund request; null for payments. */
  readonly number: string | null
  readonly amount: Money
  /**
   * The outcome. `moving`: the channel may know the outcome before we do. null: the outcome is not
   * compared, such as that of late money that went back.
   */
  readonly status: StatementLine["status"] | "moving" | null
  readonly at: Timestamp
  /** The earliest time at which the channel can have moved it. */
  readonly since: Timestamp
}

/** A difference between the ledger and a statement. It has our line, the channel's, or both. */
export type Finding =
  | { readonly kind: "missing_at_channel"; readonly booked: BookedLine }
  | { readonly kind: "missing_at_service"; readonly line: StatementLine }
  | {
      readonly kind: "amount_mismatch" | "status_mismatch"
      readonly booked: BookedLine
      readonly line: StatementLine
    }

type Pair = readonly [booked: BookedLine, line: StatementLine]

/** Names a refund by its number, and a payment by our number of the trade. */
const nameOf = (kind: StatementLine["kind"], intent: string, number: string | null): string =>
  kind === "payment" ? `payment ${intent}` : `refund ${intent} ${number ?? ""}`

const grouped = <A>(all: ReadonlyArray<A>, name: (a: A) => string): Map<string, Array<A>> => {
  const groups = new Map<string, Array<A>>()
  for (const one of all) {
    const group = groups.get(name(one))
    if (group === undefined) groups.set(name(one), [one])
    else group.push(one)
  }
  return groups
}

const isAgreed = ({ status }: BookedLine, line: StatementLine): boolean =>
  status === null || status === "moving" || status === line.status

const compare = ([booked, line]: Pair): ReadonlyArray<Finding> => {
  if (!equals(booked.amount, line.amount)) return [{ kind: "amount_mismatch", booked, line }]
  return isAgreed(booked, line) ? [] : [{ kind: "status_mismatch", booked, line }]
}

/** Pairs the lines of one name: first those of equal amounts, then the others in their order. */
const matched = (booked: ReadonlyArray<BookedLine>, lines: ReadonlyArray<StatementLine>) => {
  const left = [...lines]
  const pairs: Array<Pair> = []
  const take = (ours: BookedLine, fits: (line: StatementLine) => boolean): boolean => {
    const index = left.findIndex(fits)
    const line = left[index]
    if (line === undefined) return false
    left.splice(index, 1)
    pairs.push([ours, line])
    return true
  }
  const others = booked.filter((ours) => !take(ours, ({ amount }) => equals(amount, ours.amount)))
  const missing = others.filter((ours) => !take(ours, () => true))
  return { pairs, missing, unbooked: left }
}

/**
 * Returns the differences between our books and a channel's statement: missing lines, different
 * amounts and different outcomes. A pair gives at most one finding, and a different amount comes
 * first. The lines need no order.
 */
export const findingsOf = (
  booked: ReadonlyArray<BookedLine>,
  lines: ReadonlyArray<StatementLine>,
): ReadonlyArray<Finding> => {
  const ours = grouped(booked, (line) => nameOf(line.kind, line.payment_intent, line.number))
  const theirs = grouped(lines, (line) => nameOf(line.kind, line.out_trade_no, line.number))
  return [...new Set([...ours.keys(), ...theirs.keys()])].flatMap((name) => {
    const { missing, pairs, unbooked } = matched(ours.get(name) ?? [], theirs.get(name) ?? [])
    return [
      ...pairs.flatMap(compare),
      ...missing.map((line): Finding => ({ kind: "missing_at_channel", booked: line })),
      ...unbooked.map((line): Finding => ({ kind: "missing_at_service", line })),
    ]
  })
}
