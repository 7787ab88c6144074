import { Clock, Effect } from "effect"
import type { Discrepancy } from "../gateway/Discrepancy.ts"
import type { ChannelRefusal, Channels, StatementLine } from "../ports/Channels.ts"
import { Ids } from "../ports/Ids.ts"
import { type Conflict, Store, type StoreUnavailable, type Write } from "../ports/Store.ts"
import { DAY, HOUR, type Timestamp, utcDay } from "../shared/Timestamp.ts"
import { type Books, isInFlight, readBooks } from "./readBooks.ts"
import { holdRun, type Renew } from "./holdRun.ts"
import { openRun } from "./openRuns.ts"
import { readStatement } from "./readStatement.ts"
import { type BookedLine, type Finding, findingsOf } from "./Reconciliation.ts"
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

/** How many days back a line is searched that the channel may have dated earlier. */
const MOST_DAYS_BACK = 31

type Lines = ReadonlyArray<StatementLine>

/** The most that a channel's clock and ours may differ, in milliseconds. */
const CLOCKS_APART = HOUR

/** Returns the days in whose statements a line may be. */
const daysOf = ({ at, since }: BookedLine, now: Timestamp): ReadonlyArray<string> => {
  const last = Math.min(at + DAY, now)
  const first = Math.max(since - CLOCKS_APART, last - MOST_DAYS_BACK * DAY)
  const days: Array<string> = []
  for (let day = utcDay(first); day <= utcDay(last); day = nextDay(day)) days.push(day)
  return days
}

/**
 * Reads lines that the day's statement lacks from statements of other days: a channel dates its
 * lines by its own clock, and its answer may have reached us days later.
 */
const linesElsewhere = Effect.fnUntraced(function* (
  run: ReconciliationRun,
  findings: ReadonlyArray<Finding>,
  now: Timestamp,
  renew: Renew,
): Effect.fn.Return<Lines, ChannelRefusal | Conflict | StoreUnavailable, Channels | Store> {
  const missing = findings.flatMap((found) =>
    found.kind === "missing_at_channel" && utcDay(found.booked.at) === run.day
      ? [found.booked]
      : [],
  )
  const days = new Set(missing.flatMap((booked) => daysOf(booked, now)))
  days.delete(run.day)
  const wanted = new Set(missing.map(({ payment_intent }) => payment_intent))
  const isWanted = ({ out_trade_no }: StatementLine) => wanted.has(out_trade_no)
  const found = yield* Effect.forEach(days, (day) =>
    Effect.tap(readStatement(run.channel, day, renew, isWanted), renew),
  )
  return found.flat()
})

const dayOf = (found: Finding): string =>
  utcDay(found.kind === "missing_at_channel" ? found.booked.at : found.line.at)

/** Returns the findings of the day, without those in flight. */
const disagreements = Effect.fnUntraced(function* (
  run: ReconciliationRun,
  lines: Lines,
  books: Books,
  now: Timestamp,
  renew: Renew,
) {
  const { booked } = books
  const first = findingsOf(booked, lines)
  const more = yield* linesElsewhere(run, first, now, renew)
  const all = more.length === 0 ? first : findingsOf(booked, [...lines, ...more])
  return yield* Effect.filter(
    all.filter((found) => dayOf(found) === run.day && !books.closed.has(paymentOf(found))),
    (found) =>
      found.kind === "missing_at_service"
        ? Effect.map(Effect.tap(isInFlight(found.line, books, now), renew), (flying) => !flying)
        : Effect.succeed(true),
  )
})

const shown = (
  { amount: { currency, value }, status }: Pick<BookedLine, "amount" | "status"> | StatementLine,
  kind: Finding["kind"],
): string => (kind === "status_mismatch" ? `${status}` : `${value} ${currency}`)

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
  uuid: () => string,
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
    expected: booked === undefined ? "" : shown(booked, found.kind),
    actual: line === undefined ? "" : shown(line, found.kind),
    run: run.id,
    created_at: line?.at ?? booked?.at ?? startOf(run.day),
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
  const owned = found.flatMap((finding) => {
    const account_id = ownerOf(finding, books)
    return account_id === undefined ? [] : [recordOf(finding, account_id, run, uuid)]
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
