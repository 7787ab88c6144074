import { Clock, Effect } from "effect"
import type { Discrepancy } from "../gateway/Discrepancy.ts"
import type { ChannelRefusal, Channels, StatementLine } from "../ports/Channels.ts"
import { Ids } from "../ports/Ids.ts"
import { Installation } from "../ports/Installation.ts"
import { type Conflict, Store, type StoreUnavailable, type Write } from "../ports/Store.ts"
import type { CurrencyTable } from "../shared/Currency.ts"
import { writtenIn } from "../shared/Money.ts"
import { DAY, type Timestamp, utcDay } from "../shared/Timestamp.ts"
import { type Books, isInFlight, readBooks } from "./readBooks.ts"
import { holdRun, type Renew } from "./holdRun.ts"
import { openRun } from "./openRuns.ts"
import { readStatement } from "./readStatement.ts"
import { type BookedLine, daysOf, type Finding, findingsOf } from "./Reconciliation.ts"
import {
  compared,
  nextDay,
  type ReconciliationRun,
  refused,
  type RunResult,
  startOf,
} from "./ReconciliationRun.ts"

/**
 * The most findings and unknown lines that are stored, so that a wrong statement cannot fill the
 * store.
 */
const MOST_STORED = 500
const MOST_UNKNOWN = 100

type Lines = ReadonlyArray<StatementLine>

/** Returns the days in whose statements a row may have its line, up to today. */
const daysUpTo = (now: Timestamp, booked: BookedLine): ReadonlyArray<string> => {
  const [first, last] = daysOf(booked)
  const days: Array<string> = []
  for (let day = first; day <= last && day <= utcDay(now); day = nextDay(day)) days.push(day)
  return days
}

/**
 * Reads the lines of these rows' payments from the statements of other days: a channel dates its
 * lines by its own clock, and its answer may have reached us days later.
 */
const linesElsewhere = Effect.fnUntraced(function* (
  run: ReconciliationRun,
  booked: ReadonlyArray<BookedLine>,
  now: Timestamp,
  renew: Renew,
): Effect.fn.Return<
  ReadonlyMap<string, Lines>,
  ChannelRefusal | Conflict | StoreUnavailable,
  Channels | Store
> {
  const reach = booked.map((row) => daysUpTo(now, row)).filter((days) => days.includes(run.day))
  const wanted = new Set(booked.map(({ payment_intent }) => payment_intent))
  const isWanted = ({ out_trade_no }: StatementLine) => wanted.has(out_trade_no)
  const found = new Map<string, Lines>()
  for (const day of new Set(reach.flat())) {
    if (day === run.day) continue
    found.set(day, yield* readStatement(run.channel, day, renew, isWanted))
    yield* renew
  }
  return found
})

/**
 * Compares the day by itself, and what does not agree together with the days around it: whether a
 * row of another day has its line there, only the statement of that day tells.
 */
const findingsOfDay = Effect.fnUntraced(function* (
  run: ReconciliationRun,
  lines: Lines,
  { booked }: Books,
  now: Timestamp,
  renew: Renew,
) {
  const ofDay = booked.filter(({ at }) => utcDay(at) === run.day)
  const apart = new Set(findingsOf(ofDay, new Map([[run.day, lines]])).map(paymentOf))
  const rows = booked.filter(({ payment_intent }) => apart.has(payment_intent))
  const own = lines.filter(({ out_trade_no }) => apart.has(out_trade_no))
  const others = yield* linesElsewhere(run, rows, now, renew)
  return findingsOf(rows, new Map([...others, [run.day, own]])).filter(({ day }) => day === run.day)
})

/** Returns the time of a line in its statement's day, whatever date the channel has given it. */
const withinDay = (day: string, at: Timestamp): Timestamp =>
  Math.min(Math.max(at, startOf(day)), startOf(day) + DAY - 1)

/** Returns the findings of the day, without those in flight. */
const disagreements = Effect.fnUntraced(function* (
  run: ReconciliationRun,
  lines: Lines,
  books: Books,
  now: Timestamp,
  renew: Renew,
) {
  const all = yield* findingsOfDay(run, lines, books, now, renew)
  return yield* Effect.filter(
    all.filter((found) => !books.closed.has(paymentOf(found))),
    (found) =>
      found.kind === "missing_at_service"
        ? isInFlight(found.line, withinDay(run.day, found.line.at), books, now).pipe(
            Effect.tap(renew),
            Effect.map((flying) => !flying),
          )
        : Effect.succeed(true),
  )
})

const shown = (
  { amount, status }: Pick<BookedLine, "amount" | "status"> | StatementLine,
  kind: Finding["kind"],
  currencies: CurrencyTable,
): string => (kind === "status_mismatch" ? `${status}` : writtenIn(amount, currencies))

