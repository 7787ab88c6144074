import { Effect } from "effect"
import type { Caller } from "../accounts/Account.ts"
import { Store } from "../ports/Store.ts"
import { notFound } from "../shared/Failure.ts"

/** Tells whether the caller is the payer or the payee. */
const takesPart = (
  record: { readonly account_id: string; readonly payee_account_id: string },
  { account }: Caller,
): boolean => record.account_id === account.id || record.payee_account_id === account.id

/** Finds a subscription of the caller, as subscriber or seller; other accounts get `NOT_FOUND`. */
export const findVisibleSubscription = Effect.fnUntraced(function* (caller: Caller, id: string) {
  const found = yield* (yield* Store).find("subscription", id)
  if (found === undefined || !takesPart(found, caller)) return yield* notFound("subscription", id)
  return found
})

/** Finds an invoice of the caller, as payer or payee; other accounts get `NOT_FOUND`. */
export const findVisibleInvoice = Effect.fnUntraced(function* (caller: Caller, id: string) {
  const found = yield* (yield* Store).find("invoice", id)
  if (found === undefined || !takesPart(found, caller)) return yield* notFound("invoice", id)
  return found
})

/**
 * Returns the payer of recurring payments: an agent of the caller's own account, by default the
 * key's agent. Nobody can subscribe another account's agent: every name is one of the caller's own
 * agents.
 */
export const ownPayer = (
  { account }: Caller,
  payer: { readonly agent_id?: string; readonly human_id?: string } = {},
) => ({ agent_id: payer.agent_id ?? account.agent_id, human_id: payer.human_id ?? null })
