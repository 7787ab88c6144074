import { describe, expect, it } from "@effect/vitest"
import { createHmac } from "node:crypto"
import { Clock, Deferred, Effect, Exit, Fiber, type Layer } from "effect"
import { TestClock } from "effect/testing"
import { Store } from "../../../../core/ports/Store.ts"
import { Unsealable } from "../../../../core/ports/Vault.ts"
import type { WebhookOutcome, WebhookSender } from "../../../../core/ports/WebhookSender.ts"
import { HOUR, MINUTE, SECOND } from "../../../../core/shared/Timestamp.ts"
import { attemptDelivery } from "../../../../core/webhooks/deliveries/attemptDelivery.ts"
import type { Delivery } from "../../../../core/webhooks/deliveries/Delivery.ts"
import { dispatchEvent } from "../../../../core/webhooks/deliveries/dispatchEvent.ts"
import { anAccount, anEvent, aService, T0 } from "../../../support/records.ts"
import {
  answer,
  claim,
  killedAtCommit,
  LEASE,
  receiver,
  SECRET,
  WALL,
  world,
} from "../deliveryWorld.ts"

/** The one delivery of the world, dispatched and claimed at T0. */
const dispatched = Effect.gen(function* () {
  yield* TestClock.setTime(T0)
  for (const event of yield* claim("event")) yield* dispatchEvent(event)
  const [delivery] = yield* claim("delivery")
  return delivery!
})

const stored = (id: string) => Effect.flatMap(Store, (store) => store.find("delivery", id))

/** Moves from one due time to the next, and attempts due deliveries until there are none. */
const attemptAll = Effect.gen(function* () {
  const store = yield* Store
  for (let due = yield* store.nextDueAt(); due !== undefined; due = yield* store.nextDueAt()) {
    if (due > (yield* Clock.currentTimeMillis)) yield* TestClock.setTime(due)
    for (const delivery of yield* claim("delivery")) yield* attemptDelivery(delivery)
  }
})

const inWorld =
  (sender: Layer.Layer<WebhookSender>) =>
  <A, E, R>(self: Effect.Effect<A, E, R>) =>
    self.pipe(Effect.provide(sender), Effect.provide(world))

const hex = (text: string) => createHmac("sha256", SECRET).update(text).digest("hex")

describe("a delivery that fails each time", () => {
  const { layer, received } = receiver(
    answer(500),
    { status: null, duration_ms: 5_000, error: "timeout" },
    answer(301),
    answer(404),
    answer(401),
    { ...answer(503), response: "sorry" },
  )

  it.effect("is attempted six times, at its times exactly, and has then failed", () =>
    Effect.gen(function* () {
      const delivery = yield* dispatched
      yield* attemptDelivery(delivery)
      yield* attemptAll
      const waits = [0, MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR]
      let at = T0
      const times = waits.map((wait) => (at += wait))
      expect(received.map((request) => request.at)).toEqual(times)
      const ended = yield* stored(delivery.id)
      expect(ended).toMatchObject({ status: "failed", due_at: null })
      expect(ended?.attempts).toEqual([
        { attempt: 1, status: 500, at: times[0], duration_ms: 3 },
        { attempt: 2, status: null, at: times[1], duration_ms: 5_000, error: "timeout" },
        { attempt: 3, status: 301, at: times[2], duration_ms: 3 },
        { attempt: 4, status: 404, at: times[3], duration_ms: 3 },
        { attempt: 5, status: 401, at: times[4], duration_ms: 3 },
        { attempt: 6, status: 503, at: times[5], duration_ms: 3, response: "sorry" },
      ])
      expect(new Set(received.map((request) => request.body)).size).toBe(1)
      expect(received.map(({ headers }) => headers["Idempotency-Key"])).toEqual(
        [0, 1, 2, 3, 4, 5].map((n) => `wh_${delivery.event_id}-retry-${n}`),
      )
    }).pipe(inWorld(layer)),
  )
})

