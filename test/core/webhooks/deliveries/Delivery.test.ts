import { Result } from "effect"
import { describe, expect, test } from "vitest"
import { edges } from "../../../../core/shared/Machine.ts"
import {
  afterAttempt,
  claimed,
  firstRetryAfter,
  type Delivery,
  type DeliveryEvent,
  isOpen,
  machine,
  type OpenDelivery,
  refuse,
  skip,
} from "../../../../core/webhooks/deliveries/Delivery.ts"
import { aDelivery, id, T0, uuid } from "../../../support/records.ts"

const pending = (said: Partial<Delivery> = {}): OpenDelivery => {
  const delivery = aDelivery(said)
  if (!isOpen(delivery)) throw new Error("not pending")
  return delivery
}

const made = (status: number | null) => ({ status, at: T0, duration_ms: 12 })

const attempts = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ attempt: n + 1, ...made(500) }))

const over = (first_retry: number, count: number): Delivery => ({
  ...aDelivery({ first_retry, attempts: attempts(count) }),
  status: "failed",
  due_at: null,
})

const toOwn = (said: Partial<Delivery> = {}) =>
  pending({ ...said, endpoint_id: null, service_id: uuid(1) })

const toRegistered = (said: Partial<Delivery> = {}) =>
  pending({ ...said, endpoint_id: id("we", 1), service_id: null })

test.each<[string, ReadonlyArray<Delivery>, number]>([
  ["no delivery", [], 0],
  ["one that was never sent", [over(0, 0)], 0],
  ["one that is over", [over(0, 1)], 1],
  ["one that is over after two attempts", [over(0, 2)], 2],
  ["an open one, which has six attempts", [toOwn()], 6],
  ["an open one after an attempt", [toOwn({ attempts: attempts(1) })], 6],
  ["an open one of ten attempts", [toRegistered({ attempts: attempts(3) })], 10],
  ["a replay that is over", [over(0, 6), over(6, 1)], 7],
  ["two replays in any order", [over(7, 2), over(0, 6), over(6, 1)], 9],
  ["an open one and a replay that is over", [toOwn({ attempts: attempts(1) }), over(6, 1)], 7],
  ["an open replay", [over(0, 6), toOwn({ first_retry: 6 })], 12],
])("the numbers after %s", (_what, deliveries, expected) => {
  expect(firstRetryAfter(deliveries)).toBe(expected)
})

describe("the lifecycle of a delivery", () => {
  test("has these moves and no others", () => {
    expect(edges(machine.table)).toEqual(
      ["pending", "delivering"].flatMap((from) => [
        { from, event: "claimed", to: "delivering" },
        { from, event: "delivered", to: "delivered" },
        { from, event: "retry", to: "pending" },
        { from, event: "failed", to: "failed" },
        { from, event: "refused", to: "failed" },
        { from, event: "skipped", to: "skipped" },
      ]),
    )
  })

  const events: ReadonlyArray<DeliveryEvent> = [
    { type: "claimed" },
    { type: "delivered", attempts: [] },
    { type: "retry", attempts: [], due_at: T0 },
    { type: "failed", attempts: [] },
    { type: "refused", error: "webhook_key_not_found" },
    { type: "skipped", error: null },
  ]
  const ends = (["delivered", "failed", "skipped"] as const).map((status) => ({
    ...aDelivery(),
    status,
    due_at: null,
  }))

  test.each(ends.flatMap((delivery) => events.map((event) => [delivery, event] as const)))(
    "refuses after $status",
    (delivery, event) => {
      expect(Result.isFailure(machine.step(delivery, event))).toBe(true)
    },
  )

  test("only one that waits for an attempt is pending", () => {
    expect(isOpen(aDelivery())).toBe(true)
    expect(ends.some(isOpen)).toBe(false)
  })
})

describe("after an attempt", () => {
  test("that was answered with 2xx the delivery has ended", () => {
    expect(afterAttempt(pending(), made(204), T0 + 12)).toEqual({
      ...aDelivery(),
      status: "delivered",
      attempts: [{ attempt: 1, status: 204, at: T0, duration_ms: 12 }],
      due_at: null,
    })
  })

  test("that was not, the next is due after the delay, counted from its end", () => {
    const next = afterAttempt(pending(), { ...made(null), error: "timeout" }, T0 + 5_000)
    expect(next).toEqual({
      ...aDelivery(),
      attempts: [{ attempt: 1, status: null, at: T0, duration_ms: 12, error: "timeout" }],
      due_at: T0 + 65_000,
    })
  })

  test("six failures end it, and every attempt is kept", () => {
    let delivery: Delivery = pending()
    for (const status of [500, null, 302, 404, 401, 503]) {
      expect(isOpen(delivery)).toBe(true)
      if (isOpen(delivery)) delivery = afterAttempt(delivery, made(status), T0)
    }
    expect(delivery.status).toBe("failed")
    expect(delivery.due_at).toBeNull()
    expect(delivery.attempts.map(({ attempt, status }) => [attempt, status])).toEqual([
      [1, 500],
      [2, null],
      [3, 302],
      [4, 404],
      [5, 401],
      [6, 503],
    ])
  })
})

test("a skipped delivery keeps its attempts", () => {
  const once = afterAttempt(pending(), made(500), T0)
  if (!isOpen(once)) throw new Error("ended")
  expect(skip(once)).toEqual({ ...once, status: "skipped", due_at: null })
  const error = "webhook_endpoint_disabled"
  expect(skip(once, error)).toEqual({ ...once, status: "skipped", error, due_at: null })
})

test("a delivery that cannot be sent as it has to be has failed, without an attempt", () => {
  const error = "webhook_key_not_found"
  expect(refuse(pending(), error)).toEqual({
    ...aDelivery(),
    status: "failed",
    error,
    due_at: null,
  })
})

test("a claim is an attempt under way, again when the last one was never heard of", () => {
  const once = claimed(aDelivery())
  expect(once).toEqual({ ...aDelivery(), status: "delivering" })
  expect(claimed(once)).toEqual(once)
  const ended: Delivery = { ...aDelivery(), status: "skipped", due_at: null }
  expect(claimed(ended)).toEqual(ended)
})

describe("a registered endpoint", () => {
  const registered = { endpoint_id: id("we", 1), service_id: null }

  test("is tried ten times", () => {
    let delivery: Delivery = aDelivery(registered)
    const due = [delivery.due_at]
    for (let at = T0; isOpen(delivery); at = delivery.due_at ?? at) {
      delivery = afterAttempt(delivery, { ...made(500), at }, at)
      due.push(delivery.due_at)
    }
    const waits = [10, 60, 300, 900, 3_600, 14_400, 43_200, 86_400, 259_200]
    let at = T0
    expect(due).toEqual([T0, ...waits.map((seconds) => (at += seconds * 1_000)), null])
    expect(delivery.status).toBe("failed")
    expect(delivery.attempts).toHaveLength(10)
  })

  test.each([
    [200, "delivered"],
    [301, "pending"],
    [400, "failed"],
    [401, "pending"],
    [404, "failed"],
    [410, "failed"],
    [429, "failed"],
    [500, "pending"],
    [null, "pending"],
  ] as const)("that answers %s has a delivery that is %s", (status, after) => {
    expect(afterAttempt(pending(registered), made(status), T0).status).toBe(after)
  })
})
