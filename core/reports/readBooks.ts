import { Effect } from "effect"
import type { Posting } from "../ledger/Posting.ts"
import { askAt, type PaymentIntent } from "../payments/PaymentIntent.ts"
import type { StatementLine } from "../ports/Channels.ts"
import { Store } from "../ports/Store.ts"
import type { Refund } from "../refunds/Refund.ts"
import { isId } from "../shared/Id.ts"
import { DAY, type Timestamp } from "../shared/Timestamp.ts"
import type { Renew } from "./holdRun.ts"
import type { BookedLine } from "./Reconciliation.ts"

/** How many payments, and how many rows of a day, are read at a time. */
const BATCH = 500
const PAGE = 5_000

/** How long something that only the channel knows is in flight; after that it is a discrepancy. */
const GRACE = DAY

/** The facts of a payment that a comparison keeps. A day has very many payments. */
interface Known {
  readonly account_id: string
  /** Whether its channel is being asked about it or is capturing it. */
  readonly isOpen: boolean
}

/** Our records of the payments of a day and of a statement. */
export interface Books {
  readonly booked: ReadonlyArray<BookedLine>
  /** By payment id. */
  readonly known: ReadonlyMap<string, Known>
  /** Payments whose payee has closed its books since. */
  readonly closed: ReadonlySet<string>
}

const statusOf = (intent: PaymentIntent | undefined, now: Timestamp): BookedLine["status"] => {
  switch (intent?.status) {
    case "captured":
      return now < intent.captured_at + GRACE ? "moving" : "pending"
    case "succeeded":
    case "completed":
      return "settled"
    case "failed":
      return "failed"
    default:
      return null
  }
}

const KINDS: { readonly [K in Posting["kind"]]?: BookedLine["kind"] } = {
  captured: "payment",
  late_payment: "payment",
  refund_succeeded: "refund",
  late_payment_returned: "refund",
}

interface Batch {
  readonly intents: ReadonlyMap<string, PaymentIntent>
  readonly refunds: ReadonlyMap<string, Refund>
}

/** Returns the request number of a refund's row, and since when the channel has had the request. */
const requestOf = ({ created_at, refund }: Posting, { refunds }: Batch) => {
  if (refund === null) return { number: null, since: created_at }
  if (!isId("ref", refund)) return { number: refund, since: created_at - DAY }
  const found = refunds.get(refund)
  return { number: found?.channel_request ?? null, since: found?.created_at ?? created_at }
}

const bookedOf = (row: Posting, batch: Batch, now: Timestamp): ReadonlyArray<BookedLine> => {
  const kind = KINDS[row.kind]
  if (kind === undefined || row.payment_intent === null) return []
  const intent = batch.intents.get(row.payment_intent)
  const refund = kind === "refund"
  const asked = refund ? requestOf(row, batch) : undefined
  return [
    {
      kind,
      payment_intent: row.payment_intent,
      account_id: row.account_id,
      number: asked?.number ?? null,
      amount: { currency: row.currency, value: Math.abs(row.amount) },
      status: refund ? "settled" : row.kind === "captured" ? statusOf(intent, now) : null,
      at: row.created_at,
      since: asked?.since ?? intent?.created_at ?? row.created_at,
    },
  ]
}

const inBatches = <A>(all: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> =>
  Array.from({ length: Math.ceil(all.length / BATCH) }, (_, n) =>
    all.slice(n * BATCH, (n + 1) * BATCH),
  )

const byId = <A extends { readonly id: string }>(all: ReadonlyArray<A>): ReadonlyMap<string, A> =>
  new Map(all.map((one) => [one.id, one]))

/** The period of a channel's day. */
interface Period {
  readonly from: Timestamp
  readonly to: Timestamp
}

/** Returns the payments whose money moved in a period. */
const movedIn = Effect.fnUntraced(function* (channel: string, period: Period, renew: Renew) {
  const store = yield* Store
  const ids = new Set<string>()
  let after: Posting | undefined
  for (;;) {
    const position = after === undefined ? {} : { after }
    const rows: ReadonlyArray<Posting> = yield* store.listClearing({
      channel,
      ...period,
      ...position,
      limit: PAGE,
    })
    for (const { payment_intent } of rows) if (payment_intent !== null) ids.add(payment_intent)
    if (rows.length < PAGE) return ids
    after = rows.at(-1)
    yield* renew
  }
})

/**
 * Reads all rows of a channel's money for the payments that moved in a period or are in a
 * statement, whenever they were written, and the facts of these payments. Calls `renew` after each
 * batch.
 */
export const readBooks = Effect.fnUntraced(function* (
  channel: string,
  period: Period,
  lines: ReadonlyArray<StatementLine>,
  now: Timestamp,
  renew: Renew,
) {
  const store = yield* Store
  const ids = yield* movedIn(channel, period, renew)
  for (const { out_trade_no } of lines) if (isId("pi", out_trade_no)) ids.add(out_trade_no)
  const booked: Array<BookedLine> = []
  const known = new Map<string, Known>()
  const closed = new Set<string>()
  for (const payment_intents of inBatches([...ids])) {
    const [intents, rows] = yield* Effect.all(
      [
        store.findMany("payment_intent", payment_intents),
        store.listClearing({ channel, payment_intents }),
      ],
      { concurrency: 2 },
    )
    const given = rows.flatMap(({ refund }) => (refund === null ? [] : [refund]))
    const refunds = yield* store.findMany(
      "refund",
      given.filter((id) => isId("ref", id)),
    )
    const batch: Batch = { intents: byId(intents), refunds: byId(refunds) }
    for (const row of rows) {
      booked.push(...bookedOf(row, batch, now))
      if (row.closed && row.payment_intent !== null) closed.add(row.payment_intent)
    }
    for (const intent of intents) {
      const isOpen = intent.status === "capturing" || askAt(intent) !== null
      known.set(intent.id, { account_id: intent.payee_account_id, isOpen })
    }
    yield* renew
  }
  const books: Books = { booked, known, closed }
  return books
})

/**
 * Tells whether a statement line that our books lack is still in flight: its capture, refund or
 * payment is being queried, for a day after the money moved `at` that time.
 */
export const isInFlight = Effect.fnUntraced(function* (
  line: StatementLine,
  at: Timestamp,
  { known }: Books,
  now: Timestamp,
) {
  const payment = known.get(line.out_trade_no)
  if (payment === undefined || now >= at + GRACE) return false
  if (line.kind === "payment") return payment.isOpen
  const request = yield* (yield* Store).find("channel_request", line.number ?? "")
  return request?.status === "outstanding" || request?.status === "unknown"
})
