import { Effect, Fiber } from "effect"
import { DAY, MINUTE } from "../../core/shared/Timestamp.ts"
import { parts } from "../parts.ts"
import { atOnce } from "./atOnce.ts"
import { Client } from "./people/Client.ts"
import type { Part, Scene } from "./Stage.ts"
import type { PaymentPlan, Script } from "./plans/Plan.ts"
import { playPayment } from "../players/playPayment.ts"
import { playerWorld } from "./people/playerWorld.ts"
import { populate } from "./people/Population.ts"
import type { World } from "./World.ts"

/** Longer than any schedule: the last attempt of a webhook is almost five days after the first. */
const PATIENCE = 6 * DAY

const WEEK = 7 * DAY

/** Waits until everything that runs by itself has ended: messages, retries, due work. */
const comeToRest = Effect.fnUntraced(function* ({ stage, store }: Scene) {
  const until = stage.now() + PATIENCE
  while (stage.now() < until) {
    const next = yield* store.nextDueAt()
    if (stage.busy() === 0 && (next === undefined || next > until)) return
    const idle = stage.busy() === 0 && next !== undefined ? next - stage.now() : 0
    yield* Effect.sleep(Math.max(idle, 10 * MINUTE))
  }
})

/** Shows the auditor every payment at rest. */
const inspect = Effect.fnUntraced(function* ({ auditor, store }: Scene) {
  const { model } = auditor
  for (const [id, { record }] of model.intents) {
    const stored = yield* store.find("payment_intent", id)
    const requests = model.requestsOf(id)
    const deliveries = model.deliveriesOf(id)
    const refunds = model.refundsOf(id)
    auditor.see("rest", id, { intent: record, stored, requests, refunds, deliveries })
  }
})

const partsOf = (script: Script): ReadonlyArray<Part> =>
  parts.filter(({ isAsked, name }) => script.parts?.includes(name) ?? isAsked !== true)

/** Returns the actions of all parts in one phase. */
const acts = (phase: "actors" | "errands" | "later", scene: Scene, script: Script) =>
  partsOf(script).flatMap((part) => part[phase]?.(scene) ?? [])

const inTurn = (phase: "prepare" | "inspect", scene: Scene, script: Script) =>
  Effect.forEach(partsOf(script), (part: Part) => part[phase]?.(scene) ?? Effect.void, {
    discard: true,
  })

const playAll = (
  scene: Scene,
  plans: ReadonlyArray<PaymentPlan>,
  progress: (done: number) => void,
) => {
  let done = 0
  let at = 0
  const players = playerWorld(scene)
  return atOnce(
    plans.map((plan) => {
      at += plan.after
      const played = Effect.andThen(Effect.sleep(at), playPayment(players, plan))
      return Effect.tap(played, () => Effect.sync(() => progress((done += 1))))
    }),
  )
}

/**
 * Plays the payments, each at its time, together with the parts; then ends the faults and waits for
 * rest. `progress` receives the number of finished payments.
 */
export const play = Effect.fnUntraced(function* (
  world: World,
  script: Script,
  progress: (done: number) => void,
) {
  const { auditor, callbacks, doors, hears, network, post, shops, stage, store, trace } = world
  const client = new Client(stage, auditor, trace)
  const people = yield* populate(stage)
  const scene: Scene = {
    script,
    stage,
    network,
    doors,
    hears,
    callbacks,
    client,
    post,
    shops,
    people,
    auditor,
    store,
    later: [],
  }
  yield* inTurn("prepare", scene, script)
  world.processes.start()
  const actors = yield* Effect.forEach(acts("actors", scene, script), (act) =>
    Effect.forkChild(act),
  )
  yield* atOnce([playAll(scene, script.payments, progress), ...acts("errands", scene, script)])
  yield* Fiber.interruptAll(actors)
  world.calm()
  yield* comeToRest(scene)
  // A world lasts at least a week.
  yield* Effect.sleep(Math.max(world.start + WEEK - stage.now(), 0))
  yield* comeToRest(scene)
  yield* atOnce([...scene.later, ...acts("later", scene, script)])
  yield* comeToRest(scene)
  yield* inTurn("inspect", scene, script)
  yield* inspect(scene)
})
