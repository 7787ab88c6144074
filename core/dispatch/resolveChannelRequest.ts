import { Clock, Context, Effect } from "effect"
import {
  callOf,
  type ChannelRequest,
  NOT_FOUND_GRACE,
  waitedFor,
} from "../gateway/ChannelRequest.ts"
import { type ChannelOutcome, Channels } from "../ports/Channels.ts"
import { Store } from "../ports/Store.ts"
import { monotonicMillis } from "../ports/WallClock.ts"
import { CurrentReturnHold, holdReturn } from "./holdReturn.ts"
import { settleOutcome } from "./settleOutcome.ts"
import { askChannel } from "../payments/askChannel.ts"
import { isLast, isOutdated, leftOf } from "../payments/Inquiry.ts"
import { settleRelease } from "../payments/returnOutcome.ts"
import { debitUnlessPaid, isTooLate } from "../payments/debit.ts"
import { NEVER_MADE } from "../payments/debitOutcome.ts"

/**
 * Returns the outcome of a refused closing. A channel that refuses to close a charge has been paid,
 * and its callback may never come. It is asked for the charge, whose money is then given back. The
 * request stays open until the channel has answered.
 */
const afterRefusedClosing = Effect.fnUntraced(function* (
  request: ChannelRequest,
  refused: ChannelOutcome,
) {
  const intent = yield* (yield* Store).find("payment_intent", request.payment_intent)
  if (intent === undefined) return refused
  const answer = yield* askChannel(intent, request)
  if (isLast(answer, waitedFor(request.attempts))) return refused
  const message = "The channel refuses to close the charge and gives no reason."
  return { type: "unknown", message } as const
})

/**
 * Settles a refused release. The channel has taken the money already, perhaps only a part by a
 * capture that it has refused. It is asked how much it has, because it would refuse to give back
 * more. The request stays open while its books still show the hold.
 */
const afterRefusedRelease = Effect.fnUntraced(function* (
  request: ChannelRequest,
  refused: ChannelOutcome,
) {
  const { channel, charge_id, payment_intent: out_trade_no } = request
  const answer = yield* (yield* Channels).query({ channel, out_trade_no, charge_id })
  if (!isOutdated(answer, waitedFor(request.attempts))) {
    return yield* settleRelease(request.id, refused, leftOf(request, answer))
  }
  const message = "The channel refuses to release the hold and does not say that it has taken it."
  return yield* settleOutcome(request, { type: "unknown", message })
})

/**
 * How many debits unknown to their channel are remembered. Further ones wait until others have
 * ended: if they took the place of others, none of them all would ever be remembered for long
 * enough.
 */
const MISSED_KEPT = 100_000

/** How many remembered debits are looked up for each one that finds no room. */
const LOOKED_UP = 16

/**
 * When the process first learnt that a channel does not know a debit, by the request's id, in
 * `monotonicMillis`. Simulated processes have one each.
 */
export const Missed = Context.Reference<Map<string, number>>("payport/core/dispatch/Missed", {
  defaultValue: () => new Map<string, number>(),
})

/**
 * Returns whether another debit can be remembered. If there is no room, a few debits are looked up,
 * in turn, and those that another process has ended are forgotten.
 */
const hasRoom = Effect.fnUntraced(function* (missed: Map<string, number>) {
  if (missed.size < MISSED_KEPT) return true
  const ids: Array<string> = []
  for (const id of missed.keys()) {
    if (ids.push(id) === LOOKED_UP) break
  }
  const found = yield* (yield* Store).findMany("channel_request", ids)
  const open = new Set(found.flatMap((request) => ("due_at" in request ? [request.id] : [])))
  for (const id of ids) {
    const first = missed.get(id)
    missed.delete(id)
    if (first !== undefined && open.has(id)) missed.set(id, first)
  }
  return missed.size < MISSED_KEPT
})

/**
 * Returns whether this process has known for long enough that a channel does not know a debit. The
 * request's time comes from another process, whose clock may be minutes behind, and a call without
 * an answer may still arrive.
 */
const isMissedForLong = Effect.fnUntraced(function* (
  { action, id }: ChannelRequest,
  outcome: ChannelOutcome,
) {
  if (action !== "debit") return false
  const missed = yield* Missed
  // No answer says nothing about what the channel knows.
  if (outcome.type === "unknown") return false
  if (outcome.type !== "not_found") {
    missed.delete(id)
    return false
  }
  const now = yield* monotonicMillis
  const first = missed.get(id)
  if (first !== undefined && now - first >= NOT_FOUND_GRACE) return missed.delete(id)
  if (first === undefined && (yield* hasRoom(missed))) missed.set(id, now)
  return false
})

/**
 * Continues a request that its caller did not finish. If it has no answer, the channel is asked
 * about it by its number. It is repeated only if the channel had the time to know it and does not.
 * The caller of a capture, a debit or a refund is given time to make the first call itself. A
 * return that an operator holds waits.
 */
export const resolveChannelRequest = Effect.fn("resolveChannelRequest")(function* (
  request: ChannelRequest,
) {
  const hold = yield* CurrentReturnHold
  if (hold !== undefined && (yield* holdReturn(hold, request))) return
  const channels = yield* Channels
  const now = yield* Clock.currentTimeMillis
  const call = callOf(request)
  const { action, refund } = request
  const called = action === "capture" || action === "debit" || refund !== null
  const fresh = request.attempts === 0 && !called
  let outcome = fresh ? yield* channels.call(call) : yield* channels.ask(call)
  const isMissed = yield* isMissedForLong(request, outcome)
  if (outcome.type === "not_found" && now - request.created_at >= NOT_FOUND_GRACE) {
    const late = yield* isTooLate(request, now)
    if (late) outcome = isMissed ? NEVER_MADE : outcome
    else outcome = yield* action === "debit" ? debitUnlessPaid(request) : channels.call(call)
  }
  if (outcome.type === "refused" && request.action === "close") {
    outcome = yield* afterRefusedClosing(request, outcome)
  }
  if (outcome.type === "refused" && request.action === "release") {
    return yield* afterRefusedRelease(request, outcome)
  }
  return yield* settleOutcome(request, outcome)
})
