import { Effect } from "effect"
import { catchConflict, isKeyTaken } from "../commits/catchConflict.ts"
import { type CommitPart, empty, merge } from "../commits/Commit.ts"
import type { ChannelCallback } from "../gateway/ChannelCallback.ts"
import { type ChannelRequest, draft, RETURN_KEYS, returnKey } from "../gateway/ChannelRequest.ts"
import { tradeClaims } from "../gateway/Contradiction.ts"
import type { Hearing } from "../gateway/hearCallback.ts"
import { newDiscrepancy, unlessNoted } from "../gateway/noteDiscrepancy.ts"
import { NO_MEANING } from "../gateway/settleRequest.ts"
import { enter } from "../ledger/enter.ts"
import { Ids } from "../ports/Ids.ts"
import { Store } from "../ports/Store.ts"
import type { Money } from "../shared/Money.ts"
import type { Timestamp } from "../shared/Timestamp.ts"
import { lateAmount } from "./Callback.ts"
import { lateMoney } from "./IntentJournals.ts"
import { chargeAt } from "./Lifecycle.ts"
import type { PaymentIntent } from "./PaymentIntent.ts"
import { kept } from "./writeIntent.ts"

/** Returns the commit part of a new request that gives back the money of a callback. */
const asked = Effect.fnUntraced(function* (
  intent: PaymentIntent,
  request: ChannelRequest,
  at: Timestamp,
) {
  const late = request.action === "refund"
  const inserted: CommitPart = {
    writes: [{ op: "insert", kind: "channel_request", record: request }],
  }
  return merge(yield* enter(late ? [lateMoney(intent, request, "in")] : [], at), inserted)
})

/**
 * Returns the commit part if another request gives the money back already, because its hold could
 * not be released. While that request is under way, the money enters the books under its number.
 * Its record is written again, so that a commit that ends it at the same time conflicts with this
 * one. A request that was refused is replaced by a new one.
 */
const joined = Effect.fnUntraced(function* (
  intent: PaymentIntent,
  request: ChannelRequest,
  owner: string,
  at: Timestamp,
) {
  const other = yield* (yield* Store).find("channel_request", owner)
  if (other === undefined || other.status === "refused") return yield* asked(intent, request, at)
  if (other.status === "done") return empty
  const replaced: CommitPart = {
    writes: [{ op: "replace", kind: "channel_request", record: other }],
  }
  return merge(yield* enter([lateMoney(intent, other, "in")], at), replaced)
})

/** Returns the counter of an unsettled payment's late money that its refunds give back. */
const coveredCounter = ({ id }: Pick<PaymentIntent, "id">): string => `late_money_covered:${id}`

/**
 * Returns the commit part that remembers late money all of which refunds give back. If one of them
 * fails, its part goes back as late money.
 */
export const rememberLate = (intent: PaymentIntent): CommitPart => ({
  ...kept(intent),
  reservations: [{ counter: coveredCounter(intent), add: 1, limit: Number.MAX_SAFE_INTEGER }],
})

/** Tells whether the channel has settled a payment after all that it could not settle. */
const isSettledLate = Effect.fnUntraced(function* (intent: PaymentIntent) {
  const store = yield* Store
  const [covered = 0] = yield* store.readCounters([coveredCounter(intent)])
  if (covered > 0) return true
  const requests = yield* store.list("channel_request", { by: { payment_intent: intent.id } })
  return requests.some(
    ({ action, refund, status, trade_no }) =>
      action === "refund" &&
      refund === null &&
      status !== "refused" &&
      trade_no === intent.trade_no,
  )
})

/**
 * Returns what gives back the part that a failed refund leaves at the channel, if the channel could
 * not settle the payment, and then it could. The first part that goes back is noted for
 * reconciliation, and claims the name under which money of the trade goes back.
 */
export const giveBackRest = Effect.fnUntraced(function* (
  intent: PaymentIntent,
  amount: Money,
  at: Timestamp,
) {
  const { channel, trade_no } = intent
  if (channel === null || trade_no === null || !(yield* isSettledLate(intent))) return NO_MEANING
  const number = `creq_${(yield* Ids).uuid()}`
  const charge_id = chargeAt(intent, channel) ?? intent.id
  const task = { action: "refund", channel, charge_id } as const
  const request = { ...draft(number, intent, task, at), amount }
  const message = { channel, trade_no, trade_status: "SUCCESS" }
  const found = { kind: "late_payment", expected: intent.status, actual: "SUCCESS" } as const
  const keys = [{ op: "claim", key: returnKey(request), owner: number }] as const
  return {
    part: yield* asked(intent, request, at),
    once: merge(yield* newDiscrepancy(intent, message, found, at), { keys }),
  }
})

/** Gives back money that came too late or twice, once, and notes it for reconciliation. */
export const giveBack = Effect.fnUntraced(function* (
  intent: PaymentIntent,
  callback: ChannelCallback,
  action: "release" | "refund",
  hearing: Hearing,
  at: Timestamp,
) {
  const store = yield* Store
  const { channel, trade_no, trade_status } = callback
  const charge_id = chargeAt(intent, channel) ?? intent.id
  const number = `creq_${(yield* Ids).uuid()}`
  const task = { action, channel, charge_id, trade_no }
  const request = { ...draft(number, intent, task, at), amount: lateAmount(intent, callback) }
  const found = { kind: "late_payment", expected: intent.status, actual: trade_status } as const
  const trade = merge(yield* hearing.part, { keys: tradeClaims(callback) })
  const noted = merge(trade, yield* newDiscrepancy(intent, callback, found, at), kept(intent))
  const claim: CommitPart =
    action === "refund" ? { keys: [{ op: "claim", key: returnKey(request), owner: number }] } : {}
  yield* store.commit(merge(noted, yield* asked(intent, request, at), claim)).pipe(
    catchConflict(isKeyTaken(RETURN_KEYS), ({ reason }) =>
      Effect.flatMap(
        joined(intent, request, reason.type === "key_taken" ? reason.owner : "", at),
        (part) => store.commit(merge(noted, part)),
      ),
    ),
    unlessNoted(hearing),
  )
})
