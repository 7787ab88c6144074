import { Clock, Effect } from "effect"
import type { Caller } from "../accounts/Account.ts"
import { oneTimeOf } from "../agents/OneTimeTool.ts"
import { findDebit } from "../installs/findDebit.ts"
import { checkCap } from "../installs/spendWithin.ts"
import { checkBudgets } from "../keys/keySpending.ts"
import { checkDay } from "../kyc/limits/payers.ts"
import { draftRequested, type IntentDraft } from "../payments/draftIntent.ts"
import { ONE_TIME_LIFETIME } from "../payments/PaymentIntent.ts"
import { findPayable } from "../registry/findPayable.ts"
import type { ServiceManifest } from "../registry/ServiceManifest.ts"
import { chooseChannel } from "../routing/chooseChannel.ts"
import { invalidField } from "../shared/Failure.ts"
import type { MarketInput } from "./MarketInput.ts"

/** Refuses a service without one-time payments. */
export const requireOneTime = ({ payment_methods }: ServiceManifest) => {
  if (payment_methods.one_time === true) return Effect.void
  const other =
    payment_methods.subscription === true ? "subscribe to a plan instead" : "it is paid by use"
  return Effect.fail(
    invalidField("service_id", `the service accepts no one-time payments: ${other}`),
  )
}

/**
 * Refuses a payment over a current limit: the payer's daily limit, the install's cap, the key's
 * budgets.
 */
const checkRoom = Effect.fnUntraced(function* (caller: Caller, draft: IntentDraft) {
  const { budget, install, intent, keyed, spender } = draft
  const { id } = caller.account
  if (intent.spending !== null) yield* checkDay(spender, intent.amount, intent.spending, id)
  if (install !== undefined && budget !== null) yield* checkCap(id, install, budget)
  if (keyed !== undefined) yield* checkBudgets(keyed)
})

/** Returns the channels that a person could pay by, or the one that automatic payment would use. */
const routeOf = Effect.fnUntraced(function* (caller: Caller, draft: IntentDraft) {
  const { detected, intent, level, limits, preference, service } = draft
  const debit = yield* findDebit(caller.account.id, intent, draft)
  if (debit !== undefined) return { at_once: true, channels: [debit.channel.id] }
  const wanted = { requested: undefined, currency: intent.amount.currency, needsDeepLinks: true }
  const payer = { level, limits, detected, preference }
  const chosen = yield* chooseChannel(service, wanted, new Map(), payer)
  const channels = chosen.type === "one" ? [chosen.channel] : chosen.channels
  return { at_once: false, channels: channels.map(({ id }) => id) }
})

/**
 * Returns what a payment would cost now, by the same decisions as the payment itself. Stores and
 * promises nothing.
 *
 * Fails as the payment would.
 */
export const quotePayment = Effect.fn("quotePayment")(function* (
  caller: Caller,
  { service_id, ...input }: MarketInput<"quote">,
) {
  const { service } = yield* findPayable(caller, service_id)
  yield* requireOneTime(service)
  const asked = { manifest_id: service.id, ...input }
  const terms = yield* Effect.fromResult(oneTimeOf(asked, service, caller.account))
  const numbers = { id: () => service.id, created_at: Clock.currentTimeMillis }
  const draft = yield* draftRequested(caller, terms, ONE_TIME_LIFETIME, numbers)
  yield* checkRoom(caller, draft)
  const { at_once, channels } = yield* routeOf(caller, draft)
  const how = at_once
    ? "pays immediately, without asking a person"
    : "returns a link that a person must open"
  const { currency, value } = terms.amount
  // Without an amount, pay would agree to whatever the seller asks by then.
  const price = input.amount === undefined ? `, amount ${value} and currency ${currency}` : ""
  return {
    service_id: service.id,
    amount: terms.amount,
    allowed: true,
    at_once,
    channels,
    next: `Nothing is paid yet. Calling pay with the same arguments${price} ${how}.`,
  }
})
