import { Clock, Effect } from "effect"
import { Store, type StoreUnavailable } from "../../ports/Store.ts"
import { Vault } from "../../ports/Vault.ts"
import type { Caller } from "../../accounts/Account.ts"
import { Failure } from "../../shared/Failure.ts"
import type { PayerInput } from "../agents/PayerInput.ts"
import { agentRecordId, detectedChannels, levelAt } from "../agents/Agent.ts"
import {
  isDayCounter,
  LIMITS,
  overDay,
  overTransaction,
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

/** Who pays, and the account that this agent belongs to. */
export interface NamedPayer {
  readonly account_id: string | null
  readonly agent_id: string | null
  readonly human_id: string | null
  /** Who the limits are counted for; null when nobody in particular is named. */
  readonly spender: KnownSpender | null
}

const forbiddenAgent = () =>
  new Failure({
    code: "FORBIDDEN",
    message: "A buyer's key can name only agents of its own account as the payer.",
    field: "payer.agent_id",
  })

/**
 * The payer of a new payment. A buyer pays as its own agent unless it names another of its own; a
 * seller may name any agent, or nobody in particular.
 */
export const namePayer = Effect.fnUntraced(function* (
  caller: Caller,
  payer: PayerInput = {},
): Effect.fn.Return<NamedPayer, Failure<"FORBIDDEN"> | StoreUnavailable, Store | Vault> {
  const { account } = caller
  const human_id = payer.human_id ?? null
  const agent_id = payer.agent_id ?? (account.kind === "buyer" ? account.agent_id : null)
  if (agent_id === null) return { account_id: null, agent_id, human_id, spender: null }
  const owner = agent_id === account.agent_id ? account.id : yield* ownerOf(caller, agent_id)
  const spender = yield* spenderOf(owner ?? account.id, agent_id)
  return { account_id: owner, agent_id, human_id, spender }
})

/** The account that another's agent belongs to; null where a seller names one that nobody has. */
const ownerOf = Effect.fnUntraced(function* ({ account }: Caller, agentId: string) {
  const other = yield* (yield* Store).findBy("account", { agent_id: agentId })
  if (account.kind === "seller") return other?.id ?? null
  return other === undefined ? account.id : yield* forbiddenAgent()
})

/** Who pays, with the channels whose wallets it is known to have (routing rules). */
export interface KnownSpender extends Spender {
  readonly detected: ReadonlyArray<string>
}

/** An agent of an account as the limits see it: anonymous, unless it was verified (KYC/KYB). */
export const spenderOf = Effect.fnUntraced(function* (accountId: string, agentId: string) {
  const agent = agentRecordId(accountId, agentId, (yield* Vault).sha256)
  const found = yield* (yield* Store).find("agent", agent)
  const now = yield* Clock.currentTimeMillis
  const spender: KnownSpender = {
    account_id: accountId,
    agent,
    level: levelAt(found, now),
    detected: detectedChannels(found, now),
  }
  return spender
})

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

/**
 * What a refused commit says to a payer whose payment counts so many cents: that the day's limit
 * has no room, where that is what it was refused for.
 */
export const refusedForDay = Effect.fnUntraced(function* (
  { level }: Spender,
  amount: Money,
  cents: number,
  conflict: Conflict,
) {
  const { reason } = conflict
  if (reason.type !== "limit_reached" || !isDayCounter(reason.counter)) return yield* conflict
  const { base_url } = yield* Installation
  return yield* overDay({ level, amount, base_url }, cents, reason.value)
})
