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

/** Whose limits count, with the channels whose wallets a payer is known to have (routing rules). */
export interface KnownSpender extends Spender {
  readonly detected: ReadonlyArray<string>
}

/** An agent of an account as the limits see it: anonymous, unless it was verified (KYC/KYB). */
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

/** What a refusal tells of, to the account that asks. */
const aboutLimits = (spender: Spender, amount: Money, asker: string) =>
  Effect.map(Installation, ({ base_url, currencies, terms }): Refusal => {
    const currency = currencies.get(amount.currency) ?? { code: amount.currency, exponent: 0 }
    const { limits } = terms
    const told = spender.account_id === asker
    return { spender, told, amount, currency, base_url, limits }
  })

/**
 * What a payment counts against the limits that it takes, where they allow it at once (KYC level
 * limits), and what a later refusal tells of them. `asker` is the account that asks for it. Whether
 * the day's limit has room is decided by the commit that reserves it.
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
 * Refuses what the day has no room for as it is now. A payment needs no such question: its commit
 * answers it.
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
 * What a refused commit says to whose limits it takes: that the day's limit has no room for so many
 * cents, where that is what it was refused for.
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
