import { Clock, Effect, Result } from "effect"
import type { Caller } from "../accounts/Account.ts"
import { find } from "../channels/Channel.ts"
import { type CommitPart, merge } from "../commits/Commit.ts"
import { callOf, draft, TAKEOVER_AFTER } from "../gateway/ChannelRequest.ts"
import type { Known } from "../gateway/settleRequest.ts"
import { answerProvisionally, reserveKey, retryConflict } from "../idempotency/requestKey.ts"
import { Channels } from "../ports/Channels.ts"
import { Installation } from "../ports/Installation.ts"
import { Ids } from "../ports/Ids.ts"
import { type Commit, Store } from "../ports/Store.ts"
import { reserve, spendingOf } from "../kyc/limits/Limits.ts"
import { refusedForDay, spenderOf } from "../kyc/limits/payers.ts"
import type { Timestamp } from "../shared/Timestamp.ts"
import { Failure } from "../shared/Failure.ts"
import { findVisible, onlyPayee } from "./access.ts"
import { type CaptureInput, checkCapture, otherCapture } from "./CaptureInput.ts"
import { settleCapture } from "./captureOutcome.ts"
import { settledAsOf } from "./expireIntent.ts"
import { view } from "./IntentView.ts"
import { asOf, chargeAt, invalidTransition } from "./Lifecycle.ts"
import type { PaymentIntent, RequestPayment as RequestPaymentIntent } from "./PaymentIntent.ts"
import * as RequestPayment from "./RequestPayment.ts"
import { takenAmount } from "./Taken.ts"
import { writeIntent } from "./writeIntent.ts"

type Begun =
  | { readonly type: "captured"; readonly intent: PaymentIntent }
  | { readonly type: "under_way"; readonly intent: PaymentIntent }
  | ({ readonly type: "ours" } & Known)

/**
 * Returns what a payment takes of its payee's day if it was not counted at its creation. A paid
 * endpoint requests such payments from unknown callers.
 */
const countedNow = Effect.fnUntraced(function* (
  { account }: Caller,
  { amount, spending }: PaymentIntent,
  at: Timestamp,
) {
  if (spending === null || spending.counters.length > 0) return undefined
  const spender = yield* spenderOf(account.id, account.agent_id, "payee")
  return { spender, amount, spending: spendingOf(spender, spending.cents, at) }
})

const isBegun = ({ status }: PaymentIntent): boolean =>
  status === "capturing" || status === "captured" || status === "succeeded"

/** Returns the payment in `capturing` and the channel's task; undefined if the move is illegal. */
const requested = Effect.fnUntraced(function* (
  intent: RequestPaymentIntent,
  channel: string,
  request: string,
  input: CaptureInput,
) {
  if (!RequestPayment.machine.can(intent, "capture_requested")) return undefined
  const { catalog } = yield* Installation
  const value = yield* Effect.fromResult(checkCapture(intent, input, find(catalog, channel)))
  const part = value === undefined ? {} : { value }
  const moved = RequestPayment.machine.step(intent, { type: "capture_requested", request, ...part })
  if (Result.isFailure(moved)) return undefined
  const charge_id = chargeAt(intent, channel) ?? intent.id
  return { record: moved.success.record, task: { action: "capture", channel, charge_id } as const }
})

/** Stores the capture under its own request number before the channel is asked. */
const begin = Effect.fnUntraced(function* (
  caller: Caller,
  stored: PaymentIntent,
  input: CaptureInput,
) {
  yield* onlyPayee(caller, stored, "capture")
  const now = yield* Clock.currentTimeMillis
  const intent = yield* settledAsOf(stored, now)
  if (isBegun(intent)) {
    const other = otherCapture(intent, input)
    if (other !== undefined) return yield* other
    const type = intent.status === "capturing" ? "under_way" : "captured"
    return { type, intent } as const
  }
  if (intent.flow !== "request_payment" || intent.channel === null) {
    return yield* invalidTransition(intent, "captured")
  }
  const number = `creq_${(yield* Ids).uuid()}`
  const capture = yield* requested(intent, intent.channel, number, input)
  if (capture === undefined) return yield* invalidTransition(intent, "captured")
  const { record, task } = capture
  const amount = takenAmount(record)
  const request = { ...draft(number, intent, task, now, now + TAKEOVER_AFTER), amount }
  const counted = yield* countedNow(caller, intent, now)
  const held = counted === undefined ? record : { ...record, spending: counted.spending }
  const written = yield* writeIntent(intent, held, now)
  const asked: CommitPart = {
    writes: [{ op: "insert", kind: "channel_request", record: request }],
  }
  const commit = merge(written, asked, yield* reserveKey())
  yield* counted === undefined
    ? (yield* Store).commit(commit)
    : storeCounted(commit, counted, caller.account.id)
  // The version as it is stored now.
  return { type: "ours", request, payment: { ...held, version: held.version + 1 } } as const
})

