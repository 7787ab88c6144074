import { Clock, Effect } from "effect"
import type { Caller } from "../accounts/Account.ts"
import type { CreateOneTimeInput } from "../payments/IntentInput.ts"
import { createOneTime } from "../payments/createOneTime.ts"
import { getIntent } from "../payments/getIntent.ts"
import { Store } from "../ports/Store.ts"
import type { ServiceManifest } from "../registry/ServiceManifest.ts"
import { canonicalJson } from "../shared/Text.ts"
import type { FailureCode } from "../shared/Failure.ts"
import {
  answerKnown,
  answerPurchase,
  answerPurchaseFor,
  asItIsNow,
  isKept,
  type PersonalPurchase,
  PURCHASE_WINDOW,
  purchaseBy,
} from "./answerPurchase.ts"
import { decodePayOneTime, oneTimeOf, type PayOneTimeInput, purchaseOf } from "./OneTimeTool.ts"

const paymentNow = (caller: Caller, paid: object) =>
  getIntent(caller, String(Reflect.get(paid, "id")))

/** Tells whether an earlier payment can still be paid, but not by the requested channel. */
const isDueElsewhere = Effect.fnUntraced(function* (caller: Caller, paid: object, asked: string) {
  const { channel, status } = yield* paymentNow(caller, paid)
  return status === "pending" && channel !== null && channel !== asked
})

/** Returns the key of a purchase by another channel while the first payment could still be made. */
const purchaseVia = (purchase: string, channel: string): string => `${purchase} by ${channel}`

/** Finds a purchase by that channel beside a first purchase whose minute is over. */
const boughtVia = Effect.fnUntraced(function* <Code extends FailureCode, R>(
  caller: Caller,
  asked: PersonalPurchase,
  channel: string,
  verb: Parameters<typeof answerKnown<Code, R>>[3],
) {
  if (asked.idempotency_key !== undefined) return undefined
  const names = [...new Set([purchaseBy(asked), asked.purchase])]
  for (const name of names) if (yield* isKept(caller, name)) return undefined
  const others = names.map((purchase) => purchaseVia(purchase, channel))
  return yield* answerKnown(caller, asked, others, verb)
})

/** Returns the purchase that the terms of a payment make, whatever pays it. */
export const purchaseAsked = (
  terms: CreateOneTimeInput,
  idempotency_key: string | undefined,
): PersonalPurchase => ({
  purchase: `tools/call pay_one_time ${purchaseOf(terms)}`,
  request: `tools/call pay_one_time ${canonicalJson(terms)}`,
  idempotency_key,
  person: terms.payer.human_id,
})

/** The most payments among which the first call of a purchase is looked for. */
const MOST_BEFORE = 20

/**
 * Returns the terms of a call that leaves the amount to the seller, as the first call of the same
 * purchase had them. If the service has changed since, its first price may be another one now, and
 * the repetition would be a second purchase.
 */
const asFirstAsked = Effect.fnUntraced(function* (
  caller: Caller,
  { updated_at }: ServiceManifest,
  { amount, currency, idempotency_key }: PayOneTimeInput,
  terms: CreateOneTimeInput,
) {
  const now = yield* Clock.currentTimeMillis
  const isFixed = amount !== undefined || idempotency_key !== undefined
  if (isFixed || now - updated_at > PURCHASE_WINDOW) return terms
  const before = yield* (yield* Store).listIntents({
    viewer: caller.account.id,
    service_id: terms.service_id,
    created_after: now - PURCHASE_WINDOW,
    limit: MOST_BEFORE,
    now,
  })
  for (const payment of before) {
    if (currency !== undefined && payment.amount.currency !== currency) continue
    const earlier = { ...terms, amount: payment.amount }
    const asked = purchaseAsked(earlier, undefined)
    const isKnown =
      (yield* isKept(caller, purchaseBy(asked))) || (yield* isKept(caller, asked.purchase))
    if (isKnown) return earlier
  }
  return terms
})

const buy = Effect.fnUntraced(function* (caller: Caller, service: ServiceManifest, given: object) {
  const input = yield* Effect.fromResult(decodePayOneTime(given))
  const priced = yield* Effect.fromResult(oneTimeOf(input, service, caller.account))
  const terms = yield* asFirstAsked(caller, service, input, priced)
  const asked = purchaseAsked(terms, input.idempotency_key)
  const verb = createOneTime(caller, terms)
  const channel = terms.channel === "auto" ? undefined : terms.channel
  const known = channel === undefined ? undefined : yield* boughtVia(caller, asked, channel, verb)
  if (known !== undefined) return known.answer
  const { answer, purchase } = yield* answerPurchaseFor(caller, asked, verb)
  const isNew = !answer.replayed || input.idempotency_key !== undefined
  if (isNew || channel === undefined) return answer
  if (!(yield* isDueElsewhere(caller, answer.view, channel))) return answer
  return yield* answerPurchase(caller, { ...asked, purchase: purchaseVia(purchase, channel) }, verb)
})

/**
 * Pays a service once (MCP tool mapping), with a One-Time payment under the caller's key. The same
 * purchase again returns the current state of its payment.
 *
 * Fails as One-Time Pay does.
 */
export const payOneTime = Effect.fn("payOneTime")(function* (
  caller: Caller,
  service: ServiceManifest,
  given: object,
) {
  const answer = yield* buy(caller, service, given)
  return yield* asItIsNow(answer, (first) => paymentNow(caller, first))
})
