import { Effect, Result } from "effect"
import type { Caller } from "../accounts/Account.ts"
import { meter } from "../billing/Meter.ts"
import type { Channel, Health } from "../channels/Channel.ts"
import { replyWith } from "../idempotency/replyWith.ts"
import type { Charge, ChannelRefusal } from "../ports/Channels.ts"
import { Ids } from "../ports/Ids.ts"
import { Installation } from "../ports/Installation.ts"
import type { Write } from "../ports/Store.ts"
import { priceOffers } from "./priceIntent.ts"
import { bestOf, checkService, narrowed, type Quote, routeOn, usedFor } from "../quotes/Quote.ts"
import type { Failure, FailureCode } from "../shared/Failure.ts"
import { retryConflict } from "../idempotency/retryConflict.ts"
import { paymentEvents } from "./PaymentEvent.ts"
import { checkMetadata, type CreateIntentInput } from "./IntentInput.ts"
import { view } from "./IntentView.ts"
import { chooseChannel } from "../routing/chooseChannel.ts"
import {
  type IntentCommon,
  type Offer,
  REQUEST_LIFETIME,
  type RequestPayment,
} from "./PaymentIntent.ts"
import { refusedByChannel, unusableFor } from "./refusedByChannel.ts"
import * as Request from "./RequestPayment.ts"
import { commitPayment, draftRequested, type IntentDraft } from "./draftIntent.ts"
import { type NewCharges, newQrCodes } from "./registerCharges.ts"
import { writeIntent } from "./writeIntent.ts"

/** The QR codes of a new payment. */
export type QrCodes = NewCharges<{ readonly qr_data: string }>

type Pending = Extract<RequestPayment, { status: "pending" }>

/** A new payment as its answer shows it, and as it is stored. */
export interface CreatedIntent {
  readonly pending: Pending
  readonly record: RequestPayment
}

