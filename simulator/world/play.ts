import { Effect, Fiber } from "effect"
import type { Caller } from "../../core/accounts/Account.ts"
import { moveService } from "../../core/registry/moveService.ts"
import { DAY, MINUTE, SECOND } from "../../core/shared/Timestamp.ts"
import type { Access } from "../auditor/Access.ts"
import { Client } from "./Client.ts"
import type { PaymentPlan } from "./Plan.ts"
import { playPayment } from "./playPayment.ts"
import { changeKeys } from "./receiversOf.ts"
import { populate, type ServicePlan, SERVICES } from "./Population.ts"
import type { Scene } from "./Scene.ts"
import { work } from "./worker.ts"
import type { World } from "./World.ts"

/** A seller takes a service off the market now and then, for a moment. */
const restless = Effect.fnUntraced(function* ({ people, stage }: Scene, plan: ServicePlan) {
  const chance = stage.chance(`pauses of ${plan.name}`)
  const seller = people.sellers[plan.seller]
  const id = people.services.get(plan.name)
  if (seller === undefined || id === undefined) return
  for (;;) {
    yield* Effect.sleep(chance.wait(40 * SECOND) + SECOND)
    yield* Effect.orDie(moveService(seller, id, "pause"))
    yield* Effect.sleep(chance.wait(3 * SECOND))
    yield* Effect.orDie(moveService(seller, id, "resume"))
  }
})

/** Longer than any schedule: the last try of a webhook comes almost five days after the first. */
const PATIENCE = 6 * DAY

/** Lets everything that goes on by itself come to its end: messages, retries, due work. */
const comeToRest = Effect.fnUntraced(function* ({ stage, store }: World) {
  const until = stage.now() + PATIENCE
  while (stage.now() < until) {
    if (stage.busy() === 0 && (yield* store.nextDueAt()) === undefined) return
    yield* Effect.sleep(10 * MINUTE)
  }
})

/** A seller's gate asks about everything that it knows, scope by scope. */
const visit = Effect.fnUntraced(function* ({ client }: Scene, seller: Caller, access: Access) {
  for (const { account_id, item_id: id, type } of access.items) {
    if (account_id !== seller.account.id) continue
    for (const scope of [null, "read:summary", "all"])
      yield* client.ask(seller, { type, id, scope })
  }
})

/** Shows the auditor every payment as it rests. */
const inspect = Effect.fnUntraced(function* ({ auditor, store }: World) {
  const { model } = auditor
  for (const [id, { record }] of model.intents) {
    const stored = yield* store.findIntent(id)
    const requests = model.requestsOf(id)
    const deliveries = model.deliveriesOf(id)
    const refunds = model.refundsOf(id)
    auditor.see("rest", id, { intent: record, stored, requests, refunds, deliveries })
  }
})

/**
 * Plays the payments, each at its time, then ends the faults and waits for rest. `progress` hears
 * how many payments nobody does anything about any more.
 */
export const play = Effect.fnUntraced(function* (
  world: World,
  plans: ReadonlyArray<PaymentPlan>,
  progress: (done: number) => void,
) {
  const { auditor, bell, network, stage, trace } = world
  const client = new Client(stage, auditor, trace)
  const people = yield* populate(stage)
  const scene: Scene = { stage, network, client, people, later: [] }
  const workers = stage.chance("workers").int(1, 3)
  for (let n = 0; n < workers; n += 1) {
    yield* Effect.forkChild(work(stage, bell, `worker ${n}`))
  }
  const sellers = yield* Effect.forEach(SERVICES, (plan) => Effect.forkChild(restless(scene, plan)))
  const { receivers, sellers: owners } = scene.people
  const keys = yield* Effect.forEach(owners, (seller, n) =>
    Effect.forkChild(Effect.orDie(changeKeys(stage, seller, n, receivers[n] ?? []))),
  )
  let done = 0
  let at = 0
  yield* Effect.forEach(
    plans,
    (plan) => {
      at += plan.after
      const played = Effect.andThen(Effect.sleep(at), playPayment(scene, plan))
      return Effect.tap(played, () =>
        Effect.sync(() => {
          done += 1
          progress(done)
        }),
      )
    },
    { concurrency: "unbounded", discard: true },
  )
  yield* Fiber.interruptAll([...sellers, ...keys])
  world.calm()
  yield* comeToRest(world)
  yield* Effect.all(scene.later, { concurrency: "unbounded", discard: true })
  yield* comeToRest(world)
  yield* Effect.forEach(people.sellers, (seller) => visit(scene, seller, auditor.model.access))
  yield* inspect(world)
})
