import { Clock, Effect, Result } from "effect"
import {
  afterSilence,
  askAgainAfter,
  type ChannelRequest,
  isReturnKey,
  NOT_FOUND_GRACE,
  returnKey,
} from "../gateway/ChannelRequest.ts"
import type { Discrepancy } from "../gateway/Discrepancy.ts"
import { enter } from "../ledger/enter.ts"
import { lateMoney } from "./IntentJournals.ts"
import { CONTENDERS, concludeRefund, NO_CHANGE, together } from "../refunds/concludeRefund.ts"
import type { ChannelCall, ChannelOutcome } from "../ports/Channels.ts"
import { Ids } from "../ports/Ids.ts"
import { type Commit, Conflict, Store } from "../ports/Store.ts"
import { retryConflict } from "../idempotency/retryConflict.ts"
import type { Timestamp } from "../shared/Timestamp.ts"
import { discrepancy, isNoted, isOthersTrade } from "./discrepancies.ts"
import { stepTime } from "./Lifecycle.ts"
import type { PaymentIntent } from "./PaymentIntent.ts"
import { asRefused, misattributed, settleDebit } from "./settleDebit.ts"
import * as RequestPayment from "./RequestPayment.ts"
import { writeIntent } from "./writeIntent.ts"

/** The call that a request stands for. */
export const callOf = (request: ChannelRequest): ChannelCall => ({
  number: request.id,
  action: request.action,
  channel: request.channel,
  out_trade_no: request.payment_intent,
  charge_id: request.charge_id,
  trade_no: request.trade_no,
  amount: request.amount,
  mandate: request.mandate,
})

/** When the channel is asked again: not after the time at which a lost call may be repeated. */
const nextAsk = (request: ChannelRequest, outcome: ChannelOutcome, now: Timestamp): Timestamp => {
  const wait = outcome.type === "pending" ? askAgainAfter : afterSilence
  const again = now + wait(request.attempts + 1)
  const repeatable = request.created_at + NOT_FOUND_GRACE
  return outcome.type === "not_found" && now < repeatable ? Math.min(again, repeatable) : again
}

/** The request after the channel's answer, or after the lack of one. */
const answered = (
  request: ChannelRequest,
  outcome: ChannelOutcome,
  now: Timestamp,
): ChannelRequest => {
  const attempts = request.attempts + 1
  switch (outcome.type) {
    case "done":
      return { ...request, attempts, status: "done", due_at: null, trade_no: outcome.trade_no }
    case "refused":
      return { ...request, attempts, status: "refused", due_at: null, failure: outcome.message }
    default:
      return { ...request, attempts, status: "unknown", due_at: nextAsk(request, outcome, now) }
  }
}

/** What follows a request besides its own record. */
type Follows = Required<Pick<Commit, "writes" | "keys">>

const NOTHING: Follows = { writes: [], keys: [] }

/**
 * What follows when the channel refuses to let money go. A hold that cannot be released may have
 * been taken already, so it is asked back; what cannot be refunded waits for reconciliation.
 */
const afterRefusal = (
  request: ChannelRequest,
  payee: string,
  reason: string,
  ids: Ids["Service"],
  now: Timestamp,
): Follows => {
  if (request.action === "release") {
    const record: ChannelRequest = {
      ...request,
      id: `creq_${ids.uuid()}`,
      version: 1,
      action: "refund",
      status: "outstanding",
      attempts: 0,
      failure: null,
      created_at: now,
      due_at: now,
    }
    return {
      writes: [{ op: "insert", kind: "channel_request", record }],
      keys: [{ op: "claim", key: returnKey(record), owner: record.id }],
    }
  }
  // A refund that its payee asked for has failed, and that is all.
  if (request.action !== "refund" || request.refund !== null) return NOTHING
  const record = refusedReturn(`disc_${ids.uuid()}`, request, payee, reason, now)
  return { writes: [{ op: "insert", kind: "discrepancy", record }], keys: [] }
}

/** The channel has told meanwhile that the hold was taken, and is asked for it already. */
const isReturned = ({ reason }: Conflict): boolean =>
  reason.type === "key_taken" && isReturnKey(reason.key)

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

/** Rows of late money of one payment that are looked at: far more than it has charges. */
const MOST_LATE = 1_000

/** What the outcome of its capture does to an intent; undefined when it does nothing. */
const captured = (
  intent: PaymentIntent,
  request: ChannelRequest,
  outcome: ChannelOutcome,
  now: Timestamp,
): PaymentIntent | undefined => {
  if (intent.flow !== "request_payment" || intent.status !== "capturing") return undefined
  if (intent.capture_request !== request.id) return undefined
  const moved = RequestPayment.machine.step(
    intent,
    outcome.type === "done"
      ? { type: "captured", at: stepTime(intent, now) }
      : outcome.type === "refused"
        ? { type: "capture_refused" }
        : { type: "capture_unknown" },
  )
  return Result.isSuccess(moved) ? moved.success.record : undefined
}

/** Nothing changes for an intent and its books. */
const UNMOVED = { ...NO_CHANGE, noted: NOTHING }

/**
 * Late money leaves the books once the channel has made the request that they name. What came of a
 * hold that could not be released may only be told by that: it comes and leaves at once, and is
 * noted as the message of it would have been.
 */
