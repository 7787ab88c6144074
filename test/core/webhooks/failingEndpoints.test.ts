import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { Store } from "../../../core/ports/Store.ts"
import { DAY, SECOND, type Timestamp } from "../../../core/shared/Timestamp.ts"
import { attemptDelivery } from "../../../core/webhooks/deliveries/attemptDelivery.ts"
import { endpointSecretPlace } from "../../../core/webhooks/endpoints/Endpoint.ts"
import { runDue } from "../../../core/work/runDue.ts"
import { aDelivery, anEndpoint, anEvent, id, T0 } from "../../support/records.ts"
import { sealed, SECRET, withWorld } from "./endpointWorld.ts"
import { finding } from "../../support/finding.ts"

const END = T0 + 5 * DAY

const endpoint = anEndpoint({ secret: sealed(endpointSecretPlace(id("we", 1)), SECRET) })

/** Deliveries to the endpoint, due at these times. */
const begin = Effect.fnUntraced(function* (...times: ReadonlyArray<Timestamp>) {
  const store = yield* Store
  yield* store.commit({
    writes: [
      { op: "insert", kind: "endpoint", record: endpoint },
      ...times.map((due_at, n) => ({
        op: "insert" as const,
        kind: "delivery" as const,
        record: aDelivery({
          n: n + 1,
          due_at,
          event_id: id("evt", n + 1),
          endpoint_id: endpoint.id,
          service_id: null,
        }),
      })),
    ],
    events: times.map((_, n) => anEvent({ n: n + 1, due_at: null })),
  })
})

const stored = Effect.gen(function* () {
  return (yield* (yield* Store).find("endpoint", endpoint.id)) ?? endpoint
})

const at = (time: Timestamp) => Effect.andThen(TestClock.setTime(time), runDue())

const told = Effect.gen(function* () {
  const type = "webhook_endpoint.disabled" as const
  return yield* (yield* Store).list("event", { by: { account_id: id("acct", 1), type }, limit: 10 })
})

const answer = (status: number) => ({ status, duration_ms: 1 })

describe("an endpoint that fails", () => {
  it.effect("is disabled five days after its first failure, to the millisecond", () =>
    withWorld(() => answer(404))(() =>
      Effect.gen(function* () {
        yield* begin(T0, T0 + DAY)
        yield* at(T0)
        yield* at(T0 + DAY)
        yield* at(END - 1)
        expect(yield* stored).toMatchObject({ status: "enabled", first_failure_at: T0 })
        expect(yield* told).toEqual([])
        yield* at(END)
        const reason = { disabled_reason: "delivery_failures", disabled_at: END }
        expect(yield* stored).toMatchObject({ status: "disabled", ...reason })
        yield* at(END + DAY)
        expect(yield* told).toHaveLength(1)
      }),
    ),
  )

  it.effect("and takes something in the last moment goes on, and begins to count anew", () =>
    withWorld((n) => answer(n === 1 ? 200 : 404))(() =>
      Effect.gen(function* () {
        yield* begin(T0, END - 1, END + 1)
        for (const time of [T0, END - 1, END]) yield* at(time)
        expect(yield* stored).toMatchObject({ status: "enabled", first_failure_at: null })
        yield* at(END + 1)
        yield* at(END + 5 * DAY)
        expect(yield* stored).toMatchObject({ status: "enabled", first_failure_at: END + 1 })
        yield* at(END + 5 * DAY + 1)
        expect((yield* stored).status).toBe("disabled")
      }),
    ),
  )
})

describe("what is known of an endpoint", () => {
  const claim = Effect.gen(function* () {
    const held = { limit: 10, lease: 30 * SECOND }
    return yield* (yield* Store).claimDue("delivery", T0, held)
  })

  /** The endpoint as it was, for as many looks; then as it is. */
  const behind = (looks: number) =>
    Effect.map(Store, (store) => {
      let left = looks
      const find = finding(store, "endpoint", (asked) =>
        left-- > 0 ? Effect.succeed(endpoint) : store.find("endpoint", asked),
      )
      return { ...store, find }
    })

  const fail = Effect.gen(function* () {
    const store = yield* Store
    const record = { ...(yield* stored), first_failure_at: T0 }
    yield* store.commit({ writes: [{ op: "replace", kind: "endpoint", record }] })
  })

  it.effect("may be outdated when a 2xx comes: it clears the failure all the same", () =>
    withWorld(() => answer(200))((received) =>
      Effect.gen(function* () {
        yield* begin(T0)
        const [delivery = aDelivery()] = yield* claim
        yield* fail
        yield* Effect.provideService(attemptDelivery(delivery), Store, yield* behind(2))
        expect((yield* stored).first_failure_at).toBeNull()
        expect(received).toHaveLength(1)
        const made = yield* (yield* Store).find("delivery", delivery.id)
        expect(made).toMatchObject({ status: "delivered", attempts: [{ status: 200 }] })
      }),
    ),
  )

  it.effect("is never worth a second attempt, however contested it is", () =>
    withWorld((n) => answer(n % 2 === 0 ? 200 : 503))((received) =>
      Effect.gen(function* () {
        yield* begin(T0, T0)
        const both = yield* claim
        yield* fail
        const outdated = yield* behind(1_000)
        for (const delivery of both) {
          yield* Effect.provideService(attemptDelivery(delivery), Store, outdated)
        }
        expect(received).toHaveLength(2)
        const store = yield* Store
        const made = yield* Effect.forEach(both, (delivery) => store.find("delivery", delivery.id))
        expect(made.map((delivery) => delivery?.status)).toEqual(["delivered", "pending"])
      }),
    ),
  )

  it.effect("is written once for many failures at a time, and once for the 2xx after them", () =>
    withWorld((n) => answer(n < 8 ? 503 : 200))(() =>
      Effect.gen(function* () {
        yield* begin(...Array.from({ length: 8 }, () => T0))
        yield* at(T0)
        expect(yield* stored).toMatchObject({ version: 2, first_failure_at: T0 })
        yield* at(T0 + 10 * SECOND)
        expect(yield* stored).toMatchObject({ version: 3, first_failure_at: null })
      }),
    ),
  )
})
