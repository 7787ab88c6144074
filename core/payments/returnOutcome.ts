import { Effect } from "effect"
import type { ChannelOutcome } from "../gateway/ChannelCall.ts"
import { type ChannelRequest, returnKey } from "../gateway/ChannelRequest.ts"
import type { Hearing } from "../gateway/hearCallback.ts"
import { newDiscrepancy } from "../gateway/noteDiscrepancy.ts"
import {
  type MeaningOf,
  NO_MEANING,
  type OutcomeMeaning,
  settleRequest,
} from "../gateway/settleRequest.ts"
import type { Discrepancy } from "../gateway/Discrepancy.ts"
import { enter } from "../ledger/enter.ts"
import { Ids } from "../ports/Ids.ts"
import { Store, type StoreUnavailable } from "../ports/Store.ts"
import type { Vault } from "../ports/Vault.ts"
import type { Money } from "../shared/Money.ts"
import type { Timestamp } from "../shared/Timestamp.ts"
import { lateMoney } from "./IntentJournals.ts"
import type { PaymentIntent } from "./PaymentIntent.ts"

/** Records the outcome of closing a charge. Only the request changes. */
export const settleClose = (id: string, outcome: ChannelOutcome) =>
  settleRequest(id, outcome, () => Effect.succeed(NO_MEANING))

/**
 * Returns a refund for a hold that cannot be released, because it may have been captured already.
 */
const askedBack = (
  request: ChannelRequest,
  amount: Money,
  id: string,
  now: Timestamp,
): OutcomeMeaning => {
  if (amount.value <= 0) return NO_MEANING
  const record: ChannelRequest = {
    ...request,
    amount,
    id,
    version: 1,
    action: "refund",
    status: "outstanding",
    attempts: 0,
    created_at: now,
    due_at: now,
  }
  return {
    once: {
      writes: [{ op: "insert", kind: "channel_request", record }],
      keys: [{ op: "claim", key: returnKey(record), owner: id }],
    },
  }
}

/**
 * Records the outcome of a release. A refused release is followed by a refund of what the channel
 * has, `left`, unless a callback has reported meanwhile that the money was taken, which has begun
 * that refund already.
 */
export const settleRelease = (id: string, outcome: ChannelOutcome, left?: Money) =>
  settleRequest(id, outcome, (request, _, { type }, now) =>
    type === "refused"
      ? Effect.map(Ids, ({ uuid }) =>
          askedBack(request, left ?? request.amount, `creq_${uuid()}`, now),
        )
      : Effect.succeed(NO_MEANING),
  )

/** Returns the discrepancy for money that the channel refuses to give back. */
const refusedReturn = (
  id: string,
  request: ChannelRequest,
  account_id: string,
  reason: string,
  at: Timestamp,
): Discrepancy => ({
  id,
  version: 1,
  account_id,
  kind: "status_mismatch",
  payment_intent: request.payment_intent,
  channel: request.channel,
  trade_no: request.trade_no ?? "",
  expected: `${request.action} ${request.id}`,
  actual: `refused: ${reason}`.slice(0, 512),
  run: null,
  created_at: at,
})

/** The most rows of late money read for one payment: far more than it has charges. */
const MOST_LATE = 1_000

/**
 * Returns the entries for late money that the channel has given back: it leaves the books. Money of
 * a hold that could not be released is not in the books if no callback reported it. It then enters
 * and leaves them at once, and a discrepancy is noted as for such a callback.
 */
const returned = Effect.fnUntraced(function* (
  intent: PaymentIntent,
  request: ChannelRequest,
  trade_no: string,
  now: Timestamp,
): Effect.fn.Return<OutcomeMeaning, StoreUnavailable, Ids | Store | Vault> {
  const came = yield* (yield* Store).listPostings({
    account_id: intent.payee_account_id,
    payment_intent: intent.id,
    kind: "late_payment",
    limit: MOST_LATE,
  })
  const out = lateMoney(intent, request, "out")
  if (came.some(({ refund }) => refund === request.id)) return { part: yield* enter([out], now) }
  const { channel } = request
  const message = { channel, trade_no: request.trade_no ?? trade_no, trade_status: "SUCCESS" }
  const found = { kind: "late_payment", expected: intent.status, actual: "SUCCESS" } as const
  const once = yield* newDiscrepancy(intent, message, found, now)
  return { part: yield* enter([lateMoney(intent, request, "in"), out], now), once }
})

const returnMeaning: MeaningOf<StoreUnavailable, Ids | Store | Vault> = (
  request,
  intent,
  outcome,
  now,
) => {
  if (outcome.type === "done" && intent !== undefined) {
    return returned(intent, request, outcome.trade_no, now)
  }
  if (outcome.type !== "refused") return Effect.succeed(NO_MEANING)
  const payee = intent?.payee_account_id ?? request.account_id
  return Effect.map(Ids, ({ uuid }) => {
    const record = refusedReturn(`disc_${uuid()}`, request, payee, outcome.message, now)
    return { part: { writes: [{ op: "insert", kind: "discrepancy", record }] } }
  })
}

/** Records the outcome of giving back money that came too late or twice. */
export const settleReturn = (id: string, outcome: ChannelOutcome, hearing?: Hearing) =>
  settleRequest(id, outcome, returnMeaning, { hearing })
