import { Effect } from "effect"
import { listAccounts } from "../../core/accounts/showAccounts.ts"
import { listAudit } from "../../core/audit/showAudit.ts"
import { operatorListRules } from "../auditor/invariants/operatorLists.ts"
import { kept } from "../auditor/invariants/ownership.ts"
import type { Observations } from "../auditor/Observation.ts"
import type { Chance } from "../random/Chance.ts"
import type { Part, Scene } from "../world/Stage.ts"

/** The entries of a page: few, so that a list has several pages. */
const PAGE = 4

/** More acts than the operators of a world do. */
const EVERY = 10_000

/** Lists accounts page by page. */
const readAccounts = Effect.fnUntraced(function* ({ auditor, people }: Scene, chance: Chance) {
  const [first] = people.buyers
  const query: Observations["accounts_listed"]["query"] = {
    ...(chance.hits(0.5) && { kind: chance.pick(["seller", "buyer"] as const) }),
    ...(chance.hits(0.4) && { plan: chance.pick(["starter", "pro", "enterprise"] as const) }),
    ...(first !== undefined && chance.hits(0.2) && { agent_id: first.account.agent_id }),
  }
  const listed: Array<{ readonly id: string }> = []
  for (;;) {
    const last = listed.at(-1)
    const page = yield* listAccounts({
      ...query,
      ...(last !== undefined && { starting_after: last.id }),
      limit: PAGE,
    })
    listed.push(...page.data)
    if (!page.has_more || page.data.length === 0) break
  }
  auditor.see("accounts_listed", "the accounts", { query, listed })
})

type Acts = Observations["acts_listed"]

/** Draws what is asked of the log: as much as one of its entries has, or nothing. */
const drawQuery = (stored: Acts["stored"], chance: Chance): Acts["query"] => {
  const [first, ...others] = stored
  if (first === undefined) return { after: 0 }
  const one = chance.pick([first, ...others])
  return {
    ...(chance.hits(0.4) && { action: one.action }),
    ...(chance.hits(0.2) && { actor: one.actor }),
    ...(chance.hits(0.2) && { target: one.target }),
    after: chance.hits(0.3) ? one.sequence - 1 : 0,
  }
}

/** Lists what operators have done page by page, and has the chain verified. */
const readActs = Effect.fnUntraced(function* ({ auditor, store }: Scene, chance: Chance) {
  const stored = yield* store.readAudit({ after: 0, limit: EVERY })
  const query = drawQuery(stored, chance)
  const listed: Array<{ readonly id: string }> = []
  let chain: Acts["chain"]
  for (;;) {
    const last = listed.at(-1)
    const page = yield* listAudit({
      ...query,
      ...(last === undefined ? { verify: "true" } : { starting_after: last.id }),
      limit: PAGE,
    })
    chain ??= page.chain
    listed.push(...page.data)
    if (!page.has_more || page.data.length === 0) break
  }
  auditor.see("acts_listed", "the log", { query, stored, listed, chain })
})

const read = Effect.fnUntraced(function* (scene: Scene) {
  const chance = scene.stage.chance("operators")
  yield* readAccounts(scene, chance)
  yield* readActs(scene, chance)
}, Effect.orDie)

/** Operators who list accounts and their own acts when everything is at rest. */
export const operators: Part = {
  name: "operators",
  rules: operatorListRules,
  knowledge: [kept],
  inspect: read,
}
