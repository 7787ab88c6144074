import { Effect } from "effect"
import { suspendAccount } from "../../core/keys/suspend.ts"
import { kept } from "../auditor/invariants/ownership.ts"
import type { Part, Scene } from "../world/Stage.ts"
import { asOperator } from "./climb.ts"
import { attempt } from "./contraryCallers.ts"

/** What nobody can do with a service whose seller is suspended. */
const SALES = ["subscribe", "open tab", "request payment", "pay once", "read printed code"] as const

/** How many requests are drawn in a world. */
const DRAWN = 40

const tryAll = Effect.fnUntraced(function* (scene: Scene) {
  const chance = scene.stage.chance("suspended sellers")
  const [first, ...others] = scene.people.sellers
  if (first === undefined) return
  const { account } = chance.pick([first, ...others])
  yield* asOperator(scene, suspendAccount(account.id, true))
  for (let n = 0; n < DRAWN; n += 1) {
    yield* attempt(scene, chance, chance.pick(SALES), account.id)
  }
})

/** A seller whom an operator has suspended at rest, and who would buy of it. */
export const suspendedSellers: Part = {
  name: "suspended sellers",
  knowledge: [kept],
  inspect: tryAll,
}
