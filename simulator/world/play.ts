import { Effect, Fiber } from "effect"
import { DAY, MINUTE } from "../../core/shared/Timestamp.ts"
import { parts } from "../parts.ts"
import { Client } from "./Client.ts"
import type { Part } from "./Part.ts"
import type { PaymentPlan } from "./Plan.ts"
import { playPayment } from "./playPayment.ts"
import { populate } from "./Population.ts"
import type { Scene } from "./Scene.ts"
import { work } from "./worker.ts"
import type { World } from "./World.ts"

/** Longer than any schedule: the last try of a webhook comes almost five days after the first. */
const PATIENCE = 6 * DAY

/** Lets everything that goes on by itself come to its end: messages, retries, due work. */
const comeToRest = Effect.fnUntraced(function* ({ stage, store }: Scene) {
  const until = stage.now() + PATIENCE
  while (stage.now() < until) {
    const next = yield* store.nextDueAt()
    if (stage.busy() === 0 && (next === undefined || next > until)) return
    yield* Effect.sleep(10 * MINUTE)
  }
})

/** Shows the auditor every payment as it rests. */
const inspect = Effect.fnUntraced(function* ({ auditor, store }: Scene) {
  const { model } = auditor
  for (const [id, { record }] of model.intents) {
    const stored = yield* store.findIntent(id)
    const requests = model.requestsOf(id)
    const deliveries = model.deliveriesOf(id)
    const refunds = model.refundsOf(id)
    auditor.see("rest", id, { intent: record, stored, requests, refunds, deliveries })
  }
})

/** What all parts do in one phase. */
const acts = (phase: "actors" | "errands" | "later", scene: Scene) =>
  parts.flatMap((part) => part[phase]?.(scene) ?? [])

const inTurn = (phase: "prepare" | "inspect", scene: Scene) =>
  Effect.forEach(parts, (part: Part) => part[phase]?.(scene) ?? Effect.void, { discard: true })

const AT_ONCE = { concurrency: "unbounded", discard: true } as const

const playAll = (
  scene: Scene,
  plans: ReadonlyArray<PaymentPlan>,
  progress: (done: number) => void,
) => {
  let done = 0
  let at = 0
  return Effect.forEach(
    plans,
    (plan) => {
      at += plan.after
      const played = Effect.andThen(Effect.sleep(at), playPayment(scene, plan))
      return Effect.tap(played, () => Effect.sync(() => progress((done += 1))))
    },
    AT_ONCE,
  )
}

/**
 * Plays the payments, each at its time, and beside them the parts; then ends the faults and waits
 * for rest. `progress` hears how many payments nobody does anything about any more.
 */
export const play = Effect.fnUntraced(function* (
  world: World,
  plans: ReadonlyArray<PaymentPlan>,
  progress: (done: number) => void,
) {
  const { auditor, bell, network, post, stage, store, trace } = world
  const client = new Client(stage, auditor, trace)
  const people = yield* populate(stage)
  const scene: Scene = { stage, network, client, post, people, auditor, store, later: [] }
  yield* inTurn("prepare", scene)
  const workers = stage.chance("workers").int(1, 3)
  for (let n = 0; n < workers; n += 1) {
    yield* Effect.forkChild(work(stage, bell, `worker ${n}`))
  }
  const actors = yield* Effect.forEach(acts("actors", scene), (act) => Effect.forkChild(act))
  yield* Effect.all([playAll(scene, plans, progress), ...acts("errands", scene)], AT_ONCE)
  yield* Fiber.interruptAll(actors)
  world.calm()
  yield* comeToRest(scene)
  yield* Effect.all([...scene.later, ...acts("later", scene)], AT_ONCE)
  yield* comeToRest(scene)
  yield* inTurn("inspect", scene)
  yield* inspect(scene)
})
