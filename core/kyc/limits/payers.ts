import { Clock, Effect } from "effect"
import { Store } from "../../ports/Store.ts"
import { Vault } from "../../ports/Vault.ts"
import { agentRecordId, detectedChannels, levelAt, personsAt } from "../agents/Agent.ts"
import {
  isDayCounter,
  overDay,
  overTransaction,
  type Refusal,
  type Spender,
  type Spending,
  spendingOf,
  toCents,
} from "./Limits.ts"
import { Installation } from "../../ports/Installation.ts"
import type { Conflict } from "../../commits/Commit.ts"
import { worthOf } from "../../pricing/quoteSettlement.ts"
import type { Money } from "../../shared/Money.ts"
import type { Timestamp } from "../../shared/Timestamp.ts"

/** A spender, with the channels whose wallets it is known to have (routing rules). */
export interface KnownSpender extends Spender {
  readonly detected: ReadonlyArray<string>
}

/** Reads an agent of an account with its level; it is anonymous unless verified (KYC/KYB). */
export const spenderOf = (accountId: string, agentId: string, party: Spender["party"] = "payer") =>
  Effect.flatMap(Vault, ({ sha256 }) => {
    const agent = agentRecordId(accountId, agentId, sha256)
    return Effect.flatMap(Store, (store) =>
      Effect.zipWith(
        store.find("agent", agent),
        Clock.currentTimeMillis,
        (found, now): KnownSpender => ({
          party,
          account_id: accountId,
          agent,
          level: levelAt(found, now),
          persons: personsAt(found, now),
          detected: party === "payer" ? detectedChannels(found, now) : [],
        }),
      ),
    )
  })

/** Collects what a refusal tells the account that asks. */
const aboutLimits = (spender: Spender, amount: Money, asker: string) =>
  Effect.map(Installation, ({ base_url, currencies, terms }): Refusal => {
    const currency = currencies.get(amount.currency) ?? { code: amount.currency, exponent: 0 }
    const { limits } = terms
    const told = spender.account_id === asker
    return { spender, told, amount, currency, base_url, limits }
  })

/**
 * Checks a payment against the limit per payment (KYC level limits). Returns what it counts against
 * the daily limit, and what a later refusal needs. `asker` is the account that asks. The commit
 * that reserves the daily limit decides whether the limit has room.
 *
 * Fails with `INSUFFICIENT_KYC`, and with `TEMPORARILY_UNAVAILABLE` without usable rates.
 */
export const gatePayment = (spender: Spender, amount: Money, at: Timestamp, asker: string) =>
  Effect.flatMap(worthOf(amount, "USD", "up"), (cents) =>
    Effect.flatMap(aboutLimits(spender, amount, asker), (limits) => {
      const refused = overTransaction(limits, cents)
      return refused === undefined
        ? Effect.succeed({ spending: spendingOf(spender, cents, at), limits })
        : Effect.fail(refused)
    }),
  )

/**
 * Refuses what the daily limit has no room for now. A payment does not need this check, since its
 * commit reserves.
 */
export const checkDay = Effect.fnUntraced(function* (
  spender: Spender,
  amount: Money,
  { cents, counters }: Spending,
  asker: string,
) {
  const spent = Math.max(0, ...(yield* (yield* Store).readCounters(counters)))
  const { limits } = (yield* Installation).terms
  if (spent + cents <= toCents(limits[spender.level].daily)) return
  return yield* overDay(yield* aboutLimits(spender, amount, asker), cents, spent)
})

/**
 * Turns a conflict at the daily limit into a refusal for the owner of the limit. Other conflicts
 * fail unchanged.
 */
export const refusedForDay = Effect.fnUntraced(function* (
  spender: Spender,
  amount: Money,
  cents: number,
  asker: string,
  conflict: Conflict,
) {
  const { reason } = conflict
  if (reason.type !== "limit_reached" || !isDayCounter(reason.counter)) return yield* conflict
  return yield* overDay(yield* aboutLimits(spender, amount, asker), cents, reason.value)
})
