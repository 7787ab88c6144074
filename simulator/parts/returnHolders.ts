import { Effect } from "effect"
import { CurrentReturnHold } from "../../core/dispatch/holdReturn.ts"
import { parseReturnHold, type ReturnHold } from "../../core/gateway/ReturnHold.ts"
import { MINUTE, toIso } from "../../core/shared/Timestamp.ts"
import { heldReturnRules, holds } from "../auditor/invariants/heldReturns.ts"
import type { OperatorsHold } from "../ports/returnHold.ts"
import type { Chance } from "../random/Chance.ts"
import type { Part, Scene } from "../world/Stage.ts"

/** The share of worlds in which an operator holds returns. */
const SHARE = 1 / 3

/** How long after the first payment an operator holds returns, on average. */
const HELD_AFTER = 2 * MINUTE

const isOperators = (hold: ReturnHold | undefined): hold is ReturnHold & OperatorsHold =>
  hold !== undefined && "at" in hold && "ids" in hold

/** Draws the words in which an operator says whose returns to hold. */
const drawWords = ({ auditor, stage }: Scene, chance: Chance): string => {
  const ids = [...auditor.model.intents.keys()].filter(() => chance.hits(0.5))
  const isTime = ids.length === 0 || chance.hits(0.5)
  return isTime ? toIso(stage.now()) : ids.join(chance.pick([",", " , "]))
}

/** Holds returns until the faults end. */
const hold = Effect.fnUntraced(function* (scene: Scene, chance: Chance) {
  const { auditor, stage } = scene
  const current = yield* CurrentReturnHold
  if (!isOperators(current)) return
  const see = () =>
    auditor.see("returns_held", "an operator", {
      created_before: current.at,
      ids: new Set(current.ids),
      at: stage.now(),
    })
  yield* Effect.sleep(chance.wait(HELD_AFTER))
  const wanted = parseReturnHold(drawWords(scene, chance))
  if (wanted === undefined) return
  current.type = wanted.type
  if (wanted.type === "created_before") current.at = wanted.at
  else for (const id of wanted.ids) current.ids.add(id)
  see()
  const lift = Effect.sync(() => {
    current.type = "payments"
    current.at = 0
    current.ids.clear()
    see()
  })
  yield* Effect.ensuring(Effect.never, lift)
})

/** An operator who lets nobody's money go back for a while, as after a restored database. */
export const returnHolders: Part = {
  name: "return holders",
  rules: heldReturnRules,
  knowledge: [holds],
  actors: (scene) => {
    const chance = scene.stage.chance("return holders")
    return chance.hits(SHARE) ? [hold(scene, chance)] : []
  },
}
