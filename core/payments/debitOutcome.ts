import { Effect, Result } from "effect"
import { catchConflict, isKeyTaken } from "../commits/catchConflict.ts"
import { type CommitPart, empty, merge } from "../commits/Commit.ts"
import { askOnce } from "../gateway/askOnce.ts"
import type { ChannelOutcome } from "../gateway/ChannelCall.ts"
import type { ChannelRequest } from "../gateway/ChannelRequest.ts"
import { othersTrade, TRADE_KEYS, tradeKey } from "../gateway/Contradiction.ts"
import { newDiscrepancy } from "../gateway/noteDiscrepancy.ts"
import { type MeaningOf, NO_MEANING, recordOutcome } from "../gateway/settleRequest.ts"
import { type ChannelRefusal, Channels } from "../ports/Channels.ts"
import type { Ids } from "../ports/Ids.ts"
import { Installation } from "../ports/Installation.ts"
import { Store, type StoreUnavailable } from "../ports/Store.ts"
import type { Vault } from "../ports/Vault.ts"
import { retryConflict } from "../idempotency/requestKey.ts"
import { catchFailure } from "../shared/catchFailure.ts"
import { toMajor } from "../shared/Money.ts"
import type { Timestamp } from "../shared/Timestamp.ts"
import { actOnCharge } from "./actOnCharge.ts"
import { stepTime } from "./Lifecycle.ts"
import * as OneTimePay from "./OneTimePay.ts"
import type { PaymentIntent } from "./PaymentIntent.ts"
import { unreachedInvoice } from "../invoices/unreachedInvoice.ts"
import { writeMove } from "./writeMove.ts"

type Debiting = Extract<PaymentIntent, { status: "debiting" }>

/** Makes the link of a payment at the channel. */
type MakeLink = (intent: Debiting, channel: string) => Effect.Effect<void, ChannelRefusal>

/** Returns the payment that a request charges; undefined if the outcome is no news to it. */
const debitedBy = (
  request: ChannelRequest,
  intent: PaymentIntent | undefined,
): Debiting | undefined =>
  intent?.status === "debiting" && intent.debit_request === request.id ? intent : undefined

/** Returns the event of a decline: a fall back to a deep link, unless the payment has expired. */
const afterDecline = Effect.fnUntraced(function* (
  intent: Debiting,
  channel: string,
  makeLink: MakeLink,
  at: Timestamp,
) {
  if (at >= intent.expires_at) return { type: "debit_declined", deeplink: null } as const
  const made = yield* Effect.result(makeLink(intent, channel))
  if (Result.isSuccess(made)) {
    const deeplink = OneTimePay.deepLink(intent.id, intent.amount, channel)
    return { type: "debit_declined", deeplink } as const
  }
  const message = `The debit was declined, and no link could be created: ${made.failure.message}`
  return { type: "failed", code: "CHANNEL_ERROR", message, at } as const
})

const eventOf = (
  intent: Debiting,
  channel: string,
  outcome: ChannelOutcome,
  makeLink: MakeLink,
  at: Timestamp,
): Effect.Effect<OneTimePay.OneTimeEvent> => {
  switch (outcome.type) {
    case "done":
      return Effect.succeed({ type: "debited", trade_no: outcome.trade_no, at })
    case "refused":
      return afterDecline(intent, channel, makeLink, at)
    default:
      return Effect.succeed({ type: "debit_unknown" })
  }
}

/**
 * Returns what the outcome of its debit does to a payment (One-Time Pay, auto-pay): it is
 * completed, falls back to its deep link, or goes on waiting. The link is made before the decline
 * is stored. After a crash in between, it is made again under the same number.
 */
