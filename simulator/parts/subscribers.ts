import { Clock, Effect } from "effect"
import type { Caller } from "../../core/accounts/Account.ts"
import { putInstall } from "../../core/installs/putInstall.ts"
import { moveService } from "../../core/registry/moveService.ts"
import { DAY, HOUR, MINUTE, SECOND, type Timestamp, toIso } from "../../core/shared/Timestamp.ts"
import { cancelSubscription } from "../../core/subscriptions/cancelSubscription.ts"
import { payInvoice } from "../../core/subscriptions/payInvoice.ts"
import { reportUsage, type UsageInput } from "../../core/subscriptions/reportUsage.ts"
import { startUsage, stopUsage } from "../../core/subscriptions/startUsage.ts"
import { subscribe } from "../../core/subscriptions/subscribe.ts"
import { billing } from "../auditor/Billing.ts"
import { billingRules } from "../auditor/invariants/billing.ts"
import type { Chance } from "../random/Chance.ts"
import type { Shown } from "../players/PlayerWorld.ts"
import type { Part, Scene } from "../world/Stage.ts"
import { begin, ENDED_BY, offerPlans, PLANS } from "./owing.ts"
import { atOnce } from "../world/atOnce.ts"
import { payShown } from "./payShown.ts"

/** A subscriber and its seller. */
export interface Subscriber {
  readonly buyer: Caller
  readonly seller: Caller
  readonly service_id: string
  readonly chance: Chance
}

const ask = (
  { client }: Scene,
  caller: Caller,
  [method, path, body]: readonly ["POST" | "DELETE", string, object],
  key: string | null,
  verb: Parameters<Scene["client"]["send"]>[0]["verb"],
) =>
  client.send({
    caller,
    route: `${method} ${path}`,
    body,
    key,
    verb,
  })

/** Pays a payment that waits for a person, in most cases. */
export const follow = (scene: Scene, chance: Chance, payment: Shown | undefined) =>
  payment?.status === "pending" ? payShown(scene, payment, chance, 0.85) : Effect.void

const subscribeTo = Effect.fnUntraced(function* (
  scene: Scene,
  { buyer, chance, service_id }: Subscriber,
) {
  const { plan_id } = chance.pick(PLANS)
  const body = { plan_id }
  const path = `/v1/service-manifests/${service_id}/subscribe`
  const key = chance.hits(0.7) ? `subscribes ${chance.int(0, 1_000_000)}` : null
  const made = yield* ask(
    scene,
    buyer,
    ["POST", path, body],
    key,
    subscribe(buyer, service_id, body),
  )
  yield* follow(scene, chance, (made as { readonly payment?: Shown } | undefined)?.payment)
})

/** Pays open invoices, some of them twice at once. */
const payOwed = Effect.fnUntraced(function* (
  scene: Scene,
  { buyer, chance }: Subscriber,
  part: number,
) {
  const { auditor } = scene
  for (const { id } of auditor.model.know(billing).owedBy(buyer.account.id)) {
    if (!chance.hits(part)) continue
    const pays = (n: number) => {
      const key = chance.hits(0.5) ? `pays ${id} ${n} ${chance.int(0, 1_000_000)}` : null
      return ask(scene, buyer, ["POST", `/v1/invoices/${id}/pay`, {}], key, payInvoice(buyer, id))
    }
    const times = chance.hits(0.3) ? [0, 1] : [0]
    const made = yield* Effect.all(times.map(pays), { concurrency: "unbounded" })
    yield* follow(scene, chance, made.find((payment) => payment !== undefined) as Shown | undefined)
  }
})

/** Sends a report as the seller, and notes that it was acknowledged. */
const sendReport = (
  scene: Scene,
  { seller, service_id }: Subscriber,
  units: number,
  body: Omit<UsageInput, "quantity">,
) => {
  const input = { ...body, quantity: units }
  const path = `/v1/services/${service_id}/usage`
  const verb = reportUsage(seller, service_id, input)
  return Effect.tap(ask(scene, seller, ["POST", path, input], null, verb), (answer) =>
    Effect.sync(() => {
      if (answer === undefined) return
      scene.auditor.model.know(billing).acknowledged.set(body.idempotency_key, units)
    }),
  )
}

