// Written independently of core/keys on purpose: see Model.ts.

import type { ApiKey } from "../../../core/accounts/ApiKey.ts"
import { type Timestamp, toIso } from "../../../core/shared/Timestamp.ts"
import type { Model } from "../Model.ts"
import type { Finding, Observations, Rulebook } from "../Observation.ts"
import { difference } from "../saysTheSame.ts"
import { kept } from "./ownership.ts"

interface ShownKey {
  readonly id: string
  readonly restrictions: object | null
  readonly budget_spent?: { readonly currency: string; readonly value: number } | undefined
}

declare module "../Observation.ts" {
  interface Observations {
    /** All pages of a list of an account's keys at rest, from some key on. */
    readonly keys_listed: {
      readonly account: string
      readonly limit: number
      readonly pages: ReadonlyArray<ReadonlyArray<ShownKey>>
    }
  }
}

const time = (at: Timestamp | null): string | null => (at === null ? null : toIso(at))

const newestFirst = (a: { readonly id: string }, b: { readonly id: string }): number =>
  a.id < b.id ? 1 : -1

const flawOfBudget = ({ budget_spent: spent, id }: ShownKey, key: ApiKey): Finding => {
  const budget = key.restrictions?.budgets?.at(-1)
  if ((budget === undefined) !== (spent === undefined)) return `shows a budget of ${id} wrongly`
  if (budget === undefined || spent === undefined) return undefined
  const { currency, value } = budget.amount
  const isWithin = spent.currency === currency && spent.value >= 0 && spent.value <= value
  return isWithin ? undefined : `has spent ${spent.value} ${spent.currency} of ${id}`
}

const listed = ({ account, limit, pages }: Observations["keys_listed"], model: Model): Finding => {
  const keys = [...(model.know(kept).get("api_key")?.values() ?? [])]
    .flatMap((record) => (record === null ? [] : [record as ApiKey]))
    .filter(({ account_id }) => account_id === account)
    .toSorted(newestFirst)
  const shown = pages.flat()
  const expected = keys.map((key) => ({
    id: key.id,
    hint: key.hint,
    created_at: time(key.created_at),
    expires_at: time(key.expires_at),
    revoked_at: time(key.revoked_at),
    suspended_at: time(key.suspended_at),
    minted_by: key.minted_by,
    isRestricted: key.restrictions !== null,
    isOfProgram: key.oauth !== null,
  }))
  const facts = shown.map((key) => {
    const {
      budget_spent: _spent,
      oauth,
      restrictions,
      ...rest
    } = key as ShownKey & {
      readonly oauth: object | null
    }
    return { ...rest, isRestricted: restrictions !== null, isOfProgram: oauth !== null }
  })
  const differs = difference(expected, facts)
  if (differs !== undefined) return `lists keys with ${differs}`
  const short = pages.slice(0, -1).find((page) => page.length !== limit)
  if (short !== undefined) return `has a page of ${short.length} keys before its last`
  for (const [n, key] of keys.entries()) {
    const seen = shown[n]
    const flaw = seen === undefined ? undefined : flawOfBudget(seen, key)
    if (flaw !== undefined) return flaw
  }
  return undefined
}

/** The rules about lists of keys. */
export const keyListRules: Rulebook = { 146: { keys_listed: listed } }
