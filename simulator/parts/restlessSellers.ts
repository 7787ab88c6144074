import { Effect } from "effect"
import { moveService } from "../../core/registry/moveService.ts"
import { MINUTE, SECOND } from "../../core/shared/Timestamp.ts"
import type { Part, Scene } from "../world/Stage.ts"
import { type ServicePlan, SERVICES } from "../world/people/Population.ts"
import { changeKeys } from "../world/people/webhookReceivers.ts"

/**
 * How long a service is first offered, and how long it is then paused, in milliseconds on average.
 * It is offered longer each time: in worlds that last a day, pauses would be most of what happens.
 */
const OFFERED = { first: 3 * MINUTE, growth: 1.5 } as const
const PAUSED = 8 * SECOND

/** Pauses a seller's service sometimes, for a moment. */
const restless = Effect.fnUntraced(function* ({ people, stage }: Scene, plan: ServicePlan) {
  const chance = stage.chance(`pauses of ${plan.name}`)
  const seller = people.sellers[plan.seller]
  const id = people.services.get(plan.name)
  if (seller === undefined || id === undefined) return
  for (let offered: number = OFFERED.first; ; offered *= OFFERED.growth) {
    yield* Effect.sleep(chance.wait(offered) + SECOND)
    yield* Effect.orDie(moveService(seller, id, "pause"))
    yield* Effect.sleep(chance.wait(PAUSED))
    yield* Effect.orDie(moveService(seller, id, "resume"))
  }
})

/** Sellers that pause their services in mid-traffic. */
export const restlessSellers: Part = {
  name: "restless sellers",
  actors: (scene) => SERVICES.map((plan) => restless(scene, plan)),
}

/** Sellers that rotate secrets, register and delete keys, and switch receivers off and on. */
export const changingKeys: Part = {
  name: "changing keys",
  actors: ({ people, stage }) =>
    people.sellers.map((seller, n) =>
      Effect.orDie(changeKeys(stage, seller, n, people.receivers[n] ?? [])),
    ),
}
