import { Clock, Effect } from "effect"
import type { Caller } from "../../core/accounts/Account.ts"
import { DAY, HOUR, MINUTE, type Timestamp, toIso } from "../../core/shared/Timestamp.ts"
import { cancelSubscription } from "../../core/subscriptions/cancelSubscription.ts"
import { payInvoice } from "../../core/subscriptions/payInvoice.ts"
import { reportUsage, type UsageInput } from "../../core/subscriptions/reportUsage.ts"
import { startUsage, stopUsage } from "../../core/subscriptions/startUsage.ts"
import { subscribe } from "../../core/subscriptions/subscribe.ts"
import { voidInvoice } from "../../core/subscriptions/voidInvoice.ts"
import { billing } from "../auditor/Billing.ts"
import type { Chance } from "../random/Chance.ts"
import type { Shown } from "../players/PlayerWorld.ts"
import type { Scene } from "../world/Stage.ts"
import { ENDED_BY } from "./owing.ts"
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

/** Subscribes to a plan, and pays its first invoice in most cases. */
export const subscribeTo = Effect.fnUntraced(function* (
  scene: Scene,
  { buyer, chance, service_id }: Subscriber,
  plan_id: string,
) {
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
export const payOwed = Effect.fnUntraced(function* (
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

/** Voids a part of what the buyer owes, as the seller; the buyer pays some of it at once. */
export const voidSome = Effect.fnUntraced(function* (
  scene: Scene,
  { buyer, chance, seller, service_id }: Subscriber,
  part: number,
) {
  for (const invoice of scene.auditor.model.know(billing).owedBy(buyer.account.id)) {
    if (invoice.service_id !== service_id || !chance.hits(part)) continue
    const { id } = invoice
    const path = `/v1/invoices/${id}`
    const key = chance.hits(0.5) ? `voids ${id} ${chance.int(0, 1_000_000)}` : null
    const voids = ask(scene, seller, ["POST", `${path}/void`, {}], key, voidInvoice(seller, id))
    const pays = ask(scene, buyer, ["POST", `${path}/pay`, {}], null, payInvoice(buyer, id))
    const both = [voids, chance.hits(0.4) ? pays : Effect.undefined]
    const [, payment] = yield* Effect.all(both, { concurrency: "unbounded" })
    yield* follow(scene, chance, payment as Shown | undefined)
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
export const report = Effect.fnUntraced(function* (
  scene: Scene,
  subscriber: Subscriber,
  day: number,
) {
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

/** Cancels a part of the buyer's subscriptions. */
export const cancelSome = Effect.fnUntraced(function* (
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

/** Opens or closes the buyer's tab. */
export const tab = Effect.fnUntraced(function* (
  scene: Scene,
  subscriber: Subscriber,
  opens: boolean,
) {
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
  // What is left was given up. The tab opens again where none of it is owed any more.
  yield* voidSome(scene, subscriber, 0.6)
  yield* tab(scene, subscriber, true)
  yield* tab(scene, subscriber, false)
  yield* Effect.sleep(2 * DAY)
})
