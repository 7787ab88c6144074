import { Clock, Effect, Result } from "effect"
import { findDebit } from "../installs/findDebit.ts"
import type { Caller } from "../accounts/Account.ts"
import type { Channel, Health, KycLevel } from "../channels/Channel.ts"
import { replyWith, retryConflict } from "../idempotency/requestKey.ts"
import type { ChannelRefusal } from "../ports/Channels.ts"
import { Ids } from "../ports/Ids.ts"
import { type Conflict, type KeyChange, Store } from "../ports/Store.ts"
import { Vault } from "../ports/Vault.ts"
import type { PaymentMethod } from "../pricing/Price.ts"
import { priceOn } from "../pricing/quoteSettlement.ts"
import { Failure } from "../shared/Failure.ts"
import { paymentEvents } from "./PaymentEvent.ts"
import { duplicateKey } from "./writeMove.ts"
import { beginDebit, finishDebit, goOnWith, paymentName, resumedPayment } from "./debit.ts"
import { expireIntent } from "./expireIntent.ts"
import type { CreateOneTimeInput } from "./IntentInput.ts"
import { view } from "./IntentView.ts"
import * as OneTime from "./OneTimePay.ts"
import { chooseChannel } from "../routing/chooseChannel.ts"
import {
  checkMetadata,
  type IntentCommon,
  ONE_TIME_LIFETIME,
  type OneTimePayment,
} from "./PaymentIntent.ts"
import { refusedByChannel, unusableFor } from "./refusedByChannel.ts"
import { draftRequested, type IntentDraft } from "./draftIntent.ts"
import { type NewCharges, newLinks } from "./registerCharges.ts"
import { catchConflict } from "../commits/catchConflict.ts"
import { commitPayment, inserted } from "./writeIntent.ts"

interface Linked {
  readonly channel: Channel
  readonly failed: ChannelRefusal | undefined
}

/** Registers the link at the routed channel. Skips channels that are down or over their rate. */
const makeLink = Effect.fnUntraced(function* (
  requested: string | undefined,
  { detected, intent, level, limits, preference, service }: IntentDraft,
  links: NewCharges<void>,
) {
  const { account_id: asked_by, amount, description, expires_at } = intent
  const wanted = { requested, currency: amount.currency, needsDeepLinks: true }
  const payer = { level, limits, detected, preference }
  const refused = new Map<string, Health>()
  for (;;) {
    const chosen = yield* chooseChannel(service, wanted, refused, payer)
    const channel = chosen.type === "one" ? chosen.channel : chosen.channels[0]
    if (channel === undefined) return yield* Effect.die("routing left several channels, but none")
    const terms = { channel: channel.id, amount, description, expires_at, asked_by }
    const { answer } = yield* links.register(terms)
    if (Result.isSuccess(answer)) return { channel, failed: undefined } satisfies Linked
    const refusal = refusedByChannel(channel.id, answer.failure)
    if (refusal !== undefined) return yield* refusal
    const health = unusableFor(answer.failure)
    if (health === undefined) return { channel, failed: answer.failure } satisfies Linked
    refused.set(channel.id, health)
  }
})

/**
 * Returns the drafted payment with a link on the requested or routed channel, priced for its
 * method. It is failed if the channel could not make the link. Its id is the link's number. Nothing
 * is stored.
 *
 * Fails with the refusals of routing and of the channel.
 */
export const linkPayment = Effect.fnUntraced(function* (
  draft: IntentDraft,
  wanted: string | undefined,
  method: PaymentMethod,
  links: NewCharges<void>,
) {
  const { intent, service } = draft
  const { amount, created_at: at } = intent
  const id = links.id()
  const { channel, failed } = yield* makeLink(wanted, draft, links)
  const priced = yield* priceOn(channel, amount, service.settlement_currency, method)
  const common: IntentCommon = { ...intent, ...priced, id, channel: channel.id, offers: [] }
  const deeplink = failed === undefined ? OneTime.deepLink(id, amount, channel.id) : null
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
    message: "A payment with the same service, payer and metadata is already pending or completed.",
    details: { payment_intent: id },
  })

