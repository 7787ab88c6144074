import { Effect, Exit } from "effect"
import { showIntentQr, showServiceQr } from "../../core/qr/showQr.ts"
import { kept } from "../auditor/invariants/ownership.ts"
import { shownCodeRules } from "../auditor/invariants/shownCodes.ts"
import type { Chance } from "../random/Chance.ts"
import type { Part, Scene, Services } from "../world/Stage.ts"
import { failedWith } from "./failedWith.ts"
import { drawCaller } from "./levelAskers.ts"

/** How many codes are asked for, of services and of payments. */
const CODES = 12

/** Asks for the codes of services and of payments, on channels that they have or have not. */
const askForCodes = Effect.fnUntraced(function* (scene: Scene, chance: Chance) {
  const { auditor } = scene
  const { model } = auditor
  const services = [...model.services.values()]
  const printed = services.filter(({ qr_mode }) => qr_mode === "static")
  const payments = [...model.intents.values()].map(({ record }) => record)
  for (let n = 0; n < 2 * CODES; n += 1) {
    const of = n < CODES ? "service" : "payment"
    const all = of === "payment" ? payments : chance.hits(0.7) ? printed : services
    const [first, ...others] = all
    if (first === undefined) continue
    const found = chance.pick([first, ...others])
    const { id } = found
    const channels =
      "offers" in found ? found.offers.map((offer) => offer.channel) : found.accepted_channels
    const channel = chance.pick([undefined, undefined, "wallet_c", channels.at(0), channels.at(-1)])
    const sides =
      "offers" in found
        ? [found.account_id, found.payee_account_id, found.payer_account_id]
        : [found.account_id]
    const own = [...scene.people.buyers, ...scene.people.sellers].find((caller) =>
      sides.includes(caller.account.id),
    )
    const caller = chance.hits(0.3) ? drawCaller(scene, chance) : (own ?? drawCaller(scene, chance))
    const show: Effect.Effect<object, unknown, Services> =
      of === "service" ? showServiceQr(caller, id, channel) : showIntentQr(caller, id, channel)
    const exit = yield* Effect.exit(show)
    const answer = Exit.isSuccess(exit) ? exit.value : (failedWith(exit)?.code ?? "none")
    auditor.see("code_shown", id, { of, id, account: caller.account.id, channel, answer })
  }
})

/** Accounts that ask for codes of services and payments at rest. */
export const codeAskers: Part = {
  name: "code askers",
  heavy: 0.5,
  rules: shownCodeRules,
  knowledge: [kept],
  inspect: (scene) => askForCodes(scene, scene.stage.chance("code askers")),
}
