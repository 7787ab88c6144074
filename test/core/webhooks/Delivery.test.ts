import { Result } from "effect"
import { describe, expect, test } from "vitest"
import { edges } from "../../../core/shared/Machine.ts"
import {
  afterAttempt,
  type Delivery,
  type DeliveryEvent,
  isPending,
  machine,
  type PendingDelivery,
  skip,
} from "../../../core/webhooks/Delivery.ts"
import { SERVICE_ENDPOINT } from "../../../core/webhooks/Schedule.ts"
import { aDelivery, T0 } from "../../support/records.ts"

const pending = (said: Partial<Delivery> = {}): PendingDelivery => {
  const delivery = aDelivery(said)
  if (!isPending(delivery)) throw new Error("not pending")
  return delivery
}

const made = (status: number | null) => ({ status, at: T0, duration_ms: 12 })

describe("the lifecycle of a delivery", () => {
  test("has these moves and no others", () => {
    expect(edges(machine.table)).toEqual([
      { from: "pending", event: "delivered", to: "delivered" },
      { from: "pending", event: "retry", to: "pending" },
      { from: "pending", event: "failed", to: "failed" },
      { from: "pending", event: "skipped", to: "skipped" },
    ])
  })

  const events: ReadonlyArray<DeliveryEvent> = [
    { type: "delivered", attempts: [] },
    { type: "retry", attempts: [], due_at: T0 },
    { type: "failed", attempts: [] },
    { type: "skipped" },
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
    expect(isPending(aDelivery())).toBe(true)
    expect(ends.some(isPending)).toBe(false)
  })
})

describe("after an attempt", () => {
  test("that was answered with 2xx the delivery has ended", () => {
    expect(afterAttempt(pending(), made(204), SERVICE_ENDPOINT, T0 + 12)).toEqual({
      ...aDelivery(),
      status: "delivered",
      attempts: [{ attempt: 1, status: 204, at: T0, duration_ms: 12 }],
      due_at: null,
    })
  })

  test("that was not, the next is due after the delay, counted from its end", () => {
    const next = afterAttempt(
      pending(),
      { ...made(null), error: "timeout" },
      SERVICE_ENDPOINT,
      T0 + 5_000,
    )
    expect(next).toEqual({
      ...aDelivery(),
      attempts: [{ attempt: 1, status: null, at: T0, duration_ms: 12, error: "timeout" }],
      due_at: T0 + 65_000,
    })
  })

  test("six failures end it, and every attempt is kept", () => {
    let delivery: Delivery = pending()
    for (const status of [500, null, 302, 404, 401, 503]) {
      expect(isPending(delivery)).toBe(true)
      if (isPending(delivery)) delivery = afterAttempt(delivery, made(status), SERVICE_ENDPOINT, T0)
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
  const once = afterAttempt(pending(), made(500), SERVICE_ENDPOINT, T0)
  expect(isPending(once) && skip(once)).toEqual({ ...once, status: "skipped", due_at: null })
})
