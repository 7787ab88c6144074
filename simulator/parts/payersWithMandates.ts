import { Effect } from "effect"
import type { Caller } from "../../core/accounts/Account.ts"
import { uninstall } from "../../core/installs/deleteInstall.ts"
import type { InstallInput } from "../../core/installs/InstallInput.ts"
import { putInstall } from "../../core/installs/putInstall.ts"
import { CAP_PERIODS } from "../../core/installs/SpendCap.ts"
import { createOneTime } from "../../core/payments/createOneTime.ts"
import { cancelIntent, voidIntent } from "../../core/payments/endIntent.ts"
import { MINUTE, SECOND } from "../../core/shared/Timestamp.ts"
import { identities } from "../auditor/Identities.ts"
import { levelLimits } from "../auditor/LevelLimits.ts"
import { alertRules, capSpending } from "../auditor/invariants/alerts.ts"
import { holdingRules } from "../auditor/invariants/holdings.ts"
import { installRules, installs } from "../auditor/invariants/installs.ts"
import type { Chance } from "../random/Chance.ts"
import type { Shown } from "../players/PlayerWorld.ts"
import type { Part, Scene } from "../world/Stage.ts"
import { payShown } from "./payShown.ts"
import { type ServicePlan, SERVICES, verify } from "../world/people/Population.ts"
import { atOnce } from "../world/atOnce.ts"

/** Returns the name of an agent that was verified only for small amounts. */
const juniorOf = ({ account }: Caller): string => `${account.agent_id} junior`

/** The largest amounts that an agent may pay, in minor units, and how often there is a cap. */
interface Allowance {
  readonly limit: number
  readonly cap: number
  readonly capped: number
}

const OWN: Allowance = { limit: 500_000, cap: 5_000_000, capped: 0.2 }
const JUNIOR: Allowance = { limit: 30_000, cap: 60_000, capped: 0.7 }

/** Returns the usual currency of a service's payers, or another. */
const currencyOf = (chance: Chance, { currencies }: ServicePlan): string =>
  chance.hits(0.8) ? currencies[0] : chance.pick(currencies)

/** Draws the settings of an install. */
const settings = (chance: Chance, plan: ServicePlan, most: Allowance): InstallInput => {
  const currency = currencyOf(chance, plan)
  const amount = { currency, value: chance.int(most.cap / 50, most.cap) }
  const limit = { currency, value: chance.int(most.limit / 20, most.limit) }
  return {
    auto_pay_limit: chance.hits(0.9) ? limit : null,
    ...(chance.hits(most.capped) && {
      spend_cap: { amount, period: chance.pick(CAP_PERIODS) },
      budget_alerts: [50, 90],
    }),
  }
}

/** A payer without confirmations: a buyer's own agent, or its junior. */
interface Payer {
  readonly buyer: Caller
  readonly agent_id: string
  readonly allowance: Allowance
  /** The service that it buys from most. */
  readonly favourite: ServicePlan
}

/** Returns the payers; the first two buyers use their juniors. */
const payersOf = ({ people, stage }: Scene): ReadonlyArray<Payer> =>
  people.buyers.map((buyer, n) => ({
    buyer,
    agent_id: n < 2 ? juniorOf(buyer) : buyer.account.agent_id,
    allowance: n < 2 ? JUNIOR : OWN,
    favourite: stage.chance(`favourite of ${buyer.account.agent_id}`).pick(SERVICES),
  }))

const install = ({ people, stage }: Scene, payer: Payer, plan: ServicePlan) => {
  const { agent_id, allowance, buyer, favourite } = payer
  const chance = stage.chance(`install of ${plan.name} by ${agent_id}`)
  const input = { ...settings(chance, plan, allowance), agent_id }
  return plan === favourite || (allowance === OWN && chance.hits(0.4))
    ? Effect.ignore(putInstall(buyer, people.services.get(plan.name) ?? "", input))
    : Effect.void
}

/** How long a payer leaves its installs alone, in milliseconds on average: longer each time. */
const CONTENT = { first: 5 * MINUTE, growth: 1.1 } as const