describe("an attempt", () => {
  it.effect("is signed at the wall clock's time, over the bytes that are sent", () => {
    const { layer, received } = receiver(answer(200))
    return Effect.gen(function* () {
      const delivery = yield* dispatched
      yield* attemptDelivery(delivery)
      const { body, headers, url } = received[0]!
      const seconds = WALL / 1_000
      const own = Object.keys(headers).filter((name) => name.startsWith("X-Webhook-Signature-"))
      expect(own).toEqual([expect.stringMatching(/-[0-9a-f]{16}$/)])
      expect(url).toBe("https://seller.example/hooks")
      expect(headers).toEqual({
        "Content-Type": "application/json",
        traceparent: anEvent().traceparent,
        "X-Webhook-Signature": hex(body),
        [own[0] ?? ""]: hex(body),
        "X-Webhook-Id": delivery.event_id,
        "X-Webhook-Timestamp": String(seconds),
        "Webhook-Signature": `t=${seconds},v1=${hex(`${seconds}.${body}`)}`,
        "Idempotency-Key": `wh_${delivery.event_id}-retry-0`,
      })
      expect(JSON.parse(body)).toMatchObject({ id: delivery.event_id, created: T0 / 1_000 })
      expect(yield* stored(delivery.id)).toMatchObject({ status: "delivered", due_at: null })
      yield* TestClock.adjust(24 * HOUR)
      yield* attemptAll
      expect(received).toHaveLength(1)
    }).pipe(inWorld(layer))
  })

  it.effect("waits for its time, and is not made for a delivery that has ended", () => {
    const { layer, received } = receiver(answer(200))
    return Effect.gen(function* () {
      const delivery = yield* dispatched
      yield* attemptDelivery({ ...delivery, due_at: T0 + 1 })
      yield* attemptDelivery({ ...delivery, status: "failed", due_at: null })
      expect(received).toEqual([])
      expect(yield* stored(delivery.id)).toEqual(delivery)
    }).pipe(inWorld(layer))
  })

  it.effect("goes to where the endpoint has been moved to meanwhile", () => {
    const { layer, received } = receiver(answer(500), answer(200))
    return Effect.gen(function* () {
      yield* attemptDelivery(yield* dispatched)
      const store = yield* Store
      const record = aService({ endpoint: "https://moved.example/hooks" })
      yield* store.commit({ writes: [{ op: "replace", kind: "service", record }] })
      yield* attemptAll
      expect(received.map(({ url }) => url)).toEqual([
        "https://seller.example/hooks",
        "https://moved.example/hooks",
      ])
    }).pipe(inWorld(layer))
  })

  it.effect("is skipped when the service has been deleted", () => {
    const { layer, received } = receiver(answer(500))
    return Effect.gen(function* () {
      const delivery = yield* dispatched
      yield* attemptDelivery(delivery)
      const store = yield* Store
      const record = aService({ status: "deleted", deleted_at: T0 })
      yield* store.commit({ writes: [{ op: "replace", kind: "service", record }] })
      yield* attemptAll
      const skipped = yield* stored(delivery.id)
      expect(skipped).toMatchObject({ status: "skipped", due_at: null })
      expect(skipped?.attempts).toHaveLength(1)
      expect(received).toHaveLength(1)
    }).pipe(inWorld(layer))
  })

  it.effect("is not made with a secret that cannot be read", () => {
    const { layer, received } = receiver(answer(200))
    return Effect.gen(function* () {
      const delivery = yield* dispatched
      const store = yield* Store
      const record = anAccount({ webhook_secret: "v1.AAAA" })
      yield* store.commit({ writes: [{ op: "replace", kind: "account", record }] })
      expect(yield* Effect.flip(attemptDelivery(delivery))).toBeInstanceOf(Unsealable)
      expect(received).toEqual([])
      expect(yield* stored(delivery.id)).toEqual(delivery)
    }).pipe(inWorld(layer))
  })

  it.effect("that has begun is recorded, though its worker is told to stop", () =>
    Effect.gen(function* () {
      const late = yield* Deferred.make<WebhookOutcome>()
      const { layer, received } = receiver(Deferred.await(late))
      const delivery = yield* dispatched
      const fiber = yield* Effect.forkChild(Effect.provide(attemptDelivery(delivery), layer))
      while (received.length === 0) yield* Effect.yieldNow
      const stopping = yield* Effect.forkChild(Fiber.interrupt(fiber))
      yield* Effect.yieldNow
      yield* Deferred.succeed(late, answer(200))
      yield* Fiber.join(stopping)
      expect(yield* stored(delivery.id)).toMatchObject({ status: "delivered" })
    }).pipe(Effect.provide(world)),
  )
})

