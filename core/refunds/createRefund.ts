import { Clock, Effect } from "effect"
import { catchFailure } from "../shared/catchFailure.ts"
import type { Caller } from "../accounts/Account.ts"
import { find } from "../channels/Channel.ts"
import { type CommitPart, empty, merge } from "../commits/Commit.ts"
import { callOf, type ChannelRequest, draft, TAKEOVER_AFTER } from "../gateway/ChannelRequest.ts"
import { CurrentRequest } from "../idempotency/Reply.ts"
import { reserveKey, retryConflict, type Repeatable } from "../idempotency/requestKey.ts"
import { enter } from "../ledger/enter.ts"
import { refundJournals } from "./RefundJournals.ts"
import { keySpending, loggedUse } from "../keys/keySpending.ts"
import { findVisible, onlyPayee } from "../payments/access.ts"
import { asOf, chargeAt } from "../payments/Lifecycle.ts"
import type { PaymentIntent } from "../payments/PaymentIntent.ts"
import { writeIntent } from "../payments/writeIntent.ts"
import { type RevokeInput, UNUSED, type Unused } from "../revocations/RevokeInput.ts"
import {
  insertRevocations,
  newRevocations,
  planRevocations,
} from "../revocations/refundRevocations.ts"
import { Channels } from "../ports/Channels.ts"
import { Ids } from "../ports/Ids.ts"
import { Installation } from "../ports/Installation.ts"
import { Store } from "../ports/Store.ts"
import { notFound } from "../shared/Failure.ts"
import type { Money } from "../shared/Money.ts"
import type { Timestamp } from "../shared/Timestamp.ts"
import { CONTENDERS, settleRefund } from "./refundOutcome.ts"
import type { Refund } from "./Refund.ts"
import { begun, sharesOf } from "../payments/Refunded.ts"
import type { CreateRefundInput, RefundIntentInput } from "./RefundInput.ts"
import { checkRefund, refusedByChannel } from "./RefundRules.ts"
import { showRefund } from "./showRefund.ts"

/** A refund as it is asked for. Only the service itself refunds what was not used. */
type RefundOrder = Omit<CreateRefundInput, "revoke"> & {
  readonly revoke?: RevokeInput | Unused
}

interface Pending {
  readonly refund: Refund
  readonly request: ChannelRequest
}

/** Returns the refund of `value` minor units and the request that asks the channel for it. */
const pendingRefund = (
  intent: PaymentIntent,
  channel: string,
  value: number,
  input: RefundOrder,
  names: { readonly refund: string; readonly number: string },
  now: Timestamp,
): Pending => {
  const { account_id, id, payee_account_id, service_id } = intent
  const shares = sharesOf(intent, value)
  const charge_id = chargeAt(intent, channel) ?? id
  const task = { action: "refund", channel, charge_id } as const
  return {
    refund: {
      id: names.refund,
      version: 1,
      payment_intent: id,
      account_id,
      payee_account_id,
      service_id,
      ...shares,
      reason: input.reason ?? null,
      description: input.description ?? null,
      revoke: input.revoke ?? null,
      channel,
      channel_request: names.number,
      status: "pending",
      created_at: now,
      updated_at: now,
    },
    request: {
      ...draft(names.number, intent, task, now, now + TAKEOVER_AFTER),
      amount: shares.amount,
      refund: names.refund,
    },
  }
}

/** Returns the refund that an earlier request under the same key began and did not answer. */
const resumed = Effect.fnUntraced(function* () {
  const resumes = (yield* CurrentRequest)?.progress.resumes ?? null
  if (resumes === null) return undefined
  const store = yield* Store
  const refund = yield* store.find("refund", `ref_${resumes}`)
  const request = refund && (yield* store.find("channel_request", refund.channel_request))
  return refund && request && { refund, request }
})

/** Returns what is stored together with a new refund, given the refund's id. */
type Along<E, R> = (refund: string, at: Timestamp) => Effect.Effect<CommitPart, E, R>

