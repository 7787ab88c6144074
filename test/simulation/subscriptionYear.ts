import { Clock, Effect } from "effect"
import { TestClock } from "effect/testing"
import { putInstall } from "../../core/installs/putInstall.ts"
import { resolveChannelRequest } from "../../core/dispatch/resolveChannelRequest.ts"
import type { ChannelOutcome } from "../../core/ports/Channels.ts"
import { moveService } from "../../core/registry/moveService.ts"
import { Store, StoreUnavailable } from "../../core/ports/Store.ts"
import { WallClock } from "../../core/ports/WallClock.ts"
import { DAY } from "../../core/shared/Timestamp.ts"
import { cancelSubscription } from "../../core/subscriptions/cancelSubscription.ts"
import { payInvoice } from "../../core/subscriptions/payInvoice.ts"
import { reportUsage } from "../../core/subscriptions/reportUsage.ts"
import { startUsage, stopUsage } from "../../core/subscriptions/startUsage.ts"
import type { Script } from "../support/scriptedChannels.ts"
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

/** A store with concurrent changes by others, and with lost answers to commits. */
const unreliable = (inner: StoreService, chance: Chance, calm: () => boolean): StoreService => ({
  ...inner,
  find: (kind, id) =>
    kind === "tab" || kind === "payment_intent"
      ? Effect.tap(inner.find(kind, id), () => Effect.yieldNow)
      : inner.find(kind, id),
  commit: (commit) =>
    Effect.gen(function* () {
      yield* Effect.yieldNow
      const lost = !calm() && chance() < 0.04
      const stored = !lost || chance() < 0.5
      if (stored) yield* inner.commit(commit)
      if (lost) yield* new StoreUnavailable({ outcome: "unknown", cause: "a lost connection" })
    }),
})

/**
 * Lets a channel decide each debit once, and lose some questions, some answers and some debits.
 * Returns its charges by number.
 */
const debitAtRandom = (script: Script, chance: Chance, calm: () => boolean) => {
  const books = new Map<string, { readonly invoice_payment: string; readonly done: boolean }>()
  const told = (number: string): ChannelOutcome => {
    const known = books.get(number)
    if (known === undefined) return { type: "not_found" }
    return known.done
      ? { type: "done", at: 0, trade_no: `trade of ${number}` }
      : { type: "refused", message: "declined" }
  }
  const lost: ChannelOutcome = { type: "unknown", message: "no answer" }
  script.answer = (call) =>
    Effect.sync(() => {
      const { action, number, out_trade_no } = call
      if (action !== "debit") return { type: "done", at: 0, trade_no: `trade of ${number}` }
      if (!calm() && chance() < 0.15) return lost
      if (!books.has(number)) {
        books.set(number, { invoice_payment: out_trade_no, done: chance() < 0.7 })
      }
      return !calm() && chance() < 0.2 ? lost : told(number)
    })
  script.asked = ({ number }) =>
    Effect.sync(() => (!calm() && chance() < 0.3 ? lost : told(number)))
  return books
}

type Books = ReturnType<typeof debitAtRandom>

const wall = { now: Effect.succeed(0) }

/** Does all due work, including answers that channels still owe. */
const workOff = Effect.fnUntraced(function* () {
  yield* work()
  const now = yield* Clock.currentTimeMillis
  const claim = { limit: 100, lease: 30_000 }
  for (const request of yield* (yield* Store).claimDue("channel_request", now, claim)) {
    const resolving = Effect.provideService(resolveChannelRequest(request), WallClock, wall)
    yield* Effect.exit(resolving)
  }
})

/** The reports that the service has accepted. */
interface Told {
  /** The units of each key that the service has taken. */
  readonly used: Map<string, number>
}

/** Repeats a request without an answer under the same key, as the API demands. */
const insist = <A, E, R>(self: Effect.Effect<A, E, R>) =>
  Effect.result(Effect.retry(self, { times: 8, while: isUnavailable }))

const isUnavailable = (error: unknown): boolean => error instanceof StoreUnavailable

const report = Effect.fnUntraced(function* (told: Told, key: string, units: number) {
  const quantity = units / 4
  const input = { agent_id: "buyer-agent", quantity, idempotency_key: key }
  const taken = yield* insist(reportUsage(as(seller), service.id, input))
  if (taken._tag === "Success") told.used.set(key, units)
})

/** Runs all acts of a day at the same time. */
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
      payment.status === "pending" && "deeplink" in payment
        ? Effect.asVoid(paid(payment.id, (amount.value / 100).toFixed(2)))
        : Effect.void,
    )
    acts.push(insist(pays))
    sometimes(0.3, insist(pays))
  }
  // Two workers, which now and then are away for days.
  if (chance() < 0.8) acts.push(Effect.exit(workOff()), Effect.exit(workOff()))
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
    yield* workOff()
  }
})

/** Reads an account's final records from the store. */
const readAll = Effect.fnUntraced(function* (store: StoreService) {
  const everything = { viewer: buyer.id, limit: 100_000, offset: 0 }
  const invoices = (yield* store.listInvoices(everything)).data
  const subscriptions = (yield* store.listSubscriptions(everything)).data
  const intents = yield* store.listIntents({ viewer: buyer.id, limit: 100_000, now: 0 })
  const log = yield* store.list("event", { by: { account_id: buyer.id }, limit: 1_000_000 })
  return { invoices, subscriptions, intents, log }
})

/** The rules that a history has broken, by name; none where all is well. */
const broken = (
  { intents, invoices, log, subscriptions }: Effect.Success<ReturnType<typeof readAll>>,
  { used }: Told,
  books: Books,
): ReadonlyArray<string> => {
  const flaws: Array<string> = []
  const charged = new Set(
    [...books.values()].filter(({ done }) => done).map((debit) => debit.invoice_payment),
  )
  const autoPaid = intents.filter((intent) => intent.status === "completed" && intent.auto_paid)
  const debits = [...books.values()].filter(({ done }) => done)
  if (debits.length !== charged.size || autoPaid.length !== charged.size) {
    flaws.push("each charge is one payment")
  }
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
    const open = new Set<string>(["pending", "debiting"])
    if (payments.some((intent) => open.has(intent.status))) flaws.push("no payment left open")
    if (status === "open") flaws.push("every invoice ends")
  }
  return [...new Set(flaws)]
}

/** Plays so many days, and returns the results and the broken rules. */
export const playYear = Effect.fnUntraced(function* (
  seed: number,
  days: number,
  alter: (store: StoreService) => StoreService = (store) => store,
  installs?: Script,
) {
  const store = yield* Store
  const chance = chanceOf(seed)
  const told: Told = { used: new Map() }
  let calm = false
  const cumulative = { ...sold.pricing.cumulative, billing_cycle: "weekly" }
  yield* seedSold({ pricing: { ...sold.pricing, cumulative } })
  const books: Books =
    installs === undefined ? new Map() : debitAtRandom(installs, chance, () => calm)
  if (installs !== undefined) {
    const auto_pay_limit = { currency: "USD", value: 1_999 }
    yield* putInstall(as(buyer), service.id, { auto_pay_limit })
  }
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
    broken: broken(all, told, books),
    charged: [...books.values()].filter(({ done }) => done).length,
    invoices: all.invoices.length,
    statuses,
    used: told.used.size,
  }
})
