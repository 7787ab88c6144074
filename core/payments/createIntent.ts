import { Effect, Result } from "effect"
import { type CommitPart, merge } from "../commits/CommitPart.ts"
import type { Caller } from "../accounts/Account.ts"
import { meter } from "../billing/Meter.ts"
import type { Channel } from "../channels/Channel.ts"
import type { Health } from "../channels/Channel.ts"
import { replyWith } from "../idempotency/Once.ts"
import { type Charge, type ChannelRefusal, Channels } from "../ports/Channels.ts"
import { Ids } from "../ports/Ids.ts"
import { Installation } from "../ports/Installation.ts"
import { Store, type Write } from "../ports/Store.ts"
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
import { type Started, startIntent } from "./startIntent.ts"
import { writeIntent } from "./writeIntent.ts"

type Pending = Extract<RequestPayment, { status: "pending" }>

/** A new payment as its answer shows it, and as it is stored. */
export interface Made {
  readonly pending: Pending
  readonly record: RequestPayment
}

/** What is particular about a creation. */
export interface How<A, Code extends FailureCode> {
  /** Whose prices hold. */
  readonly quote?: Quote
  /** Whether the first of several channels is taken, instead of leaving them to the payer. */
  readonly single?: boolean
  /** What the creation answers, and what else is stored with it; a failure stores nothing. */
  readonly conclude: (
    made: Made,
    caller: Caller,
  ) => Result.Result<{ readonly view: A; readonly writes: ReadonlyArray<Write> }, Failure<Code>>
}

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

/**
 * Makes the QR codes of the channels that routing leaves. A channel that turns out to be down or
 * over its rate is routed around; one whose code cannot be made fails the payment, unless others
 * are offered beside it.
 */
const makeOffers = Effect.fnUntraced(function* (
  input: CreateIntentInput,
  { detected, level, preference, service, started: { expires_at, id } }: Started,
  { quote, single }: Pick<How<unknown, never>, "quote" | "single">,
) {
  const refused = new Map<string, Health>()
  const ids = yield* Ids
  const channels = yield* Channels
  const { base_url } = yield* Installation
  for (;;) {
    const chosen = yield* chooseChannel(
      service,
      {
        requested: input.payer_channel,
        currency: input.amount.currency,
        needsDeepLinks: false,
      },
      refused,
      { amount: input.amount, level, detected, preference },
    )
    const several = chosen.type === "one" ? [chosen.channel] : chosen.channels
    const best = quote === undefined ? several : bestOf(quote, several)
    const candidates = single === true ? best.slice(0, 1) : best
    const offers: Array<Offer> = []
    let failed: ChannelRefusal | undefined
    for (const channel of candidates) {
      const charge: Charge = {
        channel: channel.id,
        out_trade_no: id,
        charge_id: `qr_${ids.uuid()}`,
        amount: input.amount,
        description: input.description,
        expires_at,
      }
      const made = yield* Effect.result(channels.createQr(charge))
      if (Result.isSuccess(made)) {
        offers.push(madeOffer(channel, charge, made.success.qr_data, base_url))
      } else {
        failed = made.failure
        const health = unusableFor(made.failure)
        if (health !== undefined) refused.set(channel.id, health)
        const refusal = refusedByChannel(channel.id, made.failure)
        if (refusal !== undefined && chosen.type === "one") return yield* refusal
      }
    }
    const again = offers.length === 0 && candidates.some(({ id: channel }) => refused.has(channel))
    if (!again) {
      const left =
        offers.length === 0
          ? candidates
          : candidates.filter(({ id: channel }) => offers.some((made) => made.channel === channel))
      const only = left.length === 1 ? left[0] : undefined
      return { channel: only, offers, failed } satisfies Offered
    }
  }
})

/** The stored intent: with its QR codes it is past `pending`, without any it has failed. */
const settleStart = (pending: Pending, offered: Offered, at: number) => {
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
export const showIntent = ({ pending, record }: Made, caller: Caller) =>
  Result.succeed({
    view: view(record.status === "failed" ? record : pending, record.created_at, caller.account.id),
    writes: [],
  })

/**
 * The input is checked; a quote is the caller's own and unused, and is used up by the payment.
 * Returns the view that `conclude` gives.
 */
export const requestPayment = Effect.fnUntraced(function* <A, Code extends FailureCode = never>(
  caller: Caller,
  input: CreateIntentInput,
  how: How<A, Code>,
) {
  const { quote } = how
  const store = yield* Store
  const ids = yield* Ids
  const begun = yield* startIntent(caller, input, REQUEST_LIFETIME)
  const { place, service, started } = begun
  const now = started.created_at
  if (quote !== undefined) yield* Effect.fromResult(checkService(quote, service))
  const accepting = quote === undefined ? service : narrowed(quote, service)
  const offered = yield* makeOffers(input, { ...begun, service: accepting }, how)
  const { channel } = offered
  const common: IntentCommon = {
    ...started,
    ...(yield* quote === undefined
      ? priceOffers(offered, input.amount, service.settlement_currency)
      : quoted(quote, offered)),
    channel: channel?.id ?? null,
  }
  const pending: Pending = { ...common, flow: "request_payment", status: "pending" }
  const { record, emit } = settleStart(pending, offered, now)
  const concluded = yield* Effect.fromResult(how.conclude({ pending, record }, caller))
  const use: ReadonlyArray<Write> =
    quote === undefined
      ? []
      : [{ op: "replace", kind: "quote", record: usedFor(quote, started.id) }]
  const written = yield* writeIntent(undefined, record, now)
  const routed = quote === undefined ? [] : meter(caller.account.id, "fx-route", now)
  const own: CommitPart = {
    writes: [...use, ...concluded.writes],
    events: paymentEvents(record, emit, ids, now),
    guards: [{ kind: "service", id: service.id, version: service.version }],
    reservations: record.status === "failed" ? [] : routed,
  }
  const commit = merge(written, own, yield* replyWith(concluded.view))
  yield* record.status === "failed" ? store.commit(commit) : place.commit(commit)
  return concluded.view
})

/**
 * Creates a payment that a person pays by scanning a QR code (Request Payment). The answer shows
 * it `pending` with the code, or with one code per channel when several are left to the payer; by
 * then it is stored as `qr_generated`. A code that no channel could make shows as `failed`.
 *
 * Fails with `NOT_FOUND`, `SERVICE_NOT_ACTIVE`, `INVALID_AMOUNT`, `INVALID_METADATA`, `FORBIDDEN`,
 * `INSUFFICIENT_KYC`, `CHANNEL_UNAVAILABLE`, `CHANNEL_TEMPORARILY_UNAVAILABLE`,
 * `CHANNEL_CONFIGURATION_ERROR` and `CHANNEL_ERROR`.
 */
export const createIntent = Effect.fnUntraced(function* (caller: Caller, input: CreateIntentInput) {
  const tooLarge = checkMetadata(input.metadata)
  if (tooLarge !== undefined) return yield* tooLarge
  return yield* retryConflict(requestPayment(caller, input, { conclude: showIntent }))
})
