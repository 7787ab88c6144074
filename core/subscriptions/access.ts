import { Effect } from "effect"
import type { Caller } from "../accounts/Account.ts"
import { Store } from "../ports/Store.ts"
import { notFound } from "../shared/Failure.ts"

/** Whether the caller pays or is paid. */
const takesPart = (
  record: { readonly account_id: string; readonly payee_account_id: string },
  { account }: Caller,
): boolean => record.account_id === account.id || record.payee_account_id === account.id

/** A subscription, for its subscriber's and its seller's account; for others there is none. */
export const findVisibleSubscription = Effect.fnUntraced(function* (caller: Caller, id: string) {
  const found = yield* (yield* Store).find("subscription", id)
  if (found === undefined || !takesPart(found, caller)) return yield* notFound("subscription", id)
  return found
})

/** An invoice, for its payer's and its payee's account; for others there is none. */
export const findVisibleInvoice = Effect.fnUntraced(function* (caller: Caller, id: string) {
  const found = yield* (yield* Store).find("invoice", id)
  if (found === undefined || !takesPart(found, caller)) return yield* notFound("invoice", id)
  return found
})

/**
 * Who is to pay again and again: an agent of the caller's own account, by default the one that it
 * acts as. Nobody is subscribed by others: the name of another account's agent is one of the
 * caller's own.
 */
export const ownPayer = (
  { account }: Caller,
  payer: { readonly agent_id?: string; readonly human_id?: string } = {},
) => ({ agent_id: payer.agent_id ?? account.agent_id, human_id: payer.human_id ?? null })
