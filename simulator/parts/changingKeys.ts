import { Effect } from "effect"
import { changeKeys } from "../world/people/webhookReceivers.ts"
import type { Part } from "../world/Part.ts"

/** Sellers that rotate secrets, register and delete keys, and switch receivers off and on. */
export const changingKeys: Part = {
  name: "changing keys",
  actors: ({ people, stage }) =>
    people.sellers.map((seller, n) =>
      Effect.orDie(changeKeys(stage, seller, n, people.receivers[n] ?? [])),
    ),
}
