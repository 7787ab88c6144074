import type { CommitPart, Guard } from "../commits/Commit.ts"
import { Clock, Effect, Result } from "effect"
import { callOf, type ChannelRequest, draft, TAKEOVER_AFTER } from "../gateway/ChannelRequest.ts"
import { paidAlready } from "../gateway/Charge.ts"
import { CurrentRequest } from "../idempotency/Reply.ts"
import { reserveKey } from "../idempotency/requestKey.ts"
import { Channels } from "../ports/Channels.ts"
import { Ids } from "../ports/Ids.ts"
import { Store } from "../ports/Store.ts"
import type { Timestamp } from "../shared/Timestamp.ts"
import * as OneTime from "./OneTimePay.ts"
import type { IntentCommon, OneTimePayment, PaymentIntent } from "./PaymentIntent.ts"
import { settleDebit } from "./debitOutcome.ts"
import type { IntentDraft } from "./draftIntent.ts"
import { commitPayment, inserted } from "./writeIntent.ts"

/** A payment that is being charged, and the request that charges it. */
export interface Begun {
  readonly intent: PaymentIntent
  readonly request: ChannelRequest
}

/**
 * Stores the payment, its debit request and `also` in one commit, before the channel is asked. The
 * commit is guarded by the versions of install and mandate that were read: an install that was
 * deleted and made again keeps its id and has another mandate.
 */
export const beginDebit = Effect.fnUntraced(function* (
  drafted: IntentDraft,
  mandate: Pick<Guard, "id" | "version">,
  common: IntentCommon & { readonly channel: string },
  also: CommitPart,
) {
  const { install, service } = drafted
  const { channel, created_at: now, id } = common
  const number = `creq_${(yield* Ids).uuid()}`
  const pending: OneTimePayment = {
    ...common,
    flow: "one_time_pay",
    deeplink: null,
    status: "pending",
  }
  const requested = OneTime.machine.step(pending, { type: "debit_requested", request: number })
  const intent = Result.getOrThrow(requested).record
  const task = { action: "debit", channel, charge_id: id } as const
  const request: ChannelRequest = {
    ...draft(number, intent, task, now, now + TAKEOVER_AFTER),
    mandate: mandate.id,
  }
  const installed =
    install === undefined
      ? []
      : [{ kind: "install", id: install.id, version: install.version } as const]
  const own: CommitPart = {
    writes: [{ op: "insert", kind: "channel_request", record: request }],
    guards: [
      { kind: "service", id: service.id, version: service.version },
      { kind: "mandate", id: mandate.id, version: mandate.version },
      ...installed,
    ],
  }
  yield* commitPayment(drafted, intent, inserted(intent), own, also, yield* reserveKey())
  const begun: Begun = { intent, request }
  return begun
})

/**
 * Makes a debit, unless the channel has been paid for its charge already, by a call that the store
 * does not know of or whose answer was lost. The outcome is unknown if the channel does not say.
 */
export const debitUnlessPaid = Effect.fnUntraced(function* (request: ChannelRequest) {
  const { amount, channel, charge_id, payment_intent } = request
  const channels = yield* Channels
  const answer = yield* channels.query({ channel, charge_id, out_trade_no: payment_intent })
  if (answer.type === "unknown") return answer
  const paid = paidAlready(answer, yield* Clock.currentTimeMillis)
  if (paid === undefined) return yield* channels.call(callOf(request))
  yield* Effect.logWarning("A debit is not made, since its charge was paid before.", {
    payment_intent,
    channel,
    amount,
    channel_says: paid.trade.amount,
  })
  return paid.outcome
})

/**
 * Makes the debit at the channel and returns the payment with its outcome. A debit that is `late`
 * may have been made before.
 */
export const finishDebit = Effect.fnUntraced(function* (
  { intent, request }: Begun,
  late: boolean = false,
) {
  const outcome = late
    ? yield* debitUnlessPaid(request)
    : yield* (yield* Channels).call(callOf(request))
  return (yield* settleDebit(request.id, outcome)) ?? intent
})

type DebitServices = Effect.Services<ReturnType<typeof finishDebit>>

/**
 * Returns whether a debit that its channel may not have heard of must not be made any more: the
 * payment has expired, or its mandate has ended since.
 */
export const isTooLate = Effect.fnUntraced(function* (request: ChannelRequest, now: Timestamp) {
  if (request.action !== "debit") return false
  const store = yield* Store
  const intent = yield* store.find("payment_intent", request.payment_intent)
  const mandate = yield* store.find("mandate", request.mandate ?? "")
  return intent === undefined || now >= intent.expires_at || mandate?.status !== "active"
})

/**
 * Continues a payment that was made or begun, and returns it. A debit that is too late is left to
 * the worker, which asks the channel about it.
 */
export const goOnWith = Effect.fnUntraced(function* (
  intent: PaymentIntent,
): Effect.fn.Return<PaymentIntent, Effect.Error<ReturnType<typeof finishDebit>>, DebitServices> {
  if (intent.status !== "debiting") return intent
  const store = yield* Store
  const request = yield* store.find("channel_request", intent.debit_request)
  const late = request === undefined || (yield* isTooLate(request, yield* Clock.currentTimeMillis))
  return late ? intent : yield* finishDebit({ intent, request })
})

/**
 * Returns the payment that an earlier request under the same key began and did not answer. Payments
 * are named after the request that makes them, see {@link paymentName}.
 */
export const resumedPayment = Effect.fnUntraced(function* () {
  const request = yield* CurrentRequest
  if (request === null || request.progress.resumes === null) return undefined
  return yield* (yield* Store).find("payment_intent", `pi_${request.progress.resumes}`)
})

/** Returns the id of a new payment: its request's id if that has an Idempotency-Key. */
export const paymentName = Effect.fnUntraced(function* () {
  const request = yield* CurrentRequest
  return `pi_${request?.progress.holder ?? (yield* Ids).uuid()}`
})