/** Changes a buyer's install sometimes: another limit, no limit, or no install. */
const fickle = Effect.fnUntraced(function* ({ people, stage }: Scene, payer: Payer) {
  const { agent_id, allowance, buyer } = payer
  const chance = stage.chance(`second thoughts of ${agent_id}`)
  for (let content: number = CONTENT.first; ; content *= CONTENT.growth) {
    yield* Effect.sleep(chance.wait(content) + SECOND)
    const plan = chance.hits(0.5) ? payer.favourite : chance.pick(SERVICES)
    const id = people.services.get(plan.name) ?? ""
    const input = { ...settings(chance, plan, allowance), agent_id }
    if (chance.hits(0.3)) yield* Effect.ignore(uninstall(buyer, id, agent_id))
    else yield* Effect.ignore(putInstall(buyer, id, input))
  }
})

/** Pays as an agent that leaves the channel open, since only then no confirmation is needed. */
const spend = Effect.fnUntraced(function* (scene: Scene, payer: Payer) {
  const { client, people, stage } = scene
  const { agent_id, allowance, buyer, favourite } = payer
  const chance = stage.chance(`errands of ${agent_id}`)
  yield* Effect.sleep(chance.wait(MINUTE))
  const errand = (n: number) => {
    const value = chance.int(100, allowance.limit / 2)
    const body = {
      service_id: people.services.get(favourite.name) ?? "",
      amount: { currency: currencyOf(chance, favourite), value },
      description: "Within the limit, or not",
      payer: { agent_id },
    }
    return client.send({
      caller: buyer,
      route: "POST /v1/payments/one-time",
      body,
      key: chance.hits(0.7) ? `errand ${n} of ${agent_id}` : null,
      status: 201,
      verb: createOneTime(buyer, body),
    })
  }
  const errands = Array.from({ length: chance.int(1, 2) }, (_, n) =>
    Effect.flatMap(errand(n), (made) =>
      made === undefined ? Effect.void : payShown(scene, made as Shown, chance, 0.6),
    ),
  )
  yield* atOnce(errands)
  // After this wait, unopened links have expired and released their amounts.
  yield* Effect.sleep(6 * MINUTE)
  const last = yield* errand(errands.length)
  if (last !== undefined) yield* payShown(scene, last as Shown, chance, 0.8)
})

const ENDINGS = {
  voided: { route: "POST /v1/payment-intents/{id}/void", verb: voidIntent },
  cancelled: { route: "POST /v1/payment-intents/{id}/cancel", verb: cancelIntent },
} as const

/**
 * Tries as a seller to end a payment that is being charged, less often after each try: a charge
 * whose outcome nobody can find out lasts for weeks.
 */
const meddle = Effect.fnUntraced(function* ({ auditor, client, people, stage }: Scene) {
  const chance = stage.chance("meddling")
  let pause = 10 * SECOND
  for (;;) {
    yield* Effect.sleep(chance.wait(pause) + 100)
    for (const id of auditor.model.know(installs).charging) {
      const payee = auditor.model.intents.get(id)?.record.payee_account_id
      const caller = people.sellers.find(({ account }) => account.id === payee)
      if (caller === undefined || chance.hits(0.5)) continue
      const event = chance.pick(["voided", "cancelled"] as const)
      const { route, verb } = ENDINGS[event]
      pause *= 1.1
      yield* client.send({
        caller,
        route,
        body: {},
        key: null,
        moves: { id, event },
        verb: verb(caller, id),
      })
    }
  }
})

/** Payers whose agents may pay without confirmation. */
export const payersWithMandates: Part = {
  name: "payers with mandates",
  heavy: 0.25,
  rules: { ...installRules, ...alertRules, ...holdingRules },
  knowledge: [installs, identities, levelLimits, capSpending],
  prepare: (scene) =>
    Effect.forEach(
      payersOf(scene),
      (payer) => {
        const { agent_id, allowance, buyer } = payer
        const proven = verify(buyer.account.id, agent_id, "basic")
        const known = allowance === JUNIOR ? Effect.orDie(proven) : Effect.void
        const installed = atOnce(SERVICES.map((plan) => install(scene, payer, plan)))
        return Effect.andThen(known, installed)
      },
      { discard: true },
    ),
  actors: (scene) => [...payersOf(scene).map((payer) => fickle(scene, payer)), meddle(scene)],
  errands: (scene) => payersOf(scene).map((payer) => spend(scene, payer)),
}
