import { Effect, Result } from "effect"
import type { Caller } from "../accounts/Account.ts"
import { Store } from "../ports/Store.ts"
import type { Subscription } from "../invoices/Subscription.ts"
import { Failure, notFound } from "../shared/Failure.ts"

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

const noPayer = () =>
  new Failure({
    code: "INVALID_PAYER",
    message: "A seller's key has no agent that pays by default. Send the payer's agent_id.",
    field: "payer.agent_id",
    details: { field: "payer.agent_id", constraint: "is required with a seller's key" },
  })

/**
 * Returns the payer of recurring payments: an agent of the caller's own account, by default the
 * agent of a buyer's key. Nobody can subscribe another account's agent: every name is one of the
 * caller's own agents. Fails with `INVALID_PAYER` for a seller's key that names none: the agent of
 * a seller is who is paid, so that it would subscribe to its own service.
 */
export const ownPayer = (
  { account }: Caller,
  { agent_id, human_id }: { readonly agent_id?: string; readonly human_id?: string } = {},
): Result.Result<Subscription["payer"], Failure<"INVALID_PAYER">> => {
  const paying = agent_id ?? (account.kind === "buyer" ? account.agent_id : undefined)
  return paying === undefined
    ? Result.fail(noPayer())
    : Result.succeed({ agent_id: paying, human_id: human_id ?? null })
}
