import { Effect } from "effect"
import type { Caller } from "../../core/accounts/Account.ts"
import type { Part } from "../world/Part.ts"
import type { Scene } from "../world/Scene.ts"

const SCOPES = [null, "read:summary", "all"] as const

/** A seller's gate asks about everything that it knows, scope by scope. */
const visit = Effect.fnUntraced(function* ({ auditor, client }: Scene, seller: Caller) {
  for (const { account_id, item_id: id, type } of auditor.model.access.items) {
    if (account_id !== seller.account.id) continue
    for (const scope of SCOPES) yield* client.ask(seller, { type, id, scope })
  }
})

/** Gates that ask at the end what is left of every access. */
export const gates: Part = {
  name: "gates",
  inspect: (scene) =>
    Effect.forEach(scene.people.sellers, (seller) => visit(scene, seller), { discard: true }),
}
