import { Clock, Effect, Result } from "effect"
import { type CommitPart, merge } from "../commits/CommitPart.ts"
import type { Caller } from "../accounts/Account.ts"
import type { Channel } from "../channels/Channel.ts"
import type { Health } from "../channels/Channel.ts"
import { replyWith } from "../idempotency/Once.ts"
import { Channels, type ChannelRefusal } from "../ports/Channels.ts"
import type { KycLevel } from "../shared/KycLevel.ts"
import { Ids } from "../ports/Ids.ts"
import { type Conflict, type KeyChange, Store } from "../ports/Store.ts"
import { Vault } from "../ports/Vault.ts"
import type { PaymentMethod } from "../pricing/FeeTable.ts"
import { priceOn } from "./priceIntent.ts"
import { Failure } from "../shared/Failure.ts"
import { retryConflict } from "../idempotency/retryConflict.ts"
import { paymentEvents } from "./PaymentEvent.ts"
import { duplicateKey } from "./writeMove.ts"
import {
  beginDebit,
  findDebit,
  finishDebit,
  goOnWith,
  paymentName,
  resumedPayment,
} from "./debit.ts"
import { deepLink } from "./deepLink.ts"
import { expireIntent } from "./expireIntent.ts"
import { checkMetadata, type CreateOneTimeInput } from "./IntentInput.ts"
import { view } from "./IntentView.ts"
import * as OneTime from "./OneTimePay.ts"
import { chooseChannel } from "../routing/chooseChannel.ts"
import { type IntentCommon, ONE_TIME_LIFETIME, type OneTimePayment } from "./PaymentIntent.ts"
import { refusedByChannel, unusableFor } from "./refusedByChannel.ts"
import { type Started, startIntent } from "./startIntent.ts"
import { writeIntent } from "./writeIntent.ts"

interface Linked {
  readonly channel: Channel
  readonly failed: ChannelRefusal | undefined
}

/** Registers the link at the routed channel, going around channels that cannot answer. */
const makeLink = Effect.fnUntraced(function* (
  wanted: string | undefined,
  { detected, level, preference, service, started }: Started,
) {
  const { amount, description, expires_at, id } = started
  const refused = new Map<string, Health>()
  const channels = yield* Channels
  for (;;) {
    const chosen = yield* chooseChannel(
      service,
      {
        requested: wanted,
        currency: amount.currency,
        needsDeepLinks: true,
      },
      refused,
      { amount, level, detected, preference },
    )
    const channel = chosen.type === "one" ? chosen.channel : chosen.channels[0]
    if (channel === undefined) return yield* Effect.die("routing left several channels, but none")
    const made = yield* Effect.result(
      channels.createDeepLink({
        channel: channel.id,
        out_trade_no: id,
        charge_id: id,
        amount,
        description,
        expires_at,
      }),
    )
    if (Result.isSuccess(made)) return { channel, failed: undefined } satisfies Linked
    const health = unusableFor(made.failure)
    const refusal = refusedByChannel(channel.id, made.failure)
    if (refusal !== undefined) return yield* refusal
    if (health === undefined) return { channel, failed: made.failure } satisfies Linked
    refused.set(channel.id, health)
  }
})

/**
 * The begun payment with its link on the channel that is wanted or routed to, priced by what it is
 * for; failed where that channel could not make it. Nothing is stored.
 *
 * Fails with the refusals of routing and of the channel.
 */
export const linkPayment = Effect.fnUntraced(function* (
  begun: Started,
  wanted: string | undefined,
  method: PaymentMethod,
) {
  const { service, started } = begun
  const { amount, created_at: at, id } = started
  const { channel, failed } = yield* makeLink(wanted, begun)
  const priced = yield* priceOn(channel, amount, service.settlement_currency, method)
  const common: IntentCommon = { ...started, ...priced, channel: channel.id, offers: [] }
  const deeplink = failed === undefined ? deepLink(id, amount, channel.id) : null
  const pending: OneTimePayment = { ...common, flow: "one_time_pay", deeplink, status: "pending" }
  if (failed === undefined) return { record: pending, emit: [] }
  const { message } = failed
  return Result.getOrThrow(
    OneTime.machine.step(pending, { type: "failed", code: "CHANNEL_ERROR", message, at }),
  )
})

const duplicate = (id: string) =>
  new Failure({
    code: "IDEMPOTENCY_KEY_USED",
    message: "A payment with this service, payer and metadata is pending or completed already.",
    details: { payment_intent: id },
  })

/** Frees the name of a payment that has expired unnoticed; refuses when it still stands. */
const resolveTaken = Effect.fnUntraced(function* (key: string, conflict: Conflict) {
  const { reason } = conflict
  if (reason.type !== "key_taken" || reason.key !== key) return yield* conflict
  const holder = yield* (yield* Store).find("payment_intent", reason.owner)
  const now = yield* Clock.currentTimeMillis
  if (holder === undefined || holder.status !== "pending" || now < holder.expires_at) {
    return yield* duplicate(reason.owner)
  }
  yield* expireIntent(holder)
  return yield* conflict
})