/** Reports usage as the seller: sometimes twice, at once, and again much later. */
const report = Effect.fnUntraced(function* (scene: Scene, subscriber: Subscriber, day: number) {
  const { buyer, chance } = subscriber
  const { agent_id } = buyer.account
  const reports = Array.from({ length: chance.int(1, 3) }, (_, n) => {
    const number = chance.hits(0.2) ? Math.max(day - 1, 0) : day
    const idempotency_key = `${agent_id} ${number} ${n}`
    const units = 1 + ((number + n) % 7) / 4
    const sent = sendReport(scene, subscriber, units, { agent_id, idempotency_key })
    return chance.hits(0.3) ? Effect.all([sent, sent], { concurrency: "unbounded" }) : sent
  })
  yield* atOnce(reports)
})

const cancel = (scene: Scene, { buyer, chance, seller }: Subscriber, id: string, part: number) => {
  const now = chance.hits(part) ? "true" : "false"
  const caller = chance.hits(0.8) ? buyer : seller
  const path = `/v1/subscriptions/${id}`
  return ask(
    scene,
    caller,
    ["DELETE", path, { now }],
    null,
    cancelSubscription(caller, id, { now }),
  )
}

const cancelSome = Effect.fnUntraced(function* (
  scene: Scene,
  subscriber: Subscriber,
  part: number,
) {
  const { buyer, chance } = subscriber
  for (const { id } of scene.auditor.model.know(billing).keptBy(buyer.account.id)) {
    if (chance.hits(part)) yield* cancel(scene, subscriber, id, 0.5)
  }
})

/** Reports as the seller, soon after a tab was closed, what was used before, sometimes. */
const reportLate = Effect.fnUntraced(function* (
  scene: Scene,
  subscriber: Subscriber,
  stopped: Timestamp,
) {
  const { agent_id } = subscriber.buyer.account
  const chance = scene.stage.chance(`use of ${agent_id} before ${stopped}`)
  if (!chance.hits(0.5)) return
  yield* Effect.sleep(chance.wait(MINUTE))
  yield* sendReport(scene, subscriber, chance.int(1, 9) / 4, {
    agent_id,
    occurred_at: toIso(stopped - chance.int(2 * MINUTE, HOUR)),
    idempotency_key: `${agent_id} late ${stopped}`,
  })
})

const tab = Effect.fnUntraced(function* (scene: Scene, subscriber: Subscriber, opens: boolean) {
  const { buyer, service_id } = subscriber
  const path = `/v1/services/${service_id}/tab`
  if (opens) {
    yield* ask(scene, buyer, ["POST", path, {}], null, startUsage(buyer, service_id, {}))
    return
  }
  const at = yield* Clock.currentTimeMillis
  yield* ask(scene, buyer, ["DELETE", path, {}], null, stopUsage(buyer, service_id, {}))
  yield* reportLate(scene, subscriber, at)
})

/** Plays some minutes in mid-traffic, in which invoices become due. */
const traffic = Effect.fnUntraced(function* (scene: Scene, subscriber: Subscriber) {
  const { chance } = subscriber
  yield* Effect.sleep(chance.wait(MINUTE))
  if (chance.hits(0.5)) yield* tab(scene, subscriber, true)
  if (chance.hits(0.5)) yield* subscribeTo(scene, subscriber)
  for (let turn = 0; turn < 4; turn += 1) {
    yield* report(scene, subscriber, turn)
    yield* payOwed(scene, subscriber, 0.3)
    yield* cancelSome(scene, subscriber, 0.08)
    if (chance.hits(0.1)) yield* tab(scene, subscriber, chance.hits(0.5))
    yield* Effect.sleep(chance.wait(2 * MINUTE))
  }
})

/** Cancels everything, with many tries: a subscription with a running payment cannot end. */
export const endAll = Effect.fnUntraced(function* (scene: Scene, subscriber: Subscriber) {
  const { buyer } = subscriber
  const known = scene.auditor.model.know(billing)
  for (let turn = 0; turn < 5 && known.keptBy(buyer.account.id).length > 0; turn += 1) {
    for (const { id } of known.keptBy(buyer.account.id)) yield* cancel(scene, subscriber, id, 1)
    yield* Effect.sleep(HOUR)
  }
  yield* tab(scene, subscriber, false)
  yield* Effect.sleep(ENDED_BY)
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
    yield* cancelSome(scene, subscriber, 0.03)
    if (chance.hits(0.1)) yield* subscribeTo(scene, subscriber)
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
  heavy: 0.07,
  rules: billingRules,
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
