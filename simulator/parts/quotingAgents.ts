import { Effect, Exit } from "effect"
import { callMarket } from "../../core/market/callMarket.ts"
import { levelLimits } from "../auditor/LevelLimits.ts"
import { marketQuoteRules, type QuoteAsked } from "../auditor/invariants/marketQuotes.ts"
import { kept } from "../auditor/invariants/ownership.ts"
import type { Chance } from "../random/Chance.ts"
import type { Part, Scene } from "../world/Stage.ts"
import { failedWith } from "./failedWith.ts"

/** Amounts around what an agent without a level may pay in dollars, and little of all others. */
const drawPrice = (chance: Chance): Pick<QuoteAsked, "amount" | "currency"> => {
  const currency = chance.pick(["USD", "USD", "USD", "JPY", "KWD", "CNY", "SGD", undefined])
  const isNamed = chance.hits(0.6)
  const amount = currency === "USD" ? chance.pick([1, 999, 1_000, 1_001, 40_000]) : chance.int(1, 9)
  return { ...(currency !== undefined && { currency }), ...(isNamed && { amount }) }
}

/** Asks what a payment would cost, with a key that may be restricted. */
const ask = Effect.fnUntraced(function* (scene: Scene, chance: Chance) {
  const { auditor, hears, people } = scene
  const [first, ...others] = auditor.model.services.keys()
  if (first === undefined) return
  const service_id = chance.pick([first, ...others])
  const own = people.stranger.account.agent_id
  const agents = chance.weighted([
    [5, undefined],
    [2, ["one"]],
    [1, [own]],
    [2, ["one", own]],
    [1, ["one", "two"]],
  ])
  const services = chance.hits(0.2)
    ? chance.pick([[service_id], [first], [service_id, first]])
    : undefined
  const agent_id = chance.hits(0.3) ? chance.pick(["one", "three", own]) : undefined
  const asked: QuoteAsked = {
    service_id,
    ...drawPrice(chance),
    ...(agent_id !== undefined && { agent_id }),
  }
  const restrictions = { ...(agents && { agents }), ...(services && { services }) }
  const isRestricted = agents !== undefined || services !== undefined
  const caller = { ...people.stranger, ...(isRestricted && { restrictions }) }
  const heard = JSON.parse(hears(JSON.stringify(asked))) as QuoteAsked
  const exit = yield* Effect.exit(callMarket(caller, "quote", heard))
  auditor.see("market_quoted", service_id, {
    asked,
    own,
    agents,
    services,
    answer: Exit.isSuccess(exit) ? exit.value : undefined,
    refused: failedWith(exit)?.code,
  })
})

const QUOTES = 4

const quote = Effect.fnUntraced(function* (scene: Scene) {
  const chance = scene.stage.chance("quoting agents")
  for (let n = 0; n < QUOTES; n += 1) yield* ask(scene, chance)
})

/** Agents that ask the market what payments would cost when everything is at rest. */
export const quotingAgents: Part = {
  name: "quoting agents",
  rules: marketQuoteRules,
  knowledge: [kept, levelLimits],
  inspect: quote,
}
