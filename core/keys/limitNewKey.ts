import { Effect, Result } from "effect"
import type { ApiKey } from "../accounts/ApiKey.ts"
import { restrictionsOf } from "../accounts/KeyRestrictions.ts"
import { CurrentKeyLifetime, earliest, expiryOf } from "../accounts/KeyRules.ts"
import { Installation } from "../ports/Installation.ts"
import { isComparable } from "../pricing/quoteSettlement.ts"
import { invalidField } from "../shared/Failure.ts"
import { fromIso, type Timestamp } from "../shared/Timestamp.ts"
import type { KeyInput } from "./KeyInput.ts"

/** Returns the earlier of the two requested expiries. */
const endOf = ({ expires_at, restrictions }: KeyInput): Timestamp | null | undefined => {
  const asked = [expires_at, restrictions?.expires_at].flatMap((time) => fromIso(time ?? "") ?? [])
  return asked.length === 0 && expires_at === undefined ? undefined : earliest(...asked)
}

/** Refuses a limit in a currency that no payment could be compared with. */
const checkCurrencies = Effect.fnUntraced(function* ({ restrictions }: KeyInput) {
  const { currencies } = yield* Installation
  const limits = {
    "restrictions.max_amount": restrictions?.max_amount,
    "restrictions.budget.amount": restrictions?.budget?.amount,
  }
  for (const [field, limit] of Object.entries(limits)) {
    if (limit === undefined) continue
    const { currency } = limit
    if (!currencies.has(currency)) {
      return yield* invalidField(`${field}.currency`, `${currency} is no ISO 4217 currency`)
    }
    if (yield* isComparable(currency)) continue
    const reason = `there is no exchange rate for ${currency}: use a currency that has one`
    return yield* invalidField(`${field}.currency`, reason)
  }
})

/**
 * Returns the expiry and the restrictions of a new key: the requested ones within those of the
 * issuing key. Fails with `INVALID_REQUEST` for the field that asks for more, and for a limit in a
 * currency that does not exist or has no exchange rate.
 */
export const limitNewKey = Effect.fnUntraced(function* (
  id: string,
  input: KeyInput,
  minter: Pick<ApiKey, "expires_at" | "restrictions">,
  now: Timestamp,
) {
  const lifetime = yield* CurrentKeyLifetime
  const { expires_at: minter_expires_at } = minter
  const expiry = expiryOf({ asked: endOf(input), minter_expires_at, now, lifetime })
  if (Result.isFailure(expiry)) return yield* invalidField("expires_at", expiry.failure)
  yield* checkCurrencies(input)
  const within = restrictionsOf(input.restrictions ?? null, minter.restrictions, id)
  if (Result.isFailure(within)) {
    return yield* invalidField(within.failure.field, within.failure.reason)
  }
  return { expires_at: expiry.success, restrictions: within.success }
})
