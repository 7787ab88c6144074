import { Effect, Exit } from "effect"
import type { Caller } from "../../core/accounts/Account.ts"
import { attemptPayment } from "../../core/payments/attemptPayment.ts"
import { identities, RANKS } from "../auditor/Identities.ts"
import { levelAskedRules } from "../auditor/invariants/levelsAsked.ts"
import { levelLimits } from "../auditor/LevelLimits.ts"
import type { Chance } from "../random/Chance.ts"
import type { Part, Scene } from "../world/Stage.ts"
import { failedWith } from "./failedWith.ts"

/** How many amounts are asked about. */
const AMOUNTS = 12

/** Draws an account of the world. */
export const drawCaller = ({ people }: Scene, chance: Chance): Caller =>
  chance.pick([people.stranger, ...people.buyers, ...people.sellers])

/** Asks whether amounts around the limits of levels may be paid. */
const askForLimits = Effect.fnUntraced(function* (scene: Scene, chance: Chance) {
  const { auditor, stage } = scene
  const limits = auditor.model.know(levelLimits).atOnce
  for (let n = 0; n < AMOUNTS; n += 1) {
    const caller = drawCaller(scene, chance)
    const [least = 1, ...higher] = limits
    const cents = chance.pick([least, ...higher]) + chance.pick([-1, 0, 0, 1])
    const claimed = chance.pick([undefined, undefined, undefined, ...RANKS])
    const exit = yield* Effect.exit(
      attemptPayment(caller, {
        amount: { currency: "USD", value: cents },
        ...(claimed !== undefined && { kyc_level: claimed }),
      }),
    )
    const { agent_id: agent, id: account, kind } = caller.account
    auditor.see("level_asked", account, {
      account,
      agent,
      isSeller: kind === "seller",
      cents,
      claimed,
      at: stage.now(),
      answer: Exit.isSuccess(exit) ? exit.value : undefined,
      refused: failedWith(exit),
    })
  }
})

/** Accounts that ask at rest what they may pay, without paying it. */
export const levelAskers: Part = {
  name: "level askers",
  heavy: 0.5,
  rules: levelAskedRules,
  knowledge: [identities, levelLimits],
  inspect: (scene) => askForLimits(scene, scene.stage.chance("level askers")),
}
