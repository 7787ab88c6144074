import { Clock, Effect, Result } from "effect"
import type { ChannelCallback } from "../gateway/ChannelCallback.ts"
import { Channels } from "../ports/Channels.ts"
import { Installation } from "../ports/Installation.ts"
import { Store } from "../ports/Store.ts"
import { notFound } from "../shared/Failure.ts"
import { isId } from "../shared/Id.ts"
import { retryConflict } from "../idempotency/retryConflict.ts"
import type { Timestamp } from "../shared/Timestamp.ts"
import * as Callback from "./Callback.ts"
import { consequences } from "./consequences.ts"
import { settledAsOf } from "./expireIntent.ts"
import { giveBack } from "./giveBack.ts"
import { mismatch, ownTrade, record, refusal, tradeClaims } from "./discrepancies.ts"
import { closedByChoice, type MovedIntent, releasedByFailure, stepTime } from "./Lifecycle.ts"
import * as OneTimePay from "./OneTimePay.ts"
import { onChannel, type PaymentIntent } from "./PaymentIntent.ts"
import * as RequestPayment from "./RequestPayment.ts"

/** The intent with what the callback tells of its channel, trade and payer. */
const informed = Effect.fnUntraced(function* (intent: PaymentIntent, callback: ChannelCallback) {
  const told = callback.payer_id !== undefined && callback.wallet_id !== undefined
  const asks = callback.trade_status === "AUTHORIZED" || callback.trade_status === "SUCCESS"
  const asked =
    told || !asks
      ? undefined
      : yield* (yield* Channels).payerOf(callback.channel, callback.out_trade_no)
  const { payer } = intent
  return {
    ...onChannel(intent, callback.channel),
    trade_no: asks ? callback.trade_no : intent.trade_no,
    payer: asks
      ? {
          agent_id: payer.agent_id,
          human_id: callback.payer_id ?? asked?.payer_id ?? payer.human_id,
          wallet_id: callback.wallet_id ?? asked?.wallet_id ?? payer.wallet_id,
        }
      : payer,
  }
})

type Meaning =
  | { readonly type: "moved"; readonly moved: MovedIntent }
  | Exclude<Callback.Meaning<never>, { type: "moves" }>

/** Applies the callback to either flow's machine. A move that the table lacks is outdated. */
const interpret = Effect.fnUntraced(function* (
  intent: PaymentIntent,
  callback: ChannelCallback,
  at: Timestamp,
): Effect.fn.Return<Meaning, never, Channels> {
  const meaning =
    intent.flow === "request_payment"
      ? Callback.forRequestPayment(intent, callback, at)
      : Callback.forOneTimePay(intent, callback, at)
  if (meaning.type !== "moves") return meaning
  const known = yield* informed(intent, callback)
  const moved: Result.Result<MovedIntent, unknown> =
    known.flow === "request_payment"
      ? RequestPayment.machine.walk(
          known,
          meaning.events as ReadonlyArray<RequestPayment.RequestEvent>,
        )
      : OneTimePay.machine.walk(known, meaning.events as ReadonlyArray<OneTimePay.OneTimeEvent>)
  return Result.isSuccess(moved) ? { type: "moved", moved: moved.success } : { type: "nothing" }
})

const move = Effect.fnUntraced(function* (
  intent: PaymentIntent,
  moved: MovedIntent,
  callback: ChannelCallback,
  at: Timestamp,
) {
  const store = yield* Store
  const tasks =
    intent.channel === null
      ? closedByChoice(intent, callback.channel)
      : releasedByFailure(intent, moved.record)
  const commit = yield* consequences(intent, moved, tasks, at)
  yield* store.commit({ ...commit, keys: [...commit.keys, ...tradeClaims(intent, callback)] })
})

const applyTo = Effect.fnUntraced(function* (
  intent: PaymentIntent,
  callback: ChannelCallback,
  at: Timestamp,
) {
  const meaning = yield* interpret(intent, callback, at)
  switch (meaning.type) {
    case "moved":
      return yield* move(intent, meaning.moved, callback, at)
    case "late":
      return yield* giveBack(intent, callback, meaning.action, at)
    case "contradiction":
      return yield* record(
        intent,
        callback,
        {
          kind: "status_mismatch",
          expected: intent.status,
          actual: callback.trade_status,
        },
        at,
      )
    case "nothing":
      return
  }
})

const apply = Effect.fnUntraced(function* (callback: ChannelCallback) {
  const store = yield* Store
  const id = callback.out_trade_no
  const stored = isId("pi", id) ? yield* store.find("payment_intent", id) : undefined
  if (stored === undefined) return yield* notFound("payment intent", id)
  const now = yield* Clock.currentTimeMillis
  const wrong = mismatch(stored, callback, (yield* Installation).currencies)
  if (wrong !== undefined) {
    yield* record(stored, callback, wrong, stepTime(stored, now))
    return yield* refusal(wrong)
  }
  const intent = yield* settledAsOf(stored, now)
  const at = stepTime(intent, now)
  yield* (yield* Channels).noteCallback(callback)
  yield* applyTo(intent, callback, at).pipe(ownTrade(intent, callback, at))
})

/**
 * Acts on what a channel is known to have said: in a callback, or asked.
 *
 * Fails with `NOT_FOUND`, `CHANNEL_MISMATCH` and `AMOUNT_MISMATCH`.
 */
export const actOnCharge = (callback: ChannelCallback) => retryConflict(apply(callback))