const paymentOf = (found: Finding): string =>
  found.kind === "missing_at_service" ? found.line.out_trade_no : found.booked.payment_intent

/** Returns the account of a finding; undefined for a trade that is no payment of the service. */
const ownerOf = (found: Finding, { known }: Books): string | undefined =>
  found.kind === "missing_at_service"
    ? known.get(found.line.out_trade_no)?.account_id
    : found.booked.account_id

const recordOf = (
  found: Finding,
  account_id: string,
  run: ReconciliationRun,
  { currencies, uuid }: { readonly currencies: CurrencyTable; readonly uuid: () => string },
): Discrepancy => {
  const line = found.kind === "missing_at_channel" ? undefined : found.line
  const booked = found.kind === "missing_at_service" ? undefined : found.booked
  return {
    id: `disc_${uuid()}`,
    version: 1,
    account_id,
    kind: found.kind,
    payment_intent: booked?.payment_intent ?? line?.out_trade_no ?? "",
    channel: run.channel,
    trade_no: line?.trade_no ?? "",
    expected: booked === undefined ? "" : shown(booked, found.kind, currencies),
    actual: line === undefined ? "" : shown(line, found.kind, currencies),
    run: run.id,
    created_at: withinDay(run.day, line?.at ?? booked?.at ?? startOf(run.day)),
  }
}

/** Stores the findings, in place of those of the run's previous comparison. */
const keep = Effect.fnUntraced(function* (
  run: ReconciliationRun,
  counts: Pick<RunResult, "lines" | "booked">,
  found: ReadonlyArray<Finding>,
  books: Books,
  now: Timestamp,
) {
  const store = yield* Store
  const { uuid } = yield* Ids
  const { currencies } = yield* Installation
  const owned = found.flatMap((finding) => {
    const account_id = ownerOf(finding, books)
    return account_id === undefined
      ? []
      : [recordOf(finding, account_id, run, { currencies, uuid })]
  })
  const unknown = found.flatMap((finding) =>
    finding.kind === "missing_at_service" && ownerOf(finding, books) === undefined
      ? [finding.line]
      : [],
  )
  const result: RunResult = {
    ...counts,
    discrepancies: owned.length,
    unstored: Math.max(owned.length - MOST_STORED, 0),
    unknown: unknown.length,
    unknown_lines: unknown.slice(0, MOST_UNKNOWN),
  }
  const before = yield* store.listDiscrepancies({ run: run.id, limit: MOST_STORED })
  const writes: ReadonlyArray<Write> = [
    { op: "replace", kind: "reconciliation_run", record: compared(run, result, now) },
    ...before.map((record): Write => ({ op: "remove", kind: "discrepancy", record })),
    ...owned
      .slice(0, MOST_STORED)
      .map((record): Write => ({ op: "insert", kind: "discrepancy", record })),
  ]
  yield* store.commit({ writes })
})

const compareDay = Effect.fnUntraced(function* (
  { held, renew }: Effect.Success<ReturnType<typeof holdRun>>,
  now: Timestamp,
) {
  const run = held()
  const from = startOf(run.day)
  const lines = yield* readStatement(run.channel, run.day, renew)
  const books = yield* readBooks(run.channel, { from, to: from + DAY }, lines, now, renew)
  const found = yield* disagreements(run, lines, books, now, renew)
  const booked = books.booked.filter(({ at }) => utcDay(at) === run.day).length
  yield* keep(held(), { lines: lines.length, booked }, found, books, now)
})

/**
 * Compares a channel's statement of a past day with the ledger and stores the differences
 * (Reconciliation). Repeats that on the following days, since lines can be late, and after growing
 * waits while the statement is unavailable. Opens the run of the next day first, whatever the
 * result. Of concurrent workers, the second fails with `Conflict`; a worker renews its hold while
 * it reads, so that no other begins.
 */
export const reconcileDay = Effect.fn("reconcileDay")(function* (run: ReconciliationRun) {
  const now = yield* Clock.currentTimeMillis
  if (run.due_at === null || now < run.due_at) return
  yield* openRun(run.channel, nextDay(run.day))
  const holding = yield* holdRun(run)
  yield* compareDay(holding, now).pipe(
    Effect.catchTag("ChannelRefusal", ({ message, reason }) =>
      Effect.gen(function* () {
        const record = refused(holding.held(), `${reason}: ${message}`, now)
        yield* (yield* Store).commit({
          writes: [{ op: "replace", kind: "reconciliation_run", record }],
        })
      }),
    ),
  )
})
