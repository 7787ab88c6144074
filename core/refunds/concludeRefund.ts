import { Effect, Result } from "effect"
import { enter } from "../ledger/enter.ts"
import { refundJournals } from "./RefundJournals.ts"
import type { PaymentIntent } from "../payments/PaymentIntent.ts"
import { writeIntent } from "../payments/writeIntent.ts"
import type { ChannelOutcome } from "../ports/Channels.ts"
import { Ids } from "../ports/Ids.ts"
import type { Commit, Store, StoreUnavailable, Write } from "../ports/Store.ts"
import { confirmRevocations, dropRevocations } from "../revocations/refundRevocations.ts"
import type { Vault } from "../ports/Vault.ts"
import type { Timestamp } from "../shared/Timestamp.ts"
import { eventsFor } from "../webhooks/events/Event.ts"
import type { Refund } from "./Refund.ts"
import { undone } from "../payments/Refunded.ts"
import { refundHappening } from "./RefundEvent.ts"
import { machine, type RefundMove } from "./RefundMachine.ts"

/** Everybody who refunds one payment changes its row, one after the other: so many may at once. */
export const CONTENDERS = 100

/** A part of the commit that ends a refund. */
export type Change = Required<Pick<Commit, "writes" | "events" | "postings" | "fee_days">>

/** The part that changes nothing. */
export const NO_CHANGE: Change = { writes: [], events: [], postings: [], fee_days: [] }

/** A commit with such a part. */
export const together = (commit: Commit, change: Change): Commit => ({
  ...commit,
  writes: [...commit.writes, ...change.writes],
  events: [...(commit.events ?? []), ...change.events],
  postings: [...(commit.postings ?? []), ...change.postings],
  fee_days: [...(commit.fee_days ?? []), ...change.fee_days],
})

const moveOf = (outcome: ChannelOutcome, at: Timestamp): RefundMove | undefined => {
  if (outcome.type === "done") return { type: "confirmed", at }
  return outcome.type === "refused" ? { type: "rejected", reason: outcome.message, at } : undefined
}

/** What else changes with a refund: one that fails leaves its part of the payment refundable. */
const consequences = Effect.fnUntraced(function* (
  refund: Refund,
  intent: PaymentIntent,
  at: Timestamp,
) {
  if (refund.status !== "failed") return []
  const record = { ...intent, refunded: undone(intent.refunded, refund) }
  return [(yield* writeIntent(intent, record, at)).write]
})

/**
 * What the channel's answer means for a refund: the part of the commit that ends it, with its event
 * and what it does to the books, or nothing while it is pending and when it has ended before
 * (Refund states). What it revokes runs from then on, or is dropped. This is the one place in which
 * a refund is confirmed or fails.
 */
export const concludeRefund = Effect.fnUntraced(function* (
  refund: Refund,
  intent: PaymentIntent,
  outcome: ChannelOutcome,
  now: Timestamp,
): Effect.fn.Return<Change, StoreUnavailable, Ids | Store | Vault> {
  const ids = yield* Ids
  const at = Math.max(now, refund.created_at)
  const move = moveOf(outcome, at)
  const moved = move && machine.step(refund, move)
  if (moved === undefined || Result.isFailure(moved)) return NO_CHANGE
  const { emit, record } = moved.success
  const revocations =
    record.status === "failed"
      ? yield* dropRevocations(refund.id)
      : yield* confirmRevocations(refund.id, at)
  const write: Write = { op: "replace", kind: "refund", record }
  return {
    ...(yield* enter(refundJournals(record, intent.status === "failed"), at)),
    writes: [write, ...(yield* consequences(record, intent, at)), ...revocations],
    events: emit.flatMap((type) => eventsFor(refundHappening(record, type), ids, at)),
  }
})