/** What is particular about a creation. */
export interface CreationOptions<A, Code extends FailureCode> {
  /** Whose prices hold. */
  readonly quote?: Quote
  /** Whether the first of several channels is taken, instead of leaving them to the payer. */
  readonly single?: boolean
  /** What the creation answers, and what else is stored with it; a failure stores nothing. */
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

/** What a payer scans for a charge whose QR code the channel has made. */
const madeOffer = (channel: Channel, charge: Charge, qr_data: string, base_url: string): Offer => ({
  channel: channel.id,
  charge_id: charge.charge_id,
  qr_data,
  scan_url: `${base_url}/pay/${charge.out_trade_no}`,
  label: channel.label,
})

interface Offered {
  readonly channel: Channel | undefined
  readonly offers: ReadonlyArray<Offer>
  readonly failed: ChannelRefusal | undefined
}

/** The QR codes of some channels; `one` is set where there is no other to route around it. */
const offersOf = Effect.fnUntraced(function* (
  candidates: ReadonlyArray<Channel>,
  { amount, description, expires_at }: IntentDraft["intent"],
  codes: QrCodes,
  one: boolean,
) {
  const { base_url } = yield* Installation
  const offers: Array<Offer> = []
  const unusable = new Map<string, Health>()
  let failed: ChannelRefusal | undefined
  for (const channel of candidates) {
    const terms = { channel: channel.id, amount, description, expires_at }
    const { answer, charge } = yield* codes.register(terms)
    if (Result.isSuccess(answer)) {
      offers.push(madeOffer(channel, charge, answer.success.qr_data, base_url))
    } else {
      failed = answer.failure
      const health = unusableFor(failed)
      if (health !== undefined) unusable.set(channel.id, health)
      const refusal = refusedByChannel(channel.id, failed)
      if (refusal !== undefined && one) return yield* refusal
    }
  }
  return { offers, unusable, failed }
})

/**
 * Makes the QR codes of the channels that routing leaves. A channel that turns out to be down or
 * over its rate is routed around; one whose code cannot be made fails the payment, unless others
 * are offered beside it.
 */
const makeOffers = Effect.fnUntraced(function* (
  input: CreateIntentInput,
  { detected, intent, level, preference, service }: IntentDraft,
  { quote, single }: Pick<CreationOptions<unknown, never>, "quote" | "single">,
  codes: QrCodes,
) {
  const { amount } = input
  const wanted = {
    requested: input.payer_channel,
    currency: amount.currency,
    needsDeepLinks: false,
  }
  const payer = { amount, level, detected, preference }
  const refused = new Map<string, Health>()
  for (;;) {
    const chosen = yield* chooseChannel(service, wanted, refused, payer)
    const several = chosen.type === "one" ? [chosen.channel] : chosen.channels
    const best = quote === undefined ? several : bestOf(quote, several)
    const candidates = single === true ? best.slice(0, 1) : best
    const one = chosen.type === "one"
    const { failed, offers, unusable } = yield* offersOf(candidates, intent, codes, one)
    for (const [channel, health] of unusable) refused.set(channel, health)
    if (offers.length > 0 || unusable.size === 0) {
      const left =
        offers.length === 0
          ? candidates
          : candidates.filter(({ id }) => offers.some(({ channel }) => channel === id))
      const only = left.length === 1 ? left[0] : undefined
      return { channel: only, offers, failed } satisfies Offered
    }
  }
})

/** The stored intent: with its QR codes it is past `pending`, without any it has failed. */
const storedIntent = (pending: Pending, offered: Offered, at: number) => {
  const moved = Request.machine.step(
    pending,
    offered.offers.length > 0
      ? { type: "qr_created" }
      : {
          type: "failed",
          code: "QR_GENERATION_FAILED",
          message: offered.failed?.message ?? "The channel could not make a QR code.",
          at,
        },
  )
  return Result.getOrThrow(moved)
}

/** What the payment settles to and costs on the channel of a quote. */
const quoted = (quote: Quote, { channel, offers }: Offered) => {
  const found = channel === undefined ? undefined : routeOn(quote, channel.id)
  return found === undefined
    ? Effect.die(new Error("A quoted payment has no quoted channel."))
    : Effect.succeed({ settlement: found.settlement, fees: found.fees, offers })
}

/** What the creation shows of an ordinary payment. */
export const showIntent = ({ pending, record }: CreatedIntent, caller: Caller) =>
  Result.succeed({
    view: view(record.status === "failed" ? record : pending, record.created_at, caller.account.id),
    writes: [],
  })

/**
 * Creates a Request Payment and returns the view that `answer` gives. The input is checked; a quote
 * is the caller's own and unused, and is used up by the payment. `codes` outlive a conflict: who
 * decides again makes no second code.
 */
export const requestPayment = Effect.fnUntraced(function* <A, Code extends FailureCode = never>(
  caller: Caller,
  input: CreateIntentInput,
  options: CreationOptions<A, Code>,
  codes: QrCodes,
) {
  const { quote } = options
  const ids = yield* Ids
  const draft = yield* draftRequested(caller, input, REQUEST_LIFETIME, codes)
  const { intent, service } = draft
  const now = intent.created_at
  if (quote !== undefined) yield* Effect.fromResult(checkService(quote, service))
  const accepting = quote === undefined ? service : narrowed(quote, service)
  const offered = yield* makeOffers(input, { ...draft, service: accepting }, options, codes)
  const common: IntentCommon = {
    ...intent,
    ...(yield* quote === undefined
      ? priceOffers(offered, input.amount, service.settlement_currency)
      : quoted(quote, offered)),
    channel: offered.channel?.id ?? null,
  }
  const pending: Pending = { ...common, flow: "request_payment", status: "pending" }
  const { record, emit } = storedIntent(pending, offered, now)
  const answer = yield* Effect.fromResult(options.answer({ pending, record }, caller))
  const written = yield* writeIntent(undefined, record, now)
  const free = quote === undefined || record.status === "failed"
  yield* commitPayment(
    draft,
    record,
    written,
    {
      writes: [...(quote === undefined ? [] : [quoteUse(quote, record)]), ...answer.writes],
      events: paymentEvents(record, emit, ids, now),
      guards: [{ kind: "service", id: service.id, version: service.version }],
    },
    free ? {} : { reservations: meter(caller.account.id, "fx-route", now) },
    yield* replyWith(answer.view),
  )
  return answer.view
})

/**
 * Creates a payment that a person pays by scanning a QR code (Request Payment). The answer shows
 * it `pending` with the code, or with one code per channel when several are left to the payer; by
 * then it is stored as `qr_generated`. A code that no channel could make shows as `failed`.
 */
export const createIntent = Effect.fnUntraced(function* (caller: Caller, input: CreateIntentInput) {
  const tooLarge = checkMetadata(input.metadata)
  if (tooLarge !== undefined) return yield* tooLarge
  const codes = yield* newQrCodes
  return yield* retryConflict(requestPayment(caller, input, { answer: showIntent }, codes))
})