/** Frees the name of an expired payment and retries. Fails if the payment is still in force. */
const resolveTaken = Effect.fnUntraced(function* (conflict: Conflict) {
  const { reason } = conflict
  if (reason.type !== "key_taken") return yield* conflict
  const holder = yield* (yield* Store).find("payment_intent", reason.owner)
  const now = yield* Clock.currentTimeMillis
  if (holder === undefined || holder.status !== "pending" || now < holder.expires_at) {
    return yield* duplicate(reason.owner)
  }
  yield* expireIntent(holder)
  return yield* conflict
})

/** Claims the name by which a second attempt finds the payment, if the payment has one. */
const nameOf = Effect.fnUntraced(function* (
  intent: Parameters<typeof duplicateKey>[0] & { readonly id: string },
) {
  const key = duplicateKey(intent, (yield* Vault).sha256)
  return key === undefined ? [] : [{ op: "claim", key, owner: intent.id } as const]
})

/** Frees the name that a commit was refused for, if the payment that holds it has expired. */
const freeingName = ([claim]: ReadonlyArray<KeyChange>) =>
  catchConflict(
    (reason) => claim !== undefined && reason.type === "key_taken" && reason.key === claim.key,
    (conflict) => resolveTaken(conflict),
  )

/** Stores the payment to be charged through its install; undefined if a person has to pay it. */
const storeDebit = Effect.fnUntraced(function* (
  input: CreateOneTimeInput,
  caller: Caller,
  draft: IntentDraft,
) {
  const debit = yield* findDebit(caller.account.id, input, draft)
  if (debit === undefined) return undefined
  const { intent, service } = draft
  const { channel } = debit
  const priced = yield* priceOn(channel, input.amount, service.settlement_currency, "one_time")
  const common = { ...intent, ...priced, channel: channel.id, offers: [] }
  const keys = yield* nameOf(common)
  return yield* beginDebit(draft, debit.mandate, common, { keys }).pipe(freeingName(keys))
})

/**
 * Stores the payment, with its debit or its link. A debit's payment has the id of its request, so
 * that a retry finds it. A link that is not stored belongs to nobody and has its own number.
 */
const create = Effect.fnUntraced(function* (
  caller: Caller,
  input: CreateOneTimeInput,
  claimed: KycLevel | undefined,
  links: NewCharges<void>,
) {
  const ids = yield* Ids
  const own = yield* paymentName()
  const numbers = { ...links, id: () => own }
  const draft = yield* draftRequested(caller, input, ONE_TIME_LIFETIME, numbers, { claimed })
  const debit = yield* storeDebit(input, caller, draft)
  if (debit !== undefined) return { type: "debit", debit } as const
  const { intent, service } = draft
  const { created_at: now } = intent
  const { record, emit } = yield* linkPayment(draft, input.channel, "one_time", links)
  const shown = view(record, now, caller.account.id)
  const keys = record.status === "pending" ? yield* nameOf(record) : []
  yield* commitPayment(
    draft,
    record,
    inserted(record),
    {
      events: paymentEvents(record, emit, ids, now),
      guards: [{ kind: "service", id: service.id, version: service.version }],
      keys,
    },
    yield* replyWith(shown),
  ).pipe(freeingName(keys))
  return { type: "created", shown } as const
})

/**
 * Creates a payment that a person makes by opening a deep link, or that the payer's install allows
 * to be charged at once (One-Time Pay). A declined charge falls back to the link. A charge with an
 * unknown outcome shows as pending with `channel_outcome`. If the channel cannot make a link, the
 * payment shows as `failed`. A `claimed` level can lower the payer's level in force. The caller
 * must have looked up an Idempotency-Key before: a retry after a crash goes on with the payment
 * that was begun.
 *
 * Fails with `IDEMPOTENCY_KEY_USED` when a payment of the same service, payer and metadata is
 * pending or completed.
 */
export const createOneTime = Effect.fnUntraced(function* (
  caller: Caller,
  input: CreateOneTimeInput,
  claimed?: KycLevel,
) {
  const tooLarge = checkMetadata(input.metadata)
  if (tooLarge !== undefined) return yield* tooLarge
  const resumed = yield* resumedPayment()
  const links = yield* newLinks
  const created =
    resumed === undefined ? yield* retryConflict(create(caller, input, claimed, links)) : undefined
  if (created?.type === "created") return created.shown
  const intent =
    created !== undefined
      ? yield* finishDebit(created.debit)
      : resumed && (yield* goOnWith(resumed))
  if (intent === undefined) return yield* Effect.die("a resumed payment went away")
  return view(intent, yield* Clock.currentTimeMillis, caller.account.id)
})
