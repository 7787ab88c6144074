import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { makeVault } from "../../../adapters/crypto/Vault.ts"
import { webhookSecretPlace } from "../../../core/accounts/Account.ts"
import { createIntent } from "../../../core/payments/createIntent.ts"
import { voidIntent } from "../../../core/payments/endIntent.ts"
import { MOST_UNPAID, unpaidCounter } from "../../../core/payments/UnpaidPayments.ts"
import { Store } from "../../../core/ports/Store.ts"
import { DAY, MINUTE } from "../../../core/shared/Timestamp.ts"
import { runDue } from "../../../core/work/runDue.ts"
import { replayDelivery } from "../../../core/webhooks/deliveries/deliverAgain.ts"
import { uuid } from "../../support/records.ts"
import { makeScript } from "../../support/scriptedChannels.ts"
import { as, seed, seller, walk } from "../../support/world.ts"
import { workWorld } from "../work/workWorld.ts"

/** Opens secrets that the world's vault has sealed. */
const vault = makeVault(new Uint8Array(32).fill(7))

const script = makeScript()
const most = MOST_UNPAID[seller.plan]
const counter = unpaidCounter(seller.id)

const begin = Effect.gen(function* () {
  script.known = () => ({ type: "not_found" })
  yield* seed()
  const store = yield* Store
  const [account] = yield* store.findMany("account", [seller.id])
  const webhook_secret = vault.seal(webhookSecretPlace(seller.id), "whsec_1")
  const record = { ...seller, ...account, webhook_secret }
  yield* store.commit({ writes: [{ op: "replace", kind: "account", record }] })
})

const inWorld = Effect.provide(workWorld({ script }))

const made = Effect.map(
  createIntent(as(seller), {
    service_id: uuid(1),
    type: "one_time",
    amount: { currency: "USD", value: 699 },
    description: "One",
  }),
  ({ id }) => id,
)

/** A worker that is there for some minutes. */
const work = Effect.gen(function* () {
  for (let minute = 0; minute < 3; minute += 1) {
    yield* TestClock.adjust(MINUTE)
    yield* runDue()
  }
})

/** An unpaid payment whose channels have confirmed that they hold no money. */
const unpaid = Effect.gen(function* () {
  const id = yield* made
  yield* voidIntent(as(seller), id)
  yield* work
  return id
})

/** Changes the count as if there were so many other payments. */
const others = (add: number) =>
  Effect.flatMap(Store, (store) =>
    store.commit({ writes: [], reservations: [{ counter, add, limit: 1e12 }] }),
  )

const counted = Effect.flatMap(Store, (store) =>
  Effect.map(store.readCounters([counter]), ([value]) => value),
)

const statusOf = (id: string) =>
  Effect.flatMap(Store, (store) =>
    Effect.map(store.find("payment_intent", id), (stored) => stored?.status),
  )

describe("payments that nobody makes", () => {
  it.effect("are counted from their channels' answers until they leave, and no others are", () =>
    Effect.gen(function* () {
      yield* begin
      const scanned = yield* made
      yield* walk(scanned, "SCANNED")
      yield* voidIntent(as(seller), scanned)
      const id = yield* made
      expect(yield* counted).toBe(0)
      yield* voidIntent(as(seller), id)
      expect(yield* counted).toBe(0)
      yield* work
      expect(yield* counted).toBe(1)
      yield* TestClock.adjust(30 * DAY)
      yield* runDue()
      expect(yield* statusOf(id)).toBeUndefined()
      expect(yield* statusOf(scanned)).toBe("voided")
      expect(yield* counted).toBe(0)
    }).pipe(inWorld),
  )

  it.effect("leave early where there are more than the plan keeps, the oldest first", () =>
    Effect.gen(function* () {
      yield* begin
      yield* others(most - 2)
      const [first, second] = [yield* unpaid, yield* unpaid]
      expect(yield* counted).toBe(most)
      expect(yield* statusOf(first)).toBe("voided")
      const third = yield* unpaid
      expect(yield* statusOf(first)).toBeUndefined()
      expect(yield* statusOf(second)).toBeUndefined()
      expect(yield* statusOf(third)).toBe("voided")
      expect(yield* counted).toBe(most - 1)
    }).pipe(inWorld),
  )

  it.effect("are never more than that, however many end at the same time", () =>
    Effect.gen(function* () {
      yield* begin
      yield* others(most - 1)
      const first = yield* unpaid
      const ids = yield* Effect.all([made, made, made])
      yield* Effect.forEach(ids, (id) => voidIntent(as(seller), id))
      yield* work
      // A payment that is not counted yet is looked at again, and counted when there is room.
      yield* TestClock.adjust(MINUTE)
      yield* runDue()
      expect(yield* statusOf(first)).toBeUndefined()
      expect(yield* counted).toBeLessThanOrEqual(most)
    }).pipe(inWorld),
  )

  it.effect("leave bit by bit where a larger plan kept more of them", () =>
    Effect.gen(function* () {
      yield* begin
      const first = yield* unpaid
      yield* others(5 * most)
      const second = yield* unpaid
      expect(yield* statusOf(first)).toBeUndefined()
      expect(yield* statusOf(second)).toBe("voided")
      expect(yield* counted).toBe(5 * most + 1)
    }).pipe(inWorld),
  )

  it.effect("wait for their channels, whose silence makes no room", () =>
    Effect.gen(function* () {
      yield* begin
      script.known = () => ({ type: "unknown", message: "It does not answer." })
      const id = yield* unpaid
      expect(yield* counted).toBe(0)
      yield* others(most)
      script.known = () => ({ type: "not_found" })
      yield* unpaid
      expect(yield* statusOf(id)).toBe("voided")
    }).pipe(inWorld),
  )
})