const debitMeaning =
  (makeLink: MakeLink): MeaningOf<StoreUnavailable, Ids | Store | Vault> =>
  (request, payment, outcome, now) =>
    Effect.gen(function* () {
      const intent = debitedBy(request, payment)
      if (intent === undefined) return NO_MEANING
      const { channel } = request
      const event = yield* eventOf(intent, channel, outcome, makeLink, stepTime(intent, now))
      if (event.type === "debit_unknown" && intent.channel_outcome === "unknown") return NO_MEANING
      const trade_no = event.type === "debited" ? event.trade_no : intent.trade_no
      const moved = OneTimePay.machine.step({ ...intent, trade_no }, event)
      if (Result.isFailure(moved)) return NO_MEANING
      // An attempt whose answer or commit was lost may have made a link.
      const tasks =
        event.type === "failed" ? [{ action: "close", channel, charge_id: intent.id } as const] : []
      const written = yield* writeMove(intent, moved.success, tasks, now)
      const claims: CommitPart =
        trade_no === null
          ? {}
          : { keys: [{ op: "claim", key: tradeKey(channel, trade_no), owner: intent.id }] }
      const hasNoLink = event.type === "failed" || ("deeplink" in event && event.deeplink === null)
      const unreached = hasNoLink ? yield* unreachedInvoice(intent, now) : empty
      return { part: merge(written, claims, unreached), payment: moved.success.record }
    })

const NOT_ITS_OWN = "The channel answered the debit with a trade that pays another payment."

/**
 * Returns what happens if a channel answers a debit with the trade of another payment. Asking again
 * would not tell whose money it is. The payment fails, nothing is closed or refunded under that
 * trade, and a discrepancy is noted.
 */
const misattributed =
  (trade_no: string): MeaningOf<StoreUnavailable, Ids | Store | Vault> =>
  (request, payment, _, now) =>
    Effect.gen(function* () {
      const intent = debitedBy(request, payment)
      if (intent === undefined) return NO_MEANING
      const at = stepTime(intent, now)
      const failed = { type: "failed", code: "CHANNEL_ERROR", message: NOT_ITS_OWN, at } as const
      const moved = OneTimePay.machine.step(intent, failed)
      if (Result.isFailure(moved)) return NO_MEANING
      const part = yield* writeMove(intent, moved.success, [], now)
      const message = { channel: request.channel, trade_no, trade_status: "SUCCESS" }
      const once = yield* newDiscrepancy(intent, message, othersTrade(intent.id, trade_no), now)
      return { part, once, payment: moved.success.record }
    })

/** The outcome that is recorded for such a request, so that nobody asks about it again. */
const asRefused = { type: "refused", message: NOT_ITS_OWN } as const

/** The outcome of a debit that did not reach its channel while it could still be made. */
export const NEVER_MADE = {
  type: "refused",
  message: "The channel did not receive the debit before it expired.",
} as const

/** Gives back the money of a debit that reached its channel after it was given up. */
const madeTooLate = Effect.fnUntraced(function* (id: string, trade_no: string) {
  const request = yield* (yield* Store).find("channel_request", id)
  if (request?.status !== "refused" || request.failure !== NEVER_MADE.message) return
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

/**
 * Records the outcome of a debit. The link of a declined payment is made once. Whoever makes a
 * debit that has been given up meanwhile gives its money back.
 */
export const settleDebit = Effect.fnUntraced(function* (id: string, outcome: ChannelOutcome) {
  const channels = yield* Channels
  const makeLink = askOnce(
    ({ amount, description, expires_at, id: number }: Debiting, channel: string) =>
      channels.createDeepLink({
        channel,
        out_trade_no: number,
        charge_id: number,
        amount,
        description,
        expires_at,
      }),
  )
  const recorded = recordOutcome(id, outcome, debitMeaning(makeLink))
  const after = yield* retryConflict(
    outcome.type === "done"
      ? recorded.pipe(
          catchConflict(isKeyTaken(TRADE_KEYS), () =>
            recordOutcome(id, asRefused, misattributed(outcome.trade_no)),
          ),
        )
      : recorded,
  )
  if (outcome.type === "done" && after?.status !== "completed") {
    yield* madeTooLate(id, outcome.trade_no)
  }
  return after
})
