import { Effect } from "effect"
import type { Account } from "../accounts/Account.ts"
import { Store } from "../ports/Store.ts"
import type { Money } from "../shared/Money.ts"
import { debitOneTime } from "./createOneTime.ts"
import { goOnWith } from "./debit.ts"

/** What is to be charged, under a payment's id that its caller has stored before. */
export interface InstallOrder {
  /** `pi_` and a UUIDv7. */
  readonly payment_intent: string
  readonly payer: Account
  readonly agent_id: string
  readonly service_id: string
  readonly amount: Money
  readonly description: string
  readonly metadata?: { readonly [key: string]: never }
}

/**
 * Charges a payer through its install of a service, for who is owed by it without being asked each
 * time, such as a subscription's invoice. Under the limits, caps and rules of any other payment;
 * undefined, with nothing made, where these have the person asked.
 *
 * `payment_intent` is the order's own number: ordered again, after a crash or twice at once, it is
 * one payment, which is returned as it is by then: `completed`; `debiting` while its outcome is
 * unknown, which a worker finds out; `pending` with its deep link where the channel has declined.
 *
 * Fails as One-Time Pay does, with `SPEND_CAP_EXCEEDED` among others.
 */
export const payThroughInstall = Effect.fn("payThroughInstall")(function* (order: InstallOrder) {
  const { agent_id, payer, payment_intent, ...terms } = order
  const store = yield* Store
  const earlier = yield* store.findIntent(payment_intent)
  if (earlier !== undefined) return yield* goOnWith(earlier)
  const caller = { account: payer, api_key_id: "" }
  return yield* debitOneTime(caller, { ...terms, payer: { agent_id } }, payment_intent)
})
