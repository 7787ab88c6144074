import { Effect } from "effect"
import { getVerification } from "../../core/kyc/verifications/ownVerification.ts"
import { contactRules, households as known } from "../auditor/invariants/contacts.ts"
import { atOnce } from "../world/atOnce.ts"
import type { Part, Scene } from "../world/Stage.ts"
import { appealAgainst, becomeBasic, type Climber } from "./climb.ts"
import { settle } from "./climbers.ts"

/** How many codes a contact may get in an hour: one for each of the agents. */
const MEMBERS = 5

/** Verifies an agent with the household's contacts; a rejected agent appeals. */
const prove = Effect.fnUntraced(function* (scene: Scene, member: Climber) {
  const id = yield* becomeBasic(scene, member)
  if (id === undefined) return
  const { status } = yield* Effect.orDie(getVerification(member.caller, id))
  if (status !== "rejected") return
  member.rejected.push(id)
  yield* appealAgainst(scene, member)
})

const live = Effect.fnUntraced(function* (scene: Scene) {
  const caller = yield* settle(1)
  const members = Array.from({ length: MEMBERS }, (_, n): Climber => ({
    caller,
    name: `member ${n}`,
    number: 100,
    chance: scene.stage.chance(`member ${n}`),
    rejected: [],
  }))
  const { id: account_id } = caller.account
  scene.auditor.see("household", account_id, { account_id })
  yield* atOnce(members.map((member) => prove(scene, member)))
}, Effect.orDie)

/** Agents that use one e-mail address and one phone for all their codes. */
export const households: Part = {
  name: "households",
  heavy: 0,
  rules: contactRules,
  knowledge: [known],
  errands: (scene) => [live(scene)],
}
