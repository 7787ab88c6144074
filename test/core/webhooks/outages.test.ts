import { describe, expect, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { TestClock } from "effect/testing"
import { Store } from "../../../core/ports/Store.ts"
import { webhookSecretPlace } from "../../../core/accounts/Account.ts"
import { DAY, HOUR, MINUTE, SECOND, type Timestamp } from "../../../core/shared/Timestamp.ts"
import { endpointSecretPlace } from "../../../core/webhooks/endpoints/Endpoint.ts"
import { runDue } from "../../../core/work/runDue.ts"
import { anAccount, anEndpoint, anEvent, aService, id, T0 } from "../../support/records.ts"
import { sealed, SECRET, withWorld } from "./endpointWorld.ts"

const ATTEMPTS = {
  registered: [0, 10, 60, 300, 900, 3_600, 14_400, 43_200, 86_400, 259_200],
  service: [0, 60, 300, 1_800, 7_200, 21_600],
}

/**
 * Returns the times of the attempts at a receiver that is down until `up`, including the first that
 * it accepts.
 */
const expected = (delays: ReadonlyArray<number>, from: Timestamp, up: Timestamp) => {
  const times: Array<Timestamp> = []
  let at = from
  for (const delay of delays) {
    at += delay * SECOND
    times.push(at)
    if (at >= up) break
  }
  return times
}

/** Moves from one due time to the next until nothing is due. */
const untilRest = Effect.gen(function* () {
  const store = yield* Store
  for (let due = yield* store.nextDueAt(); due !== undefined; due = yield* store.nextDueAt()) {
    if (due > (yield* Clock.currentTimeMillis)) yield* TestClock.setTime(due)
    yield* runDue()
  }
})

/** The service's own endpoint and a registered one, and events that happen in the given hours. */
const begin = Effect.fnUntraced(function* (hours: ReadonlyArray<number>) {
  const store = yield* Store
  const account = (yield* store.find("account", id("acct", 1))) ?? anAccount()
  const secret = sealed(endpointSecretPlace(id("we", 1)), SECRET)
  const webhook_secret = sealed(webhookSecretPlace(account.id), SECRET)
  yield* store.commit({
    writes: [
      { op: "replace", kind: "account", record: { ...account, webhook_secret } },
      { op: "insert", kind: "service", record: aService({ endpoint: "https://own.example/" }) },
      { op: "insert", kind: "endpoint", record: anEndpoint({ secret }) },
    ],
    events: hours.map((hour, n) => anEvent({ n: n + 1, due_at: T0 + hour * HOUR })),
  })
})

describe("receivers that are down", () => {
  const hours = [0, 1, 7, 30, 60, 119, 121, 140]

  for (const down of [24, 120]) {
    const up = T0 + down * HOUR
    const answer = (_: number, at: Timestamp) => ({ status: at < up ? 503 : 204, duration_ms: 1 })

    // Registered endpoints are disabled once nothing has been taken for five days.
    const off = down * HOUR >= 5 * DAY ? T0 + 5 * DAY : Infinity

    it.effect(`for ${down} hours get every event at its times exactly, and none after a 2xx`, () =>
      withWorld(answer)((received) =>
        Effect.gen(function* () {
          yield* begin(hours)
          yield* untilRest
          const store = yield* Store
          const all = yield* store.list("delivery", { by: { account_id: id("acct", 1) } })
          const deliveries = all.filter(({ event_type }) => event_type === anEvent().type)
          expect(deliveries).toHaveLength(2 * hours.length)
          for (const [n, hour] of hours.entries()) {
            const event = id("evt", n + 1)
            const from = T0 + hour * HOUR
            for (const [kind, delays] of Object.entries(ATTEMPTS)) {
              const delivery = deliveries.find(
                ({ endpoint_id, event_id }) =>
                  event_id === event && (endpoint_id !== null) === (kind === "registered"),
              )
              const planned = expected(delays, from, up)
              const times = kind === "service" ? planned : planned.filter((at) => at < off)
              const isCut = times.length < planned.length
              const is = isCut ? "skipped" : (times.at(-1) ?? 0) >= up ? "delivered" : "failed"
              expect(delivery, `${event} ${kind}`).toMatchObject({ status: is, due_at: null })
              expect(delivery?.attempts.map(({ at }) => at)).toEqual(times)
              const header = kind === "registered" ? "Webhook-Id" : "X-Webhook-Id"
              const sent = received.filter(({ headers }) => headers[header] === event)
              expect(sent.map(({ at }) => at)).toEqual(times)
            }
          }
        }),
      ),
    )
  }

  it.effect("for longer have their endpoint disabled, and what is due then skipped", () =>
    withWorld(() => ({ status: null, duration_ms: 5_000, error: "timeout" }))((received) =>
      Effect.gen(function* () {
        yield* begin([0, 100, 121, 150])
        yield* untilRest
        const store = yield* Store
        const endpoint = yield* store.find("endpoint", id("we", 1))
        expect(endpoint).toMatchObject({
          status: "disabled",
          disabled_reason: "delivery_failures",
          first_failure_at: T0,
        })
        const disabledAt = endpoint?.disabled_at ?? 0
        expect(disabledAt).toBeGreaterThanOrEqual(T0 + 5 * DAY)
        const late = received.filter(
          ({ headers, at }) => "Webhook-Id" in headers && at > disabledAt,
        )
        expect(late).toEqual([])
        const by = { account_id: id("acct", 1), endpoint_id: id("we", 1) }
        const ended = yield* store.list("delivery", { by })
        const told = ended.filter(({ event_type }) => event_type === "payment_intent.succeeded")
        expect(told.map(({ status }) => status)).toEqual([
          "skipped",
          "skipped",
          "skipped",
          "failed",
        ])
        const log = yield* store.list("event", {
          by: { account_id: id("acct", 1), type: "webhook_endpoint.disabled" },
          limit: 10,
        })
        expect(log.map(({ data }) => data["endpoint_id"])).toEqual([id("we", 1)])
        yield* TestClock.adjust(MINUTE)
      }),
    ),
  )
})
