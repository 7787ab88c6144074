import type { StatementLine } from "../gateway/StatementLine.ts"
import { equals, type Money } from "../shared/Money.ts"
import { DAY, HOUR, type Timestamp, utcDay } from "../shared/Timestamp.ts"

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

/**
 * A difference between the ledger and the statements. It has our line, the channel's, or both.
 * `day` is that of the statement which has the line, or should have it.
 */
export type Finding = { readonly day: string } & (
  | { readonly kind: "missing_at_channel"; readonly booked: BookedLine }
  | { readonly kind: "missing_at_service"; readonly line: StatementLine }
  | {
      readonly kind: "amount_mismatch" | "status_mismatch"
      readonly booked: BookedLine
      readonly line: StatementLine
    }
)

/** A line and the day of its statement, which need not be the day of its `at`. */
interface Listed {
  readonly day: string
  readonly line: StatementLine
}

type Pair = readonly [booked: BookedLine, listed: Listed]

/** The most that a channel's clock and ours may differ, in milliseconds. */
const CLOCKS_APART = HOUR

/** How far the days of a channel may be behind those of UTC, in milliseconds. */
const FARTHEST_WEST = 12 * HOUR

/** How many days back a channel may have dated a line. */
const MOST_DAYS_BACK = 31

/** Returns the first and the last day in whose statements a line may be. */
export const daysOf = ({ at, since }: BookedLine): readonly [first: string, last: string] => {
  const first = since - CLOCKS_APART - FARTHEST_WEST
  const last = at + DAY
  return [utcDay(Math.max(first, last - MOST_DAYS_BACK * DAY)), utcDay(last)]
}

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

const compare = ([booked, { day, line }]: Pair): ReadonlyArray<Finding> => {
  if (!equals(booked.amount, line.amount)) return [{ kind: "amount_mismatch", day, booked, line }]
  return isAgreed(booked, line) ? [] : [{ kind: "status_mismatch", day, booked, line }]
}

type Fits = (booked: BookedLine, listed: Listed) => boolean

const isEqual: Fits = ({ amount }, { line }) => equals(amount, line.amount)

const isOfDay: Fits = ({ at }, { day }) => utcDay(at) === day

const isNear: Fits = (booked, { day }) => {
  const [first, last] = daysOf(booked)
  return first <= day && day <= last
}

/**
 * What makes a pair, the strongest first. All runs that see a line must pair it alike: otherwise
 * two days would each count on the same row, and money taken twice would be in no finding.
 */
const REASONS: ReadonlyArray<Fits> = [
  (booked, listed) => isOfDay(booked, listed) && isEqual(booked, listed),
  (booked, listed) => isNear(booked, listed) && isEqual(booked, listed),
  isOfDay,
  isNear,
]

/** Pairs the lines of one name. The lines are in the order of their days. */
const matched = (booked: ReadonlyArray<BookedLine>, lines: ReadonlyArray<Listed>) => {
  // Of the rows that fit, a line gets the earliest: the others fit the lines of later days.
  const missing = booked.toSorted((a, b) => a.at - b.at)
  const pairs: Array<Pair> = []
  const isUnbooked = (listed: Listed, fits: Fits): boolean => {
    const index = missing.findIndex((ours) => fits(ours, listed))
    const ours = missing[index]
    if (ours === undefined) return true
    missing.splice(index, 1)
    pairs.push([ours, listed])
    return false
  }
  const unbooked = REASONS.reduce(
    (left, fits) => left.filter((listed) => isUnbooked(listed, fits)),
    lines,
  )
  return { pairs, missing, unbooked }
}

/**
 * Returns the differences between our books and a channel's statements, by their days: missing
 * lines, different amounts and different outcomes. A pair gives at most one finding, and a
 * different amount comes first. The lines need no order.
 */
export const findingsOf = (
  booked: ReadonlyArray<BookedLine>,
  statements: ReadonlyMap<string, ReadonlyArray<StatementLine>>,
): ReadonlyArray<Finding> => {
  const listed = [...statements.keys()]
    .toSorted()
    .flatMap((day) => (statements.get(day) ?? []).map((line): Listed => ({ day, line })))
  const ours = grouped(booked, (line) => nameOf(line.kind, line.payment_intent, line.number))
  const theirs = grouped(listed, ({ line }) => nameOf(line.kind, line.out_trade_no, line.number))
  return [...new Set([...ours.keys(), ...theirs.keys()])].flatMap((name) => {
    const { missing, pairs, unbooked } = matched(ours.get(name) ?? [], theirs.get(name) ?? [])
    return [
      ...pairs.flatMap(compare),
      ...missing.map((line): Finding => ({
        kind: "missing_at_channel",
        day: utcDay(line.at),
        booked: line,
      })),
      ...unbooked.map(({ day, line }): Finding => ({ kind: "missing_at_service", day, line })),
    ]
  })
}