describe("a payment whose charge may still be paid", () => {
  it.effect("does not leave before its channel has said that it is closed", () =>
    Effect.gen(function* () {
      yield* begin
      const silent = Effect.succeed({ type: "unknown", message: "It does not answer." } as const)
      const { answer, asked } = script
      script.answer = () => silent
      script.asked = () => silent
      const id = yield* unpaid
      yield* others(most - 1)
      yield* unpaid
      expect(yield* statusOf(id)).toBe("voided")
      yield* TestClock.adjust(30 * DAY)
      yield* runDue()
      Object.assign(script, { answer, asked })
      expect(yield* statusOf(id)).toBe("voided")
    }).pipe(inWorld),
  )
})

/**
 * The stored records about a payment besides itself: events, their deliveries and reports,
 * requests.
 */
const tracesOf = (id: string) =>
  Effect.gen(function* () {
    const store = yield* Store
    const events = yield* store.list("event", { by: { subject_id: id } })
    const of = { event_id: events.map((event) => event.id) }
    const deliveries = yield* store.list("delivery", { by: of })
    const subject_id = deliveries.map((delivery) => delivery.id)
    const reports = yield* store.list("event", { by: { subject_id } })
    const requests = yield* store.list("channel_request", { by: { payment_intent: id } })
    return { deliveries, events, reports, requests }
  })

const countsOf = (traces: Effect.Success<ReturnType<typeof tracesOf>>) =>
  Object.values(traces).map((records) => records.length)

describe("a payment that nobody makes", () => {
  it.effect("takes with it what told of it and what its channels were asked, and no more", () =>
    Effect.gen(function* () {
      yield* begin
      const id = yield* unpaid
      const scanned = yield* made
      yield* walk(scanned, "SCANNED")
      yield* voidIntent(as(seller), scanned)
      yield* work
      const kept = yield* tracesOf(scanned)
      const before = yield* tracesOf(id)
      expect(Math.min(...countsOf(before))).toBeGreaterThan(0)
      yield* TestClock.adjust(30 * DAY)
      yield* runDue()
      expect(yield* statusOf(id)).toBeUndefined()
      expect(countsOf(yield* tracesOf(id))).toEqual([0, 0, 0, 0])
      const subject_id = before.deliveries.map((delivery) => delivery.id)
      const store = yield* Store
      expect(yield* store.list("event", { by: { subject_id } })).toEqual([])
      expect(yield* store.findMany("delivery", subject_id)).toEqual([])
      expect(yield* tracesOf(scanned)).toEqual(kept)
    }).pipe(inWorld),
  )

  it.effect("leaves what told of it where that is still to be delivered", () =>
    Effect.gen(function* () {
      yield* begin
      const id = yield* unpaid
      const { deliveries } = yield* tracesOf(id)
      yield* TestClock.adjust(30 * DAY)
      yield* replayDelivery(as(seller), deliveries[0]?.id ?? "")
      yield* runDue()
      expect(yield* statusOf(id)).toBeUndefined()
      const after = yield* tracesOf(id)
      expect(after.requests).toEqual([])
      expect(after.deliveries.map(({ status }) => status)).toEqual(["delivered", "delivered"])
    }).pipe(inWorld),
  )
})