const storeCounted = Effect.fnUntraced(function* (
  commit: Commit,
  { amount, spender, spending }: NonNullable<Effect.Success<ReturnType<typeof countedNow>>>,
  asker: string,
) {
  const { limits } = (yield* Installation).terms
  const reservations = reserve(limits, spender.level, spending)
  const stored = (yield* Store).commit(merge(commit, { reservations }))
  yield* Effect.catchTag(stored, "Conflict", (conflict) =>
    refusedForDay(spender, amount, spending.cents, asker, conflict),
  )
})

const POLLS = 60

/** Waits, up to six seconds, for the outcome of a capture that another request began. */
const outcomeOf = Effect.fnUntraced(function* (id: string) {
  const store = yield* Store
  for (let poll = 0; poll < POLLS; poll++) {
    yield* Effect.sleep("100 millis")
    const intent = yield* store.find("payment_intent", id)
    if (intent !== undefined && intent.status !== "capturing") return intent
  }
  return undefined
})

const refused = (channel: string, reason: string) =>
  new Failure({
    code: "CHANNEL_ERROR",
    message: `The channel refused the capture: ${reason}. This capture charged nothing.`,
    details: { channel, channel_reason: reason },
  })

/** Returns the capture's answer for the resulting intent. */
const show = Effect.fnUntraced(function* (caller: Caller, intent: PaymentIntent) {
  const now = yield* Clock.currentTimeMillis
  if (intent.status === "capturing") {
    // This caller has waited for the answer, or has not got it.
    return view({ ...intent, channel_outcome: "unknown" }, now, caller.account.id)
  }
  if (intent.status === "authorized") {
    return yield* refused(intent.channel ?? "", "it did not take the money")
  } else if (intent.status !== "captured" && intent.status !== "succeeded") {
    return yield* invalidTransition(asOf(intent, now), "captured")
  }
  return view(intent, now, caller.account.id)
})

/** Captures the payment, or waits for another request's capture. Returns the payment after it. */
const take = Effect.fnUntraced(function* (
  caller: Caller,
  id: string,
  input: CaptureInput,
  known: PaymentIntent | undefined,
) {
  let first = known
  const attempt = Effect.suspend(() => {
    const stored = first === undefined ? findVisible(caller, id) : Effect.succeed(first)
    first = undefined
    return Effect.flatMap(stored, (intent) => begin(caller, intent, input))
  })
  const begun: Begun = yield* retryConflict(attempt)
  if (begun.type === "captured") return begun.intent
  if (begun.type === "under_way") return (yield* outcomeOf(id)) ?? begun.intent
  const { request } = begun
  const outcome = yield* (yield* Channels).call(callOf(request))
  const intent = yield* settleCapture(request.id, outcome, begun)
  if (outcome.type === "refused" && intent?.status === "authorized") {
    return yield* refused(request.channel, outcome.message)
  }
  return intent ?? (yield* invalidTransition(yield* findVisible(caller, id), "captured"))
})

/**
 * Captures as {@link captureIntent} does, and returns the payment as it is stored afterwards. A
 * caller that has just read the payment passes it as `known`: if it is stale, the commit is refused
 * and the payment is read again.
 */
export const capturePayment = (
  caller: Caller,
  id: string,
  input: CaptureInput,
  known?: PaymentIntent,
) =>
  Effect.tap(take(caller, id, input, known), ({ status }) =>
    status === "capturing" ? answerProvisionally : Effect.void,
  )

/**
 * Captures the authorized money for the payee (Request Payment, capture). The channel is called
 * once per payment, whatever the number of callers. The others wait for that call's outcome. If the
 * outcome stays unknown, the payment is returned as authorized with `channel_outcome: "unknown"`,
 * and a worker goes on asking the channel.
 *
 * With an amount, it captures that much, and the channel releases the rest of the hold. A payment
 * is captured once: the same amount again returns the first capture's outcome.
 *
 * Fails with `INVALID_AMOUNT`; with `INVALID_TRANSITION` if another amount was captured; and with
 * `INSUFFICIENT_KYC` if a payment that was not counted yet exceeds its payee's daily limit.
 */
export const captureIntent = Effect.fn("captureIntent")(function* (
  caller: Caller,
  id: string,
  input: CaptureInput = {},
) {
  return yield* show(caller, yield* capturePayment(caller, id, input))
})
