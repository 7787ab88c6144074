import { Effect } from "effect"
import { getVerification } from "../../core/kyc/verifications/ownVerification.ts"
import { contactRules, households as known } from "../auditor/invariants/contacts.ts"
import { atOnce } from "../world/atOnce.ts"
import type { Part, Scene } from "../world/Stage.ts"
import { appealAgainst, becomeBasic, type Climber } from "./climb.ts"
import { settle } from "./climbers.ts"

/** So many codes a contact is sent in an hour: each of the agents gets one. */
const MEMBERS = 5

/** Becomes verified by the household's contacts; one that is rejected appeals against that. */
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

/** Agents whose codes all go to one e-mail address and one phone. */
export const households: Part = {
  name: "households",
  heavy: 0,
  rules: contactRules,
  knowledge: [known],
  errands: (scene) => [live(scene)],
}