/** Sets the refund aside under its own request number, before the channel is asked. */
const begin = Effect.fnUntraced(function* <E, R>(
  caller: Caller,
  input: RefundOrder,
  along: Along<E, R>,
) {
  const stored = yield* findVisible(caller, input.payment_intent)
  yield* onlyPayee(caller, stored, "refund")
  const earlier = yield* resumed()
  if (earlier !== undefined) return earlier
  const now = yield* Clock.currentTimeMillis
  const intent = asOf(stored, now)
  const { catalog } = yield* Installation
  const channel = intent.channel === null ? undefined : find(catalog, intent.channel)
  const value = yield* Effect.fromResult(checkRefund(intent, input.amount, channel, now))
  const amount = { currency: intent.amount.currency, value }
  const keyed = caller.restrictions == null ? undefined : yield* keySpending(caller, amount, now)
  const plan = yield* planRevocations(caller, intent, amount, input.revoke)
  const ids = yield* Ids
  const current = yield* CurrentRequest
  // Named after the request that makes it, so that a retry after a crash finds it.
  const names = {
    refund: `ref_${current?.progress.holder ?? ids.uuid()}`,
    number: `creq_${ids.uuid()}`,
  }
  const pending = pendingRefund(intent, intent.channel ?? "", value, input, names, now)
  const revocations = yield* newRevocations({ id: names.refund, intent, at: now }, plan)
  const refunded = begun(intent.refunded, pending.refund)
  // The changed sums are no move of the payment, so only the refund is posted.
  const entered = yield* enter(refundJournals(pending.refund, false), now)
  const summed = yield* writeIntent(intent, { ...intent, refunded }, now)
  const own: CommitPart = {
    writes: [
      { op: "insert", kind: "refund", record: pending.refund },
      { op: "insert", kind: "channel_request", record: pending.request },
      ...insertRevocations(revocations),
      ...(keyed === undefined ? [] : [yield* loggedUse(keyed, names.refund, amount)]),
    ],
  }
  yield* (yield* Store).commit(
    merge(entered, summed, own, yield* along(names.refund, now), yield* reserveKey()),
  )
  return pending
})

/** Returns the caller's view of a refund after the channel was asked, or fails with its refusal. */
export const answeredRefund = Effect.fnUntraced(function* (caller: Caller, id: string) {
  const refund = yield* (yield* Store).find("refund", id)
  if (refund === undefined) return yield* notFound("refund", id)
  const intent = yield* findVisible(caller, refund.payment_intent)
  if (refund.status !== "failed") return yield* showRefund(refund, intent, caller.account.id)
  const { catalog } = yield* Installation
  return yield* refusedByChannel(intent, find(catalog, refund.channel), refund.channel_reason)
})

/**
 * Refunds money of a payment through the channel that took it (Refunds and revocations). The refund
 * is pending until the channel has confirmed it, which some do at once. A worker asks about the
 * others. Without an amount, all that is left is refunded. `along` adds to the refund's own commit.
 *
 * Fails with `NOT_FOUND`, `FORBIDDEN`, `INVALID_AMOUNT`, `REFUND_NOT_ALLOWED`,
 * `REFUND_WINDOW_EXPIRED`, `REFUND_EXCEEDS_PAYMENT`, `REFUND_LIMIT_EXCEEDED` and
 * `REFUND_CHANNEL_REJECTED`, and as `planRevocations` does.
 */
export const createRefund = Effect.fn("createRefund")(function* <
  E = never,
  R extends Repeatable = never,
>(caller: Caller, input: RefundOrder, along: Along<E, R> = () => Effect.succeed(empty)) {
  const { refund, request } = yield* retryConflict(begin(caller, input, along), CONTENDERS)
  const channels = yield* Channels
  if (request.status === "outstanding" || request.status === "unknown") {
    yield* settleRefund(request.id, yield* channels.call(callOf(request)))
  }
  return yield* answeredRefund(caller, refund.id)
})

/** Creates a refund by the payment's own route (Request Payment, refund), without targets. */
export const refundIntent = <E = never, R extends Repeatable = never>(
  caller: Caller,
  id: string,
  input: RefundIntentInput,
  along?: Along<E, R>,
) =>
  createRefund(caller, { payment_intent: id, ...input }, along).pipe(
    catchFailure(OF_TARGETS, Effect.die),
  )

/**
 * Refunds a part of a payment that bought nothing. What the policy revokes does not prevent it: it
 * applies only if nothing of the payment is kept, and is decided when the refund is confirmed.
 */
export const refundUnused = <E = never, R extends Repeatable = never>(
  caller: Caller,
  payment_intent: string,
  amount: Money,
  along?: Along<E, R>,
) =>
  createRefund(caller, { payment_intent, amount, revoke: UNUSED }, along).pipe(
    catchFailure([...OF_TARGETS, "revocation_limit_exceeded"], Effect.die),
  )

const OF_TARGETS = [
  "revocation_target_invalid_type",
  "revocation_scope_invalid",
  "refund_exceeds_revocable",
] as const
