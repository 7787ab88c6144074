// Written independently of core/market, core/keys and core/kyc on purpose: see Model.ts.

import type { Caller } from "../../../core/accounts/Account.ts"
import type { ApiKey } from "../../../core/accounts/ApiKey.ts"
import type { Install } from "../../../core/installs/Install.ts"
import type { Money } from "../../../core/shared/Money.ts"
import { type Timestamp, toIso } from "../../../core/shared/Timestamp.ts"
import { dayOf, identities, RANKS } from "../Identities.ts"
import { levelLimits } from "../LevelLimits.ts"
import type { Model } from "../Model.ts"
import type { Finding, Observations, Rulebook } from "../Observation.ts"
import { difference } from "../saysTheSame.ts"
import { budgets, sumOf } from "./budgets.ts"
import { centsIn } from "./identity.ts"
import { payerOf, periodAt } from "./installs.ts"
import { UNSPENT } from "./lifecycle.ts"
import { kept } from "./ownership.ts"

/** What an answer says of a sum and its limit. */
interface Used {
  readonly amount: Money
  readonly spent: Money
  readonly left: Money
}

/** What an answer says of an install. */
interface ShownInstall {
  readonly service_id: string
  readonly paid_without_asking: Money | null
  readonly cap?: Used & { readonly period: string }
}

declare module "../Observation.ts" {
  interface Observations {
    /** What the market says at rest that an agent may spend. */
    readonly allowance_shown: {
      readonly caller: Caller
      readonly at: Timestamp
      readonly answer: {
        readonly key: object
        readonly agent: object
        readonly installs: ReadonlyArray<ShownInstall>
      }
    }
  }
}

type Seen = Observations["allowance_shown"]

const used = (amount: Money, spent: number): Used => ({
  amount,
  spent: { ...amount, value: spent },
  left: { ...amount, value: amount.value > spent ? amount.value - spent : 0 },
})

const usd = (value: number): Money => ({ currency: "USD", value })

/** Returns what has to be said of the key: its end, and each budget that holds for it. */
const keyOf = ({ at, caller }: Seen, model: Model) => {
  const key = model.know(kept).get("api_key")?.get(caller.api_key_id) as ApiKey | undefined
  const known = model.know(budgets)
  const most = key?.restrictions?.max_amount
  return {
    ...(key !== undefined && key.expires_at !== null && { expires_at: toIso(key.expires_at) }),
    ...(most !== undefined && { most_of_one_payment: most }),
    budgets: known.of(caller.api_key_id).map((budget) => {
      const paid = known.paidFrom(budget, at).map((id) => model.intents.get(id)?.record)
      return { period: budget.period, ...used(budget.amount, sumOf(paid)) }
    }),
  }
}

/** Returns what has to be said of the agent's level and of what is used of it today. */
const agentOf = ({ at, caller }: Seen, model: Model) => {
  const { agent_id, id } = caller.account
  const known = model.know(identities)
  const rank = known.rankWithin(id, agent_id, at, at)
  const today = known.spent.get(`${id} ${agent_id} ${dayOf(at)}`)?.values() ?? []
  return {
    agent_id,
    level: RANKS[rank],
    most_of_one_payment: usd(model.know(levelLimits).atOnce[rank] ?? 0),
    today: used(usd(model.know(levelLimits).daily[rank] ?? 0), centsIn(today, model)),
  }
}

const installsOf = ({ account }: Caller, model: Model): ReadonlyArray<Install> =>
  [...(model.know(kept).get("install")?.values() ?? [])]
    .flatMap((record) => (record === null ? [] : [record as Install]))
    .filter(({ account_id, agent_id }) => {
      return account_id === account.id && agent_id === account.agent_id
    })

/** Whether something of an install's cap is used in the period of that time. */
const isUsed = ({ account_id, agent_id, service_id }: Install, at: Timestamp, model: Model) => {
  const payer = `${account_id} ${agent_id} ${service_id}`
  return [...model.intents.values()].some(
    ({ record }) =>
      payerOf(record) === payer &&
      !UNSPENT.has(record.status) &&
      periodAt("monthly", record.created_at) === periodAt("monthly", at),
  )
}

/** Checks what is said of an install: its limit while its mandate is active, and its cap. */
const installShown = (shown: ShownInstall, install: Install, seen: Seen, model: Model): Finding => {
  const { auto_pay_limit, mandate, service_id, spend_cap_in_force: cap } = install
  const expected = {
    service_id,
    paid_without_asking: mandate?.status === "active" ? auto_pay_limit : null,
    ...(cap !== null && {
      cap: {
        period: cap.period,
        ...used(cap.amount, isUsed(install, seen.at, model) ? (shown.cap?.spent.value ?? 0) : 0),
      },
    }),
  }
  const differs = difference(expected, shown, ["seller_says"])
  return differs === undefined ? undefined : `shows the use of ${service_id} with ${differs}`
}

/** How many installs a budget has at most. */
const MOST = 10

const shows = (seen: Seen, model: Model): Finding => {
  const { answer, caller } = seen
  const { agent, installs, key } = answer
  const differs = difference(
    { key: keyOf(seen, model), agent: agentOf(seen, model) },
    { key, agent },
  )
  if (differs !== undefined) return `has a budget with ${differs}`
  const stored = installsOf(caller, model)
  const most = Math.min(stored.length, MOST)
  if (installs.length !== most) return `has ${installs.length} of ${most} installs`
  for (const shown of installs) {
    const install = stored.find(({ service_id }) => service_id === shown.service_id)
    if (install === undefined) return `has an install of ${shown.service_id}`
    const wrong = installShown(shown, install, seen, model)
    if (wrong !== undefined) return wrong
  }
  return undefined
}

/** The rules about what agents are told that they may spend. */
export const allowanceRules: Rulebook = { 129: { allowance_shown: shows } }
