import { Effect, Result } from "effect"
import type { Caller } from "../accounts/Account.ts"
import { meter } from "../billing/Meter.ts"
import { replyWith, retryConflict } from "../idempotency/requestKey.ts"
import type { ChannelRefusal } from "../ports/Channels.ts"
import { Ids } from "../ports/Ids.ts"
import type { Reservation, Write } from "../ports/Store.ts"
import { checkService, narrowed, type Quote, usedFor } from "../quotes/Quote.ts"
import type { Failure, FailureCode } from "../shared/Failure.ts"
import { draftRequested } from "./draftIntent.ts"
import type { CreateIntentInput } from "./IntentInput.ts"
import { show } from "./IntentView.ts"
import { paymentEvents } from "./PaymentEvent.ts"
import { checkMetadata, REQUEST_LIFETIME, type RequestPayment } from "./PaymentIntent.ts"
import { makeOffers, newQrCodes, type OfferOptions, type QrCodes } from "./registerCharges.ts"
import * as Request from "./RequestPayment.ts"
import { commitPayment, inserted } from "./writeIntent.ts"

type Pending = Extract<RequestPayment, { status: "pending" }>

/** A new payment as the answer shows it (`pending`), and as it is stored (`record`). */
export interface CreatedIntent {
  readonly pending: Pending
  readonly record: RequestPayment
}

/** The options of a creation. */
export interface CreationOptions<A, Code extends FailureCode> extends OfferOptions {
  /** Whether the payment counts against a day's limit only from its capture on. */
  readonly countedLater?: boolean
  /** Returns what the new payment adds to counters of its own. */
  readonly counts?: (record: RequestPayment) => ReadonlyArray<Reservation>
  /** Returns the answer and what else is stored with the payment; a failure stores nothing. */
  readonly answer: (
    created: CreatedIntent,
    caller: Caller,
  ) => Result.Result<{ readonly view: A; readonly writes: ReadonlyArray<Write> }, Failure<Code>>
}

const quoteUse = (quote: Quote, { id }: RequestPayment): Write => ({
  op: "replace",
  kind: "quote",
  record: usedFor(quote, id),
})

/** Returns the intent to store: past `pending` with QR codes, failed without any. */
const storedIntent = (pending: Pending, failed: ChannelRefusal | undefined) => {
  const moved = Request.machine.step(
    pending,
    pending.offers.length > 0
      ? { type: "qr_created" }
      : {
          type: "failed",
          code: "QR_GENERATION_FAILED",
          message: failed?.message ?? "The channel could not make a QR code.",
          at: pending.created_at,
        },
  )
  return Result.getOrThrow(moved)
}

/** Returns the answer to the creation of an ordinary payment. */
export const showIntent = ({ pending, record }: CreatedIntent, caller: Caller) =>
  Result.succeed({
    view: show(record.status === "failed" ? record : pending, caller.account.id),
    writes: [],
  })

/**
 * Creates a Request Payment and returns the view that `answer` gives. The caller has checked the
 * input. A quote belongs to the caller, is unused, and is used up by the payment. `codes` survive a
 * conflict, so that a second decision makes no second code.
 */
export const requestPayment = Effect.fnUntraced(function* <A, Code extends FailureCode = never>(
  caller: Caller,
  input: CreateIntentInput,
  options: CreationOptions<A, Code>,
  codes: QrCodes,
) {
  const { counts, countedLater = false, quote } = options
  const ids = yield* Ids
  const draft = yield* draftRequested(caller, input, REQUEST_LIFETIME, codes, { countedLater })
  const { intent, service } = draft
  const now = intent.created_at
  if (quote !== undefined) yield* Effect.fromResult(checkService(quote, service))
  const accepting = quote === undefined ? service : narrowed(quote, service)
  const offering = { ...draft, service: accepting }
  const { failed, terms } = yield* makeOffers(input.payer_channel, offering, options, codes)
  const pending: Pending = { ...intent, ...terms, flow: "request_payment", status: "pending" }
  const { record, emit } = storedIntent(pending, failed)
  const answer = yield* Effect.fromResult(options.answer({ pending, record }, caller))
  const free = quote === undefined || record.status === "failed"
  yield* commitPayment(
    draft,
    record,
    inserted(record),
    {
      writes: [...(quote === undefined ? [] : [quoteUse(quote, record)]), ...answer.writes],
      // Only a failed payment has an event.
      events: emit.length === 0 ? [] : paymentEvents(record, emit, ids, now),
      guards: [{ kind: "service", id: service.id, version: service.version }],
    },
    free ? {} : { reservations: meter(caller.account.id, "fx-route", now) },
    counts === undefined ? {} : { reservations: counts(record) },
    yield* replyWith(answer.view),
  )
  return answer.view
})

/**
 * Creates a payment that a person pays by scanning a QR code (Request Payment). The answer shows it
 * `pending` with the code, or with one code per channel if the payer chooses among several. By then
 * it is stored as `qr_generated`. If no channel could make a code, the answer shows it as `failed`.
 */
export const createIntent = Effect.fnUntraced(function* (caller: Caller, input: CreateIntentInput) {
  const tooLarge = checkMetadata(input.metadata)
  if (tooLarge !== undefined) return yield* tooLarge
  const codes = yield* newQrCodes
  return yield* retryConflict(requestPayment(caller, input, { answer: showIntent }, codes))
})
