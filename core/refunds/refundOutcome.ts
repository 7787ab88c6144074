import { Effect, Result } from "effect"
import { merge } from "../commits/Commit.ts"
import type { ChannelOutcome } from "../gateway/ChannelCall.ts"
import type { Hearing } from "../gateway/hearCallback.ts"
import {
  type MeaningOf,
  NO_MEANING,
  type OutcomeMeaning,
  settleRequest,
} from "../gateway/settleRequest.ts"
import { enter } from "../ledger/enter.ts"
import { giveBackRest } from "../payments/giveBack.ts"
import type { PaymentIntent } from "../payments/PaymentIntent.ts"
import { undone } from "../payments/Refunded.ts"
import { writeIntent } from "../payments/writeIntent.ts"
import { Ids } from "../ports/Ids.ts"
import { Store, type StoreUnavailable } from "../ports/Store.ts"
import type { Vault } from "../ports/Vault.ts"
import { confirmRevocations, dropRevocations } from "../revocations/refundRevocations.ts"
import type { Timestamp } from "../shared/Timestamp.ts"
import { eventsFor } from "../webhooks/events/Event.ts"
import type { Refund } from "./Refund.ts"
import { refundHappening } from "./RefundEvent.ts"
import { refundJournals } from "./RefundJournals.ts"
import { machine, type RefundMove } from "./RefundMachine.ts"

/** How many refunds of a payment can begin or end at once: each can change the payment's row. */
export const CONTENDERS = 100

const moveOf = (outcome: ChannelOutcome, at: Timestamp): RefundMove | undefined => {
  if (outcome.type === "done") return { type: "confirmed", at }
  return outcome.type === "refused" ? { type: "rejected", reason: outcome.message, at } : undefined
}

/**
 * Returns what makes a failed refund's part refundable again. Of a payment that could not be
 * settled the part goes back with the rest, if the channel has the money after all.
 */
const refundableAgain = Effect.fnUntraced(function* (
  refund: Refund,
  intent: PaymentIntent,
  at: Timestamp,
): Effect.fn.Return<OutcomeMeaning, StoreUnavailable, Ids | Store | Vault> {
  if (refund.status !== "failed") return NO_MEANING
  const refunded = undone(intent.refunded, refund)
  const written = yield* writeIntent(intent, { ...intent, refunded }, at)
  if (intent.status !== "failed") return { part: written }
  const { once, part = {} } = yield* giveBackRest(intent, refund.amount, at)
  return { part: merge(written, part), once }
})

/**
 * Returns what the channel's answer means for a refund (Refund states): the refund in its final
 * state, its event and its journals. Its revocations are decided and released if it succeeds and
 * dropped if it fails. Nothing changes while the refund is pending, or if it has ended before.
 * Refunds end only here.
 */
const concluded = Effect.fnUntraced(function* (
  refund: Refund,
  intent: PaymentIntent,
  outcome: ChannelOutcome,
  now: Timestamp,
): Effect.fn.Return<OutcomeMeaning, StoreUnavailable, Ids | Store | Vault> {
  const ids = yield* Ids
  const at = Math.max(now, refund.created_at)
  const move = moveOf(outcome, at)
  const moved = move && machine.step(refund, move)
  if (moved === undefined || Result.isFailure(moved)) return NO_MEANING
  const { emit, record } = moved.success
  const revocations =
    record.status === "failed"
      ? yield* dropRevocations(refund.id)
      : yield* confirmRevocations(record, intent, at)
  const entered = yield* enter(refundJournals(record, intent.status === "failed"), at)
  const { once, part = {} } = yield* refundableAgain(record, intent, at)
  const ended = merge({ writes: [{ op: "replace", kind: "refund", record }] }, entered, part, {
    writes: revocations,
    events: emit.flatMap((type) => eventsFor(refundHappening(record, type), ids, at)),
  })
  return { part: ended, once }
})

const meaning: MeaningOf<StoreUnavailable, Ids | Store | Vault> = (request, intent, outcome, now) =>
  Effect.gen(function* () {
    if (request.refund === null || intent === undefined) return NO_MEANING
    const refund = yield* (yield* Store).find("refund", request.refund)
    if (refund === undefined) return NO_MEANING
    return yield* concluded(refund, intent, outcome, now)
  })

/** Records the outcome of a refund's request, which makes the refund succeed or fail. */
export const settleRefund = (id: string, outcome: ChannelOutcome, hearing?: Hearing) =>
  settleRequest(id, outcome, meaning, {
    // A failed refund and a part that revokes by policy change the payment's row, as others do.
    attempts: CONTENDERS,
    hearing,
  })
