// Written independently of core/kyc on purpose: see Model.ts.

import type { Timestamp } from "../../../core/shared/Timestamp.ts"
import { dayOf, identities, RANKS } from "../Identities.ts"
import { levelLimits } from "../LevelLimits.ts"
import type { Model } from "../Model.ts"
import type { Rule, Rulebook } from "../Observation.ts"
import { difference } from "../saysTheSame.ts"

/** Whose payments are asked about: an agent's, or those to a seller by nobody in particular. */
interface Payers {
  readonly account: string
  readonly agent: string
  readonly isSeller: boolean
}

declare module "../Observation.ts" {
  interface Observations {
    /** A question at rest whether an amount of dollars may be paid, and its answer. */
    readonly level_asked: Payers & {
      readonly cents: number
      readonly claimed: (typeof RANKS)[number] | undefined
      readonly at: Timestamp
      readonly answer: object | undefined
      readonly refused: { readonly code: string; readonly details: object | undefined } | undefined
    }
  }
}

const wholeDollars = (cents: number | undefined) => ({ currency: "USD", value: (cents ?? 0) / 100 })

/** Whether something of the day's limit may have been used. */
const mayHaveSpent = ({ account, isSeller }: Payers, at: Timestamp, model: Model): boolean => {
  const day = dayOf(at)
  if (!isSeller) return (model.know(identities).spent.get(`${account} ${day}`)?.size ?? 0) > 0
  return [...model.intents.values()].some(
    ({ record }) => record.payee_account_id === account && dayOf(record.created_at) === day,
  )
}

const answered: Rule<"level_asked"> = (seen, model) => {
  const { account, agent, answer, at, cents, claimed, refused } = seen
  const { atOnce, daily } = model.know(levelLimits)
  const held = model.know(identities).rankWithin(account, agent, at, at)
  const rank = claimed === undefined ? held : Math.min(held, RANKS.indexOf(claimed))
  const isTooMuch = cents > (atOnce[rank] ?? 0)
  if (!isTooMuch && refused !== undefined && mayHaveSpent(seen, at, model)) return undefined
  const limits = { daily: wholeDollars(daily[rank]), per_transaction: wholeDollars(atOnce[rank]) }
  const enough = atOnce.findIndex((limit) => limit >= cents)
  const expected = isTooMuch
    ? {
        code: "INSUFFICIENT_KYC",
        limit: "per_transaction",
        current_kyc_level: RANKS[rank],
        required_kyc_level: RANKS[enough] ?? null,
      }
    : { allowed: true, current_kyc_level: RANKS[rank], limits }
  const { current_kyc_level, limit, required_kyc_level } = (refused?.details ?? {}) as {
    readonly [field: string]: unknown
  }
  const found =
    refused === undefined
      ? answer
      : { code: refused.code, limit, current_kyc_level, required_kyc_level }
  const differs = difference(expected, found)
  return differs === undefined ? undefined : `is told about ${cents} cents ${differs}`
}

/** The rules about questions what may be paid. */
export const levelAskedRules: Rulebook = { 155: { level_asked: answered } }