/** The name under which a second attempt finds the payment; none where it can have several. */
const nameOf = Effect.fnUntraced(function* (
  intent: Parameters<typeof duplicateKey>[0] & { readonly id: string },
) {
  const key = duplicateKey(intent, (yield* Vault).sha256)
  return key === undefined ? [] : [{ op: "claim", key, owner: intent.id } as const]
})

/** Frees the name that a commit was refused for, where the payment that has it is over. */
const named =
  ([claim]: ReadonlyArray<KeyChange>) =>
  <A, E, R>(self: Effect.Effect<A, E | Conflict, R>) =>
    Effect.catchIf(
      self,
      (error): error is E & Conflict => claim !== undefined && isConflict(error),
      (conflict) => resolveTaken(claim?.key ?? "", conflict as Conflict),
    )

const isConflict = (error: unknown): error is Conflict =>
  typeof error === "object" && error !== null && Reflect.get(error, "_tag") === "Conflict"

/** Begins to charge the payment through its install; undefined where its person is to be asked. */
const begin = Effect.fnUntraced(function* (
  input: CreateOneTimeInput,
  caller: Caller,
  begun: Started,
) {
  const debit = yield* findDebit(caller.account.id, input, begun)
  if (debit === undefined) return undefined
  const { service, started } = begun
  const { channel } = debit
  const priced = yield* priceOn(channel, input.amount, service.settlement_currency, "one_time")
  const common = { ...started, ...priced, channel: channel.id, offers: [] }
  const keys = yield* nameOf(common)
  return yield* beginDebit(begun, debit.mandate, common, { keys }).pipe(named(keys))
})

const create = Effect.fnUntraced(function* (
  caller: Caller,
  input: CreateOneTimeInput,
  claimed: KycLevel | undefined,
) {
  const store = yield* Store
  const ids = yield* Ids
  const id = yield* paymentName()
  const asked = yield* startIntent(caller, input, ONE_TIME_LIFETIME, { claimed, id })
  const debit = yield* begin(input, caller, asked)
  if (debit !== undefined) return { type: "debit", debit } as const
  // Each attempt has a link of its own: one that was made and not stored is nobody's.
  const begun = { ...asked, started: { ...asked.started, id: `pi_${ids.uuid()}` } }
  const { place, service, started } = begun
  const { created_at: now } = started
  const { record, emit } = yield* linkPayment(begun, input.channel, "one_time")
  const shown = view(record, now, caller.account.id)
  const keys = record.status === "pending" ? yield* nameOf(record) : []
  const written = yield* writeIntent(undefined, record, now)
  const own: CommitPart = {
    events: paymentEvents(record, emit, ids, now),
    guards: [{ kind: "service", id: service.id, version: service.version }],
    keys,
  }
  const commit = merge(written, own, yield* replyWith(shown))
  if (record.status === "failed") yield* store.commit(commit)
  else yield* place.commit(commit).pipe(named(keys))
  return { type: "made", shown } as const
})

/**
 * Creates a payment that a person makes by opening a deep link, or that the payer's install allows
 * to be charged at once (One-Time Pay). A charge that is declined falls back to the link; one whose
 * outcome is unknown shows as pending with `channel_outcome`. A link that the channel cannot make
 * shows as `failed`. A `claimed` level can lower the payer's level in force. An Idempotency-Key has
 * to be looked up before: a retry after a crash goes on with the payment that was begun.
 *
 * Fails with `NOT_FOUND`, `SERVICE_NOT_ACTIVE`, `INVALID_AMOUNT`, `INVALID_METADATA`, `FORBIDDEN`,
 * `INSUFFICIENT_KYC`, `CHANNEL_UNAVAILABLE`, `CHANNEL_NO_DEEPLINK`,
 * `CHANNEL_TEMPORARILY_UNAVAILABLE`, `CHANNEL_CONFIGURATION_ERROR`, `CHANNEL_ERROR`,
 * `SPEND_CAP_EXCEEDED`, and with `IDEMPOTENCY_KEY_USED` when a payment of the same service, payer
 * and metadata is pending or completed.
 */
export const createOneTime = Effect.fnUntraced(function* (
  caller: Caller,
  input: CreateOneTimeInput,
  claimed?: KycLevel,
) {
  const tooLarge = checkMetadata(input.metadata)
  if (tooLarge !== undefined) return yield* tooLarge
  const resumed = yield* resumedPayment()
  const made = resumed === undefined ? yield* retryConflict(create(caller, input, claimed)) : null
  if (made?.type === "made") return made.shown
  const intent =
    made !== null ? yield* finishDebit(made.debit) : resumed && (yield* goOnWith(resumed))
  if (intent === undefined) return yield* Effect.die("a resumed payment went away")
  return view(intent, yield* Clock.currentTimeMillis, caller.account.id)
})
