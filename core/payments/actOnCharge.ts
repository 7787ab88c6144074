import { Clock, Effect, Result } from "effect"
import { type CommitPart, merge } from "../commits/Commit.ts"
import { askOnce } from "../gateway/askOnce.ts"
import type { ChannelCallback } from "../gateway/ChannelCallback.ts"
import type { ChannelPayer } from "../gateway/Charge.ts"
import { refusal, tradeClaims } from "../gateway/Contradiction.ts"
import { type Hear, unheard } from "../gateway/hearCallback.ts"
import { noteDiscrepancy, refuseOthersTrade } from "../gateway/noteDiscrepancy.ts"
import { Channels } from "../ports/Channels.ts"
import { Installation } from "../ports/Installation.ts"
import { Store } from "../ports/Store.ts"
import { notFound } from "../shared/Failure.ts"
import { isId } from "../shared/Id.ts"
import { retryConflict } from "../idempotency/requestKey.ts"
import type { Timestamp } from "../shared/Timestamp.ts"
import * as Callback from "./Callback.ts"
import { writeMove } from "./writeMove.ts"
import { settledAsOf } from "./expireIntent.ts"
import { giveBack, rememberLate } from "./giveBack.ts"
import { closedByChoice, type MovedIntent, releasedByFailure, stepTime } from "./Lifecycle.ts"
import * as OneTimePay from "./OneTimePay.ts"
import { onChannel, type PaymentIntent } from "./PaymentIntent.ts"
import * as RequestPayment from "./RequestPayment.ts"

/** Questions to the channel about a callback. Each is asked once. */
interface Answers {
  /** Who authorized the charge. */
  readonly payer: () => Effect.Effect<ChannelPayer | undefined>
  /** Tells the channel's adapter about the callback before anything is decided. */
  readonly note: (intent: PaymentIntent) => Effect.Effect<void>
}

/** Returns the intent with the channel, trade and payer that the callback states. */
const informed = Effect.fnUntraced(function* (
  intent: PaymentIntent,
  callback: ChannelCallback,
  answers: Answers,
) {
  const known = onChannel(intent, callback.channel)
  if (callback.trade_status !== "AUTHORIZED" && callback.trade_status !== "SUCCESS") return known
  const { payer_id, trade_no, wallet_id } = callback
  const isKnown = payer_id !== undefined && wallet_id !== undefined
  const asked = isKnown ? undefined : yield* answers.payer()
  const { agent_id, human_id, wallet_id: wallet } = intent.payer
  const payer = {
    agent_id,
    human_id: payer_id ?? asked?.payer_id ?? human_id,
    wallet_id: wallet_id ?? asked?.wallet_id ?? wallet,
  }
  return { ...known, trade_no, payer }
})

type Meaning =
  | { readonly type: "moved"; readonly moved: MovedIntent }
  | Exclude<Callback.Meaning<never>, { type: "moves" }>

/** Applies the callback to either flow's machine. A move without a row in the table is outdated. */
const interpret = Effect.fnUntraced(function* (
  intent: PaymentIntent,
  callback: ChannelCallback,
  answers: Answers,
  at: Timestamp,
): Effect.fn.Return<Meaning> {
  const meaning =
    intent.flow === "request_payment"
      ? Callback.forRequestPayment(intent, callback, at)
      : Callback.forOneTimePay(intent, callback, at)
  if (meaning.type !== "moves") return meaning
  const known = yield* informed(intent, callback, answers)
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
  heard: CommitPart,
  at: Timestamp,
) {
  const store = yield* Store
  const tasks =
    intent.channel === null
      ? closedByChoice(intent, callback.channel)
      : releasedByFailure(intent, moved.record)
  const written = yield* writeMove(intent, moved, tasks, at)
  yield* store.commit(merge(written, heard, { keys: tradeClaims(callback) }))
})

const applyTo = Effect.fnUntraced(function* (
  intent: PaymentIntent,
  callback: ChannelCallback,
  answers: Answers,
  hear: Hear,
  at: Timestamp,
) {
  const meaning = yield* interpret(intent, callback, answers, at)
  const contrary = (along?: CommitPart) =>
    noteDiscrepancy(
      intent,
      callback,
      { kind: "status_mismatch", expected: intent.status, actual: callback.trade_status },
      hear(intent, "contradicts", at),
      at,
      along,
    )
  switch (meaning.type) {
    case "moved":
      return yield* move(
        intent,
        meaning.moved,
        callback,
        yield* hear(intent, "acted_on", at).part,
        at,
      )
    case "late":
      return yield* giveBack(intent, callback, meaning.action, hear(intent, "late", at), at)
    case "covered":
      return yield* contrary(rememberLate(intent))
    case "contradiction":
      return yield* contrary()
    case "nothing":
      return yield* hear(intent, "nothing_new", at).alone
  }
})

const apply = Effect.fnUntraced(function* (
  callback: ChannelCallback,
  answers: Answers,
  hear: Hear,
) {
  const store = yield* Store
  const id = callback.out_trade_no
  const stored = isId("pi", id) ? yield* store.find("payment_intent", id) : undefined
  if (stored === undefined) return yield* notFound("payment intent", id)
  const now = yield* Clock.currentTimeMillis
  const wrong = Callback.mismatch(stored, callback, (yield* Installation).currencies)
  if (wrong !== undefined) {
    const at = stepTime(stored, now)
    yield* noteDiscrepancy(stored, callback, wrong, hear(stored, "refused", at), at)
    return yield* refusal(wrong)
  }
  const intent = yield* settledAsOf(stored, now)
  const at = stepTime(intent, now)
  yield* answers.note(stored)
  yield* applyTo(intent, callback, answers, hear, at).pipe(
    refuseOthersTrade(intent, callback, hear, at),
  )
})

/**
 * Acts on what a channel reports about a charge, in a callback or in an answer. The channel is
 * asked once who has paid, even if conflicts make the decision start over. `hear` stores a
 * callback.
 */
export const actOnCharge = Effect.fnUntraced(function* (
  callback: ChannelCallback,
  hear: Hear = unheard,
) {
  const channels = yield* Channels
  const answers: Answers = {
    payer: askOnce(() => channels.payerOf(callback.channel, callback.out_trade_no)),
    note: askOnce((intent: PaymentIntent) => channels.noteCallback(callback, intent)),
  }
  yield* retryConflict(apply(callback, answers, hear))
})
