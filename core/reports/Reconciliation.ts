import type { StatementLine } from "../gateway/StatementLine.ts"
import { equals, type Money } from "../shared/Money.ts"
import type { Timestamp } from "../shared/Timestamp.ts"

/** Money that our ledger says a channel has taken or given back. */
export interface BookedLine {
  readonly kind: StatementLine["kind"]
  readonly payment_intent: string
  readonly account_id: string
  /** Of a refund: our request's number. */
  readonly number: string | null
  readonly amount: Money
  /**
   * What has become of it. `moving` is money whose end the channel may know before we do; null is
   * money whose end is not told, such as what came too late and went back.
   */
  readonly status: StatementLine["status"] | "moving" | null
  readonly at: Timestamp
  /** The channel cannot have moved it before. */
  readonly since: Timestamp
}

/** What two books do not agree in. Each names a line of ours, one of the channel's, or both. */
export type Finding =
  | { readonly kind: "missing_at_channel"; readonly booked: BookedLine }
  | { readonly kind: "missing_at_service"; readonly line: StatementLine }
  | {
      readonly kind: "amount_mismatch" | "status_mismatch"
      readonly booked: BookedLine
      readonly line: StatementLine
    }

type Pair = readonly [booked: BookedLine, line: StatementLine]

/** A refund is known by its number, a payment by ours for the trade. */
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

/** Lines of one name: those of one amount belong together first, the others in their order. */
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
 * What our books and a channel's statement do not agree in: what one of them lacks, what stands in
 * them with another amount, and what has another end. Two lines give one finding at most, and the
 * amount comes first. Neither needs an order.
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
