import { Effect } from "effect"
import type { Caller } from "../../core/accounts/Account.ts"
import { callMarket } from "../../core/market/callMarket.ts"
import type { MarketToolName } from "../../core/market/MarketInput.ts"
import { allowanceRules } from "../auditor/invariants/allowances.ts"
import { budgets } from "../auditor/invariants/budgets.ts"
import { givenRates } from "../auditor/invariants/exchange.ts"
import { offerRules } from "../auditor/invariants/offers.ts"
import { kept } from "../auditor/invariants/ownership.ts"
import type { Observations } from "../auditor/Observation.ts"
import { identities } from "../auditor/Identities.ts"
import { levelLimits } from "../auditor/LevelLimits.ts"
import type { Chance } from "../random/Chance.ts"
import type { Part, Scene } from "../world/Stage.ts"
import { boundedIn } from "./boundedKeys.ts"
import { drawSought } from "./soughtServices.ts"

/** Calls a tool of the market, and returns its answer. */
const ask = <K extends "market_searched" | "offer_shown" | "allowance_shown">(
  caller: Caller,
  tool: MarketToolName,
  given: object,
) =>
  Effect.map(
    callMarket(caller, tool, given),
    (answer: object) => answer as Observations[K]["answer"],
  )

const SEARCHES = 3

/** Searches the market, and looks at the services that it finds. */
const search = Effect.fnUntraced(function* ({ auditor, people }: Scene, chance: Chance) {
  const services = [...people.services.values()]
  for (let n = 0; n < SEARCHES; n += 1) {
    const sought = drawSought(chance)
    const ids = chance.hits(0.15) ? services.slice(0, chance.int(1, 4)) : undefined
    const caller = {
      ...people.stranger,
      ...(ids !== undefined && { restrictions: { services: ids } }),
    }
    const answer = yield* ask<"market_searched">(caller, "search_services", sought)
    auditor.see("market_searched", JSON.stringify(sought), { sought, ids, answer })
    const [first] = answer.services
    const service_id = n > 0 ? first?.service_id : chance.pick(["", ...services])
    if (service_id === undefined || service_id === "") continue
    const offer = yield* Effect.option(ask<"offer_shown">(caller, "get_service", { service_id }))
    if (offer._tag === "Some") auditor.see("offer_shown", service_id, { answer: offer.value })
  }
})

/** Reads what agents may spend, with keys that have budgets and with those that have none. */
const readBudgets = Effect.fnUntraced(function* (scene: Scene) {
  const { auditor, people, stage } = scene
  const bounded = boundedIn(scene).filter(({ restrictions }) => {
    return restrictions?.routes?.includes("read") !== false
  })
  const callers = [...people.buyers.slice(0, 2), ...bounded]
  for (const caller of callers) {
    const answer = yield* ask<"allowance_shown">(caller, "budget", {})
    auditor.see("allowance_shown", caller.api_key_id, { caller, answer, at: stage.now() })
  }
})

const read = Effect.fnUntraced(function* (scene: Scene) {
  yield* search(scene, scene.stage.chance("market readers"))
  yield* readBudgets(scene)
}, Effect.orDie)

/** Agents that search the market and read their budgets when everything is at rest. */
export const marketReaders: Part = {
  name: "market readers",
  rules: { ...offerRules, ...allowanceRules },
  knowledge: [budgets, givenRates, identities, kept, levelLimits],
  inspect: read,
}
