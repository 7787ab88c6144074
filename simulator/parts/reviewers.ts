import { Effect, Exit } from "effect"
import { CurrentOperator } from "../../core/audit/CurrentOperator.ts"
import { reviewAppeal } from "../../core/kyc/reviews/appeals.ts"
import { openVerification } from "../../core/kyc/reviews/openCase.ts"
import { reviewVerification } from "../../core/kyc/reviews/reviewVerification.ts"
import { CurrentCause } from "../world/ports/CurrentCause.ts"
import type { Scene } from "../world/Scene.ts"
import type { Services } from "../world/Services.ts"

const acts = new WeakMap<Scene, number>()

/** How many of the operators' acts have succeeded. */
export const actsOf = (scene: Scene): number => acts.get(scene) ?? 0

/** What an operator does; whether it was done. */
const act = <A, E>(scene: Scene, verb: Effect.Effect<A, E, Services>) =>
  verb.pipe(
    Effect.provideService(CurrentOperator, { actor: "operator", request_id: "req_simulated" }),
    Effect.provideService(CurrentCause, { type: "client", account: "operator", route: "review" }),
    Effect.exit,
    Effect.map((exit) => {
      if (Exit.isSuccess(exit)) acts.set(scene, actsOf(scene) + 1)
      return Exit.isSuccess(exit)
    }),
  )

/** A reviewer opens a verification and decides. */
export const review = Effect.fnUntraced(function* (scene: Scene, id: string, approves: boolean) {
  yield* act(scene, openVerification(id))
  const decision = approves ? "approve" : "reject"
  return yield* act(scene, reviewVerification(id, { decision }))
})

/** A reviewer decides about an appeal. */
export const decideAppeal = (scene: Scene, id: string, decision: "upheld" | "overturned") =>
  act(scene, reviewAppeal(id, { decision }))
