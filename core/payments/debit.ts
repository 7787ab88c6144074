import type { CommitPart, Guard } from "../commits/Commit.ts"
import { Clock, Effect, Result } from "effect"
import { callOf, type ChannelRequest, draft, TAKEOVER_AFTER } from "../gateway/ChannelRequest.ts"
import { CurrentRequest } from "../idempotency/Reply.ts"
import { reserveKey } from "../idempotency/requestKey.ts"
import { Channels } from "../ports/Channels.ts"
import { Ids } from "../ports/Ids.ts"
import { Installation } from "../ports/Installation.ts"
import { Store } from "../ports/Store.ts"
import type { Timestamp } from "../shared/Timestamp.ts"
import { toMajor } from "../shared/Money.ts"
import { catchFailure } from "../shared/catchFailure.ts"
import * as OneTime from "./OneTimePay.ts"
import type { IntentCommon, OneTimePayment, PaymentIntent } from "./PaymentIntent.ts"
import { actOnCharge } from "./actOnCharge.ts"
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

/** The outcome of a debit that did not reach its channel while it could still be made. */
export const NEVER_MADE = {
  type: "refused",
  message: "The channel did not receive the debit before it expired.",
} as const

/** Gives back the money of a debit that reached its channel after it was given up. */
const madeTooLate = Effect.fnUntraced(function* (request: ChannelRequest, trade_no: string) {
  const latest = yield* (yield* Store).find("channel_request", request.id)
  if (latest?.status !== "refused" || latest.failure !== NEVER_MADE.message) return
  const { currencies } = yield* Installation
  const { amount, channel, payment_intent: out_trade_no } = request
  const currency = currencies.get(amount.currency)
  if (currency === undefined) return
  const total_amount = toMajor(amount, currency)
  const money = { total_amount, currency: currency.code }
  yield* actOnCharge({ channel, out_trade_no, trade_no, trade_status: "SUCCESS", ...money }).pipe(
    // A trade that pays another payment has been noted. Nothing is sent back under it.
    catchFailure(["CHANNEL_MISMATCH"], () => Effect.void),
    // The callback is made of the request, so its amount is the payment's.
    catchFailure(["NOT_FOUND", "AMOUNT_MISMATCH"], Effect.die),
  )
})

/** Makes the debit at the channel and returns the payment with its outcome. */
export const finishDebit = Effect.fnUntraced(function* ({ intent, request }: Begun) {
  const outcome = yield* (yield* Channels).call(callOf(request))
  const after: PaymentIntent = (yield* settleDebit(request.id, outcome)) ?? intent
  if (outcome.type === "done" && after.status !== "completed") {
    yield* madeTooLate(request, outcome.trade_no)
  }
  return after
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
