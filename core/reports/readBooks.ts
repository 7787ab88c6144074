import { Effect } from "effect"
import type { Posting } from "../ledger/Posting.ts"
import { askAt, type PaymentIntent } from "../payments/PaymentIntent.ts"
import type { StatementLine } from "../ports/Channels.ts"
import { Store, type StoreUnavailable } from "../ports/Store.ts"
import { isId } from "../shared/Id.ts"
import { DAY, type Timestamp } from "../shared/Timestamp.ts"
import type { BookedLine } from "./Reconciliation.ts"

/** So many payments are read at a time. */
const BATCH = 500

/** How many questions go to the store at a time. */
const ABREAST = 8

/** What a channel knows and we do not is on its way for so long; then it is a discrepancy. */
const GRACE = DAY

/** What our records have of the payments of a day and of a statement. */
export interface Books {
  readonly booked: ReadonlyArray<BookedLine>
  readonly intents: ReadonlyMap<string, PaymentIntent>
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

/** The number that a refund's row stands for, and since when the channel has had it. */
const requestOf = Effect.fnUntraced(function* ({ created_at, refund }: Posting) {
  const store = yield* Store
  if (refund === null) return { number: null, since: created_at }
  if (!isId("ref", refund)) return { number: refund, since: created_at - DAY }
  const found = yield* store.findRefund(refund)
  return { number: found?.channel_request ?? null, since: found?.created_at ?? created_at }
})

const bookedOf = Effect.fnUntraced(function* (
  row: Posting,
  intents: ReadonlyMap<string, PaymentIntent>,
  now: Timestamp,
): Effect.fn.Return<ReadonlyArray<BookedLine>, StoreUnavailable, Store> {
  const kind = KINDS[row.kind]
  if (kind === undefined || row.payment_intent === null) return []
  const intent = intents.get(row.payment_intent)
  const refund = kind === "refund"
  const asked = refund ? yield* requestOf(row) : undefined
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
})

const inBatches = <A>(all: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> =>
  Array.from({ length: Math.ceil(all.length / BATCH) }, (_, n) =>
    all.slice(n * BATCH, (n + 1) * BATCH),
  )

/**
 * Every row that a channel's money has in the books of the payments that moved in a period or stand
 * in a statement, whenever they were written, with the payments.
 */
export const readBooks = Effect.fnUntraced(function* (
  channel: string,
  period: { readonly from: Timestamp; readonly to: Timestamp },
  lines: ReadonlyArray<StatementLine>,
  now: Timestamp,
) {
  const store = yield* Store
  const moved = yield* store.listClearing({ channel, ...period })
  const ids = [
    ...new Set([
      ...moved.flatMap(({ payment_intent }) => payment_intent ?? []),
      ...lines.map(({ out_trade_no }) => out_trade_no).filter((id) => isId("pi", id)),
    ]),
  ]
  const found = yield* Effect.forEach(ids, (id) => store.findIntent(id), { concurrency: ABREAST })
  const intents = new Map(
    found.flatMap((intent) => (intent === undefined ? [] : [[intent.id, intent] as const])),
  )
  const rows = yield* Effect.forEach(inBatches(ids), (payment_intents) =>
    store.listClearing({ channel, payment_intents }),
  )
  const booked = yield* Effect.forEach(rows.flat(), (row) => bookedOf(row, intents, now), {
    concurrency: ABREAST,
  })
  const books: Books = { booked: booked.flat(), intents }
  return books
})

/**
 * Whether what a statement has and our books have not is on its way: the capture or the refund is
 * being asked after, or the payment is, for a day after the money moved.
 */
export const isInFlight = Effect.fnUntraced(function* (
  line: StatementLine,
  intent: PaymentIntent | undefined,
  now: Timestamp,
) {
  if (intent === undefined || now >= line.at + GRACE) return false
  if (line.kind === "payment") return intent.status === "capturing" || askAt(intent) !== null
  const request = yield* (yield* Store).findChannelRequest(line.number ?? "")
  return request?.status === "outstanding" || request?.status === "unknown"
})
