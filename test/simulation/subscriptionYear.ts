import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { moveService } from "../../core/registry/moveService.ts"
import { Store, StoreUnavailable } from "../../core/ports/Store.ts"
import { DAY } from "../../core/shared/Timestamp.ts"
import { cancelSubscription } from "../../core/subscriptions/cancelSubscription.ts"
import { payInvoice } from "../../core/subscriptions/payInvoice.ts"
import { reportUsage } from "../../core/subscriptions/reportUsage.ts"
import { startUsage, stopUsage } from "../../core/subscriptions/startUsage.ts"
import { as, buyer, seller } from "../support/world.ts"
import {
  invoicesOf,
  paid,
  seedSold,
  service,
  sold,
  subscribed,
  subscriptionsOf,
  work,
} from "../core/subscriptions/billingWorld.ts"

type StoreService = Store["Service"]

/** Numbers from 0 to 1 that a seed decides. */
const chanceOf = (seed: number) => {
  let state = seed >>> 0
  return (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

type Chance = ReturnType<typeof chanceOf>

/** A store that others get in between of, and whose answers to commits get lost now and then. */
const unreliable = (inner: StoreService, chance: Chance, calm: () => boolean): StoreService => ({
  ...inner,
  findTab: (id) => Effect.tap(inner.findTab(id), () => Effect.yieldNow),
  findIntent: (id) => Effect.tap(inner.findIntent(id), () => Effect.yieldNow),
  commit: (commit) =>
    Effect.gen(function* () {
      yield* Effect.yieldNow
      const lost = !calm() && chance() < 0.04
      const stored = !lost || chance() < 0.5
      if (stored) yield* inner.commit(commit)
      if (lost) yield* new StoreUnavailable({ outcome: "unknown", cause: "a lost connection" })
    }),
})

/** What was told to the service and taken by it. */
interface Told {
  /** The units of each key that the service has taken. */
  readonly used: Map<string, number>
}

/** Whoever is not answered asks again under the same key, as the interface says. */
const insist = <A, E, R>(self: Effect.Effect<A, E, R>) =>
  Effect.result(Effect.retry(self, { times: 8, while: isUnavailable }))

const isUnavailable = (error: unknown): boolean => error instanceof StoreUnavailable

const report = Effect.fnUntraced(function* (told: Told, key: string, units: number) {
  const quantity = units / 4
  const input = { agent_id: "buyer-agent", quantity, idempotency_key: key }
  const taken = yield* insist(reportUsage(as(seller), service.id, input))
  if (taken._tag === "Success") told.used.set(key, units)
})

/** What a day brings, all at once. */
const day = Effect.fnUntraced(function* (told: Told, chance: Chance, date: number) {
  const acts: Array<Effect.Effect<unknown, unknown, Effect.Services<ReturnType<typeof work>>>> = []
  const sometimes = (part: number, act: (typeof acts)[number]) => {
    if (chance() < part) acts.push(act)
  }
  for (let n = 0; n < 3; n++) {
    const key = chance() < 0.2 ? `use-${Math.floor(date / 2)}-${n}` : `use-${date}-${n}`
    acts.push(report(told, key, 1 + (date % 5) + n))
    sometimes(0.3, report(told, key, 1 + (date % 5) + n))
  }
  sometimes(0.06, insist(stopUsage(as(buyer), service.id, {})))
  sometimes(0.25, insist(startUsage(as(buyer), service.id, {})))
  sometimes(0.05, insist(subscribed(chance() < 0.5 ? "day" : "pro")))
  sometimes(0.02, Effect.result(moveService(as(seller), service.id, "pause")))
  sometimes(0.3, Effect.result(moveService(as(seller), service.id, "resume")))
  for (const { id, status } of yield* subscriptionsOf()) {
    const now = chance() < 0.5 ? "true" : "false"
    if (status !== "cancelled") sometimes(0.01, insist(cancelSubscription(as(buyer), id, { now })))
  }
  for (const { amount, id } of yield* invoicesOf({ status: "open" })) {
    if (chance() > 0.5) continue
    const pays = Effect.flatMap(payInvoice(as(buyer), id), (payment) =>
      paid(payment.id, (amount.value / 100).toFixed(2)),
    )
    acts.push(insist(pays))
    sometimes(0.3, insist(pays))
  }
  // Two workers, which now and then are away for days.
  if (chance() < 0.8) acts.push(Effect.exit(work()), Effect.exit(work()))
  yield* Effect.all(acts.map(Effect.exit), { concurrency: "unbounded" })
})

/** Everything ends, and nothing fails any more. */
const end = Effect.fnUntraced(function* () {
  for (const { id } of yield* subscriptionsOf()) {
    yield* Effect.result(cancelSubscription(as(buyer), id, { now: "true" }))
  }
  yield* Effect.result(stopUsage(as(buyer), service.id, {}))
  for (let n = 0; n < 20; n++) {
    yield* TestClock.adjust(DAY)
    yield* work()
  }
})

/** What an account has in the end, read from the store itself. */
const readAll = Effect.fnUntraced(function* (store: StoreService) {
  const everything = { viewer: buyer.id, limit: 100_000, offset: 0 }
  const invoices = (yield* store.listInvoices(everything)).data
  const subscriptions = (yield* store.listSubscriptions(everything)).data
  const intents = yield* store.listIntents({ viewer: buyer.id, limit: 100_000, now: 0 })
  const log = yield* store.listEvents({ account_id: buyer.id, limit: 1_000_000 })
  return { invoices, subscriptions, intents, log }
})

/** The rules that a history has broken, by name; none where all is well. */
const broken = (
  { intents, invoices, log, subscriptions }: Effect.Success<ReturnType<typeof readAll>>,
  { used }: Told,
): ReadonlyArray<string> => {
  const flaws: Array<string> = []
  for (const { id } of subscriptions) {
    const own = invoices.filter(({ subscription }) => subscription === id)
    const begun = log.filter(
      ({ subject_id, type }) =>
        subject_id === id && (type === "subscription.created" || type === "subscription.renewed"),
    )
    const periods = new Set(own.map(({ period }) => period))
    if (own.length !== begun.length || periods.size !== own.length)
      flaws.push("one invoice a cycle")
  }
  const units = invoices
    .filter(({ tab }) => tab !== null)
    .reduce((sum, { lines }) => sum + 4 * Number(lines[0]?.quantity), 0)
  const taken = [...used.values()].reduce((sum, quantity) => sum + quantity, 0)
  if (units !== taken) flaws.push("use exactly once")
  for (const { amount, id, status } of invoices) {
    const payments = intents.filter(({ invoice }) => invoice === id)
    const completed = payments.filter((intent) => intent.status === "completed").length
    const owed = status === "paid" && amount.value > 0 ? 1 : 0
    if (completed !== owed) flaws.push("paid by one payment")
    if (payments.some((intent) => intent.status === "pending")) flaws.push("no payment left open")
    if (status === "open") flaws.push("every invoice ends")
  }
  return [...new Set(flaws)]
}

/** What so many days came to, and which rules they have broken. */
export const playYear = Effect.fnUntraced(function* (
  seed: number,
  days: number,
  alter: (store: StoreService) => StoreService = (store) => store,
) {
  const store = yield* Store
  const chance = chanceOf(seed)
  const told: Told = { used: new Map() }
  let calm = false
  const cumulative = { ...sold.pricing.cumulative, billing_cycle: "weekly" }
  yield* seedSold({ pricing: { ...sold.pricing, cumulative } })
  const altered = unreliable(alter(store), chance, () => calm)
  const play = Effect.gen(function* () {
    yield* Effect.all([insist(subscribed("day")), insist(subscribed("pro"))])
    for (let date = 0; date < days; date++) {
      yield* TestClock.adjust(DAY)
      yield* day(told, chance, date)
    }
    calm = true
    yield* end()
  })
  yield* Effect.provideService(play, Store, altered)
  const all = yield* readAll(store)
  const statuses = new Set<string>(all.invoices.map(({ status }) => status))
  return {
    broken: broken(all, told),
    invoices: all.invoices.length,
    statuses,
    used: told.used.size,
  }
})
