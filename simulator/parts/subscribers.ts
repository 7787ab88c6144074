import { Effect } from "effect"
import { putInstall } from "../../core/installs/putInstall.ts"
import { moveService } from "../../core/registry/moveService.ts"
import { DAY, HOUR, MINUTE, SECOND } from "../../core/shared/Timestamp.ts"
import { billing } from "../auditor/Billing.ts"
import { agreedPriceRules } from "../auditor/invariants/agreedPrices.ts"
import { billingRules } from "../auditor/invariants/billing.ts"
import type { Part, Scene } from "../world/Stage.ts"
import { begin, offerPlans, PLANS } from "./owing.ts"
import {
  cancelSome,
  endAll,
  payOwed,
  report,
  type Subscriber,
  subscribeTo,
  tab,
  voidSome,
} from "./subscribing.ts"

/** Plays some minutes in mid-traffic, in which invoices become due. */
const traffic = Effect.fnUntraced(function* (scene: Scene, subscriber: Subscriber) {
  const { chance } = subscriber
  yield* Effect.sleep(chance.wait(MINUTE))
  if (chance.hits(0.5)) yield* tab(scene, subscriber, true)
  if (chance.hits(0.5)) yield* subscribeTo(scene, subscriber, chance.pick(PLANS).plan_id)
  for (let turn = 0; turn < 4; turn += 1) {
    yield* report(scene, subscriber, turn)
    yield* payOwed(scene, subscriber, 0.3)
    yield* voidSome(scene, subscriber, 0.05)
    yield* cancelSome(scene, subscriber, 0.08)
    if (chance.hits(0.1)) yield* tab(scene, subscriber, chance.hits(0.5))
    yield* Effect.sleep(chance.wait(2 * MINUTE))
  }
})

/** How often people check their invoices when nothing else happens. */
const EVERY = 10 * DAY

/** Plays the months after the traffic, until everything is cancelled. */
const live = Effect.fnUntraced(function* (scene: Scene, subscriber: Subscriber) {
  const { chance } = subscriber
  const days = 30 * (scene.script.subscribed_months ?? chance.int(1, 2))
  for (let day = 0; day < days; day += 10) {
    yield* Effect.sleep(EVERY + chance.int(-HOUR, HOUR))
    yield* report(scene, subscriber, 100 + day)
    yield* payOwed(scene, subscriber, 0.7)
    yield* voidSome(scene, subscriber, 0.15)
    yield* cancelSome(scene, subscriber, 0.03)
    if (chance.hits(0.1)) yield* subscribeTo(scene, subscriber, chance.pick(PLANS).plan_id)
    if (chance.hits(0.1)) yield* tab(scene, subscriber, chance.hits(0.7))
  }
  yield* endAll(scene, subscriber)
})

/** Pauses the seller's service sometimes: a period that begins meanwhile is free. */
const pausing = Effect.fnUntraced(function* ({ stage }: Scene, { seller, service_id }: Subscriber) {
  const chance = stage.chance("pauses of plans")
  for (;;) {
    yield* Effect.sleep(chance.wait(3 * MINUTE) + SECOND)
    yield* Effect.orDie(moveService(seller, service_id, "pause"))
    yield* Effect.sleep(chance.wait(20 * SECOND))
    yield* Effect.orDie(moveService(seller, service_id, "resume"))
  }
})

/** The name of the service with subscriptions. */
export const SUBSCRIBED = "Plans and use"

/** Two of the buyers, who subscribe to the first seller's service. */
const subscribersOf = ({ people, stage }: Scene, phase: string): ReadonlyArray<Subscriber> => {
  const [seller] = people.sellers
  const service_id = people.services.get(SUBSCRIBED)
  if (seller === undefined || service_id === undefined) return []
  return people.buyers.slice(0, 2).map((buyer) => ({
    buyer,
    seller,
    service_id,
    chance: stage.chance(`${phase} of ${buyer.account.agent_id}`),
  }))
}

const prepare = Effect.fnUntraced(function* (scene: Scene) {
  const { people } = scene
  const [seller] = people.sellers
  if (seller === undefined) return
  people.services.set(SUBSCRIBED, yield* offerPlans(seller, SUBSCRIBED))
  for (const subscriber of subscribersOf(scene, "what is set up")) {
    const { buyer, chance, service_id } = subscriber
    yield* begin(scene, subscriber)
    const auto_pay_limit = { currency: "USD", value: chance.pick([5_000, 50_000]) }
    if (chance.hits(0.6)) yield* Effect.ignore(putInstall(buyer, service_id, { auto_pay_limit }))
  }
})

/** People who pay repeatedly: for a month, for a year, and for usage. */
export const subscribers: Part = {
  name: "subscribers",
  heavy: 0.05,
  rules: { ...billingRules, ...agreedPriceRules },
  knowledge: [billing],
  prepare: (scene) => Effect.orDie(prepare(scene)),
  actors: (scene) =>
    subscribersOf(scene, "pauses")
      .slice(0, 1)
      .map((one) => pausing(scene, one)),
  errands: (scene) => subscribersOf(scene, "traffic").map((one) => traffic(scene, one)),
  later: (scene) => subscribersOf(scene, "months").map((one) => live(scene, one)),
  inspect: (scene) =>
    Effect.gen(function* () {
      const known = scene.auditor.model.know(billing)
      const invoices = yield* Effect.orDie(
        Effect.forEach([...known.invoices.keys()], (id) => scene.store.find("invoice", id)),
      )
      scene.auditor.see("billing", "billing", { invoices })
    }),
}
