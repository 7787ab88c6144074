import { Effect } from "effect"
import { Installation } from "../../ports/Installation.ts"
import { catchConflict } from "../../commits/catchConflict.ts"
import type { Conflict, ConflictReason } from "../../commits/Commit.ts"
import { Store } from "../../ports/Store.ts"
import { worthOf } from "../../pricing/rateOf.ts"
import type { Money } from "../../shared/Money.ts"
import type { Timestamp } from "../../shared/Timestamp.ts"
import {
  isDayCounter,
  overDay,
  overTransaction,
  spendingOf,
  type Spender,
  type Spending,
} from "./Gate.ts"
import { LIMITS, toCents } from "./Level.ts"

/**
 * What a payment counts against its payer's limits, where the payer may make it at once (KYC level
 * limits). Whether the day's limit has room is decided by the commit that reserves it.
 *
 * Fails with `INSUFFICIENT_KYC`, and with `TEMPORARILY_UNAVAILABLE` without usable rates.
 */
export const gatePayment = Effect.fnUntraced(function* (
  spender: Spender,
  amount: Money,
  at: Timestamp,
) {
  const { base_url } = yield* Installation
  const cents = yield* worthOf(amount, "USD", "up")
  const refused = overTransaction({ level: spender.level, amount, base_url }, cents)
  if (refused !== undefined) return yield* refused
  return spendingOf(spender, cents, at)
})

/**
 * Refuses what the day has no room for as it is now. A payment needs no such question: its commit
 * answers it.
 */
export const checkDay = Effect.fnUntraced(function* (
  { level }: Spender,
  amount: Money,
  { cents, counters }: Spending,
) {
  const spent = Math.max(0, ...(yield* (yield* Store).readCounters(counters)))
  if (spent + cents <= toCents(LIMITS[level].daily)) return
  const { base_url } = yield* Installation
  return yield* overDay({ level, amount, base_url }, cents, spent)
})

/** Turns a commit that was refused for the day's limit into the refusal that says so. */
export const withinDay =
  (spender: Spender | null, amount: Money, cents: number) =>
  <A, E, R>(self: Effect.Effect<A, E | Conflict, R>) =>
    catchConflict(
      (reason) => spender !== null && passedDay(reason),
      ({ reason }) =>
        Effect.flatMap(Installation, ({ base_url }) => {
          const spent = reason.type === "limit_reached" ? reason.value : 0
          const level = spender?.level ?? "anonymous"
          return Effect.fail(overDay({ level, amount, base_url }, cents, spent))
        }),
    )(self)

const passedDay = (reason: ConflictReason): boolean =>
  reason.type === "limit_reached" && isDayCounter(reason.counter)