const givenBack = Effect.fnUntraced(function* (
  intent: PaymentIntent,
  request: ChannelRequest,
  outcome: ChannelOutcome,
  now: Timestamp,
) {
  if (request.action !== "refund" || request.refund !== null || outcome.type !== "done") {
    return UNMOVED
  }
  const came = yield* (yield* Store).listPostings({
    account_id: intent.payee_account_id,
    payment_intent: intent.id,
    kind: "late_payment",
    limit: MOST_LATE,
  })
  const out = lateMoney(intent, request, "out")
  if (came.some(({ refund }) => refund === request.id)) {
    return { ...UNMOVED, ...(yield* enter([out], now)) }
  }
  const { channel, trade_no } = request
  const told = { channel, trade_no: trade_no ?? outcome.trade_no, trade_status: "SUCCESS" }
  const found = { kind: "late_payment", expected: intent.status, actual: "SUCCESS" } as const
  const noted: Follows = yield* discrepancy(intent, told, found, now)
  return { ...UNMOVED, ...(yield* enter([lateMoney(intent, request, "in"), out], now)), noted }
})

/** What the outcome of its request does to a refund and its payment. */
const concluded = Effect.fnUntraced(function* (
  request: ChannelRequest,
  intent: PaymentIntent | undefined,
  outcome: ChannelOutcome,
  now: Timestamp,
) {
  if (request.refund === null || intent === undefined) return NO_CHANGE
  const refund = yield* (yield* Store).find("refund", request.refund)
  return refund === undefined ? NO_CHANGE : yield* concludeRefund(refund, intent, outcome, now)
})

/** The part of the commit that moves the intent, or that lets late money leave the books. */
const inBooks = Effect.fnUntraced(function* (
  request: ChannelRequest,
  intent: PaymentIntent | undefined,
  moved: PaymentIntent | undefined,
  outcome: ChannelOutcome,
  now: Timestamp,
) {
  if (intent === undefined) return UNMOVED
  if (moved === undefined) {
    return yield* givenBack(intent, request, outcome, now)
  }
  const { write, ...ledger } = yield* writeIntent(intent, moved, now)
  return { ...UNMOVED, ...ledger, writes: [write] }
})

/** Ends a debit that was answered with the trade of another payment. */
const settleMisattributed = Effect.fnUntraced(function* (id: string, trade_no: string) {
  const store = yield* Store
  const now = yield* Clock.currentTimeMillis
  const request = yield* store.find("channel_request", id)
  if (request === undefined) return undefined
  const intent = yield* store.find("payment_intent", request.payment_intent)
  if (request.status === "done" || request.status === "refused") return intent
  const failed = yield* misattributed(request, intent, trade_no, now)
  const record = answered(request, asRefused, now)
  const own = { op: "replace", kind: "channel_request", record } as const
  const { keys = [], writes = [], ...change } = { ...failed?.change, keys: failed?.keys }
  const commit = (noted: Follows) =>
    store.commit({
      ...change,
      keys: [...keys, ...noted.keys],
      writes: [own, ...writes, ...noted.writes],
    })
  yield* commit(failed?.noted ?? NOTHING).pipe(
    Effect.catchTag("Conflict", (conflict) =>
      isNoted(conflict) ? commit(NOTHING) : Effect.fail(conflict),
    ),
  )
  const after: PaymentIntent | undefined = failed?.intent ?? intent
  return after
})

/**
 * Records how a channel answered a request and moves the intent accordingly, whatever happened to
 * either meanwhile. Returns the intent as it is then.
 */
export const settleRequest = Effect.fnUntraced(function* (id: string, outcome: ChannelOutcome) {
  const store = yield* Store
  const ids = yield* Ids
  return yield* retryConflict(
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const request = yield* store.find("channel_request", id)
      if (request === undefined) return undefined
      const intent = yield* store.find("payment_intent", request.payment_intent)
      if (request.status === "done" || request.status === "refused") return intent
      const refund = yield* concluded(request, intent, outcome, now)
      const debit = yield* settleDebit(request, intent, outcome, now)
      const moved = intent === undefined ? undefined : captured(intent, request, outcome, now)
      const record = answered(request, outcome, now)
      const own = { op: "replace", kind: "channel_request", record } as const
      const payee = intent?.payee_account_id ?? request.account_id
      const refusal =
        outcome.type === "refused"
          ? afterRefusal(request, payee, outcome.message, ids, now)
          : NOTHING
      const books = yield* inBooks(request, intent, moved, outcome, now)
      const told = together(together({ writes: [own] }, refund), books)
      const change = together(told, debit?.change ?? NO_CHANGE)
      const commit = ({ keys, writes }: Follows) =>
        store.commit({
          ...change,
          keys: [...keys, ...(debit?.keys ?? [])],
          reservations: debit?.change.reservations ?? [],
          writes: [...change.writes, ...writes],
        })
      // What is refused follows from a refusal, what is noted from what was done: never both.
      yield* commit(outcome.type === "refused" ? refusal : books.noted).pipe(
        Effect.catchTag("Conflict", (conflict) =>
          isReturned(conflict) || isNoted(conflict) ? commit(NOTHING) : Effect.fail(conflict),
        ),
      )
      const after: PaymentIntent | undefined = debit?.intent ?? moved ?? intent
      return after
    }).pipe(
      Effect.catchIf(
        (error) => error instanceof Conflict && isOthersTrade(error) && outcome.type === "done",
        (error) =>
          outcome.type === "done" ? settleMisattributed(id, outcome.trade_no) : Effect.fail(error),
      ),
    ),
    // Only a refund that fails changes the payment that others are refunding.
    outcome.type === "refused" ? CONTENDERS : undefined,
  )
})