describe("a crash between sending and recording", () => {
  it.effect("repeats the attempt under its key when the lease runs out", () => {
    const { layer, received } = receiver(answer(200))
    return Effect.gen(function* () {
      const delivery = yield* dispatched
      const crash = yield* Effect.exit(killedAtCommit(attemptDelivery(delivery)))
      expect(Exit.hasDies(crash)).toBe(true)
      expect(yield* stored(delivery.id)).toEqual(delivery)
      yield* TestClock.adjust(LEASE - SECOND)
      expect(yield* claim("delivery")).toEqual([])
      yield* TestClock.adjust(SECOND)
      for (const again of yield* claim("delivery")) yield* attemptDelivery(again)
      expect(received.map(({ headers }) => headers["Idempotency-Key"])).toEqual([
        `wh_${delivery.event_id}-retry-0`,
        `wh_${delivery.event_id}-retry-0`,
      ])
      expect(yield* stored(delivery.id)).toMatchObject({
        status: "delivered",
        attempts: [{ attempt: 1, status: 200, at: T0 + LEASE }],
      })
    }).pipe(inWorld(layer))
  })
})

describe("a worker that lost its lease in mid-attempt", () => {
  /** The claims of a slow worker and of the one that takes the delivery over from it. */
  const bothClaims = Effect.gen(function* () {
    const slow = yield* dispatched
    yield* TestClock.adjust(LEASE)
    const [taken] = yield* claim("delivery")
    return [slow, taken!] as const
  })

  const statuses = (delivery: Delivery | undefined) =>
    delivery?.attempts.map(({ attempt, status }) => [attempt, status])

  it.effect("adds its attempt to those of the other", () => {
    const { layer } = receiver(answer(500), answer(200))
    return Effect.gen(function* () {
      const [slow, taken] = yield* bothClaims
      yield* attemptDelivery(taken)
      yield* attemptDelivery(slow)
      const delivery = yield* stored(slow.id)
      expect(delivery).toMatchObject({ status: "delivered", due_at: null })
      expect(statuses(delivery)).toEqual([
        [1, 500],
        [2, 200],
      ])
    }).pipe(inWorld(layer))
  })

  it.effect("changes nothing about a delivery that has ended", () => {
    const { layer } = receiver(answer(200), answer(500))
    return Effect.gen(function* () {
      const [slow, taken] = yield* bothClaims
      yield* attemptDelivery(taken)
      const ended = yield* stored(slow.id)
      yield* attemptDelivery(slow)
      expect(yield* stored(slow.id)).toEqual(ended)
    }).pipe(inWorld(layer))
  })

  it.effect("never makes them more than six", () => {
    const { layer } = receiver(answer(500))
    return Effect.gen(function* () {
      const first = yield* dispatched
      yield* attemptDelivery(first)
      for (const wait of [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR]) {
        yield* TestClock.adjust(wait)
        for (const delivery of yield* claim("delivery")) yield* attemptDelivery(delivery)
      }
      yield* TestClock.adjust(6 * HOUR)
      const [slow] = yield* claim("delivery")
      yield* TestClock.adjust(LEASE)
      const [taken] = yield* claim("delivery")
      yield* Effect.all([attemptDelivery(taken!), attemptDelivery(slow!)], { concurrency: 2 })
      const delivery = yield* stored(first.id)
      expect(delivery).toMatchObject({ status: "failed", due_at: null })
      expect(delivery?.attempts).toHaveLength(6)
    }).pipe(inWorld(layer))
  })
})
